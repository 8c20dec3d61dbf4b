import CFFmpeg
public import FFmpegHandles
public import Frames

/// The best audio of a file, read as samples from a given position, once or in a loop.
///
/// Used by one thread at a time; any thread may interrupt it.
public final class AudioFile {
  /// The format of the audio in the file, and of the samples.
  public let format: AudioFormat
  /// The stream that is decoded.
  public let origin: CompressedStream

  private let request: AudioFileRequest
  private let interruption: Interruption
  private var turn: Turn
  /// Number of samples that this turn gave.
  private var given: Int64 = 0
  private var isOver = false
  /// The samples of a short turn, by channel, which is then not read again; nil if it is longer than a second.
  private var kept: [[Float]]?
  /// Why the file ended too early, as a sentence; nil if it did not.
  public private(set) var shortfall: String?
  /// Number of packets that did not decode, and are silence.
  public var damaged: Int { damagedBefore + turn.damaged }
  private var damagedBefore = 0

  /// Opens the file; without a `format` the samples have that of the file.
  public init(
    _ request: AudioFileRequest, as format: AudioFormat? = nil, interruption: Interruption
  ) throws(CaptureError) {
    (self.request, self.interruption) = (request, interruption)
    turn = try Turn(request, as: format, interruption: interruption)
    (self.format, origin) = (turn.format, turn.origin)
    if request.loops { kept = Array(repeating: [], count: turn.format.channels) }
  }

  /// Writes the next samples into the planes, from `place` on; returns how many, fewer than `count` only at the end.
  public func read(
    _ count: Int, into planes: SamplePlanes, at place: Int
  ) throws(CaptureError) -> Int {
    var done = 0
    while done < count, !isOver {
      if hasKeptTurn {
        done += repeatKept(count - done, into: planes, at: place + done)
        continue
      }
      let part = try turn.read(count - done, into: planes, at: place + done)
      keep(part, of: planes, at: place + done)
      done += part
      given += Int64(part)
      guard part == 0 else { continue }
      shortfall = shortfall ?? turn.shortfall
      guard request.loops, given > 0, !interruption.isInterrupted else {
        isOver = true
        break
      }
      if kept != nil {
        hasKeptTurn = true
      } else {
        damagedBefore += turn.damaged
        do { turn = try Turn(request, as: format, interruption: interruption) } catch {
          // An opening that is interrupted looks like a damaged file.
          guard interruption.isInterrupted else { throw error }
          isOver = true
          break
        }
      }
      given = 0
    }
    return done
  }

  /// Whether a whole turn is kept, and repeated from there: opening a file again for a few samples takes long.
  private var hasKeptTurn = false

  private func keep(_ count: Int, of planes: SamplePlanes, at place: Int) {
    guard !hasKeptTurn, let length = kept?.first?.count else { return }
    guard length + count <= format.rate else { return kept = nil }
    for channel in 0..<format.channels {
      kept?[channel].append(
        contentsOf: planes[channel][place..<(place + count)])
    }
  }

  /// Writes samples of the kept turn; returns how many.
  private func repeatKept(_ count: Int, into planes: SamplePlanes, at place: Int) -> Int {
    guard let kept, let length = kept.first?.count, length > 0 else { return 0 }
    let begin = Int(given % Int64(length))
    let part = min(count, length - begin)
    for channel in 0..<format.channels {
      for number in 0..<part {
        planes[channel][place + number] = kept[channel][begin + number]
      }
    }
    given += Int64(part)
    return part
  }

  /// The file, opened once.
  private final class Turn {
    let format: AudioFormat
    let origin: CompressedStream
    private let request: AudioFileRequest
    private let input: AVInputHandle
    private let stream: UnsafeMutablePointer<AVStream>
    private let packet: AVPacketHandle
    private let audio: SourceAudio
    private let interruption: Interruption
    private var continuity: TimeContinuity
    private var extent: SourceExtent
    /// Whether it is read from its beginning.
    private let isFromStart: Bool
    private var hasEnded = false
    /// Why the file ended too early, as a sentence; nil if it did not, and before its end.
    private(set) var shortfall: String?

    var damaged: Int { audio.damaged }

    init(
      _ request: AudioFileRequest, as format: AudioFormat?, interruption: Interruption
    ) throws(CaptureError) {
      (self.request, self.interruption) = (request, interruption)
      let name = request.path
      let isURL = request.isRemote
      // A pipe has no place to go back to, and the wait for its writer could not be interrupted.
      if !isURL, try FileProblems.check(name) == .pipe {
        throw CaptureError("--audio-in \(name) is a pipe; give it as a file", isUsageError: true)
      }
      let isOneFile = !isURL && !MediaPlaylist.isName(name)
      let file = FileInput(
        name: name, url: isURL ? name : FileInput.url(ofFile: name).url, isRemote: isURL,
        isOneFile: isOneFile, options: [])
      let input = try Demuxer.open(file, interruption: interruption)
      let context = input.pointer
      avformat_find_stream_info(context, nil)
      if isOneFile { try OnlyFile.check(input.loggedErrors, name) }
      let best = av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
      guard best >= 0, let found = context.pointee.streams[Int(best)] else {
        if isOneFile, let lost = CutFile.lostIndex(name) { throw lost }
        throw CaptureError("\(name) has no audio; give --audio-in a file that has some")
      }
      continuity = TimeContinuity(context)
      let extent = SourceExtent(stream: found, context: context)
      self.extent = extent
      if !extent.needsEveryStream {
        for stream in context.pointee.streamList where stream.pointee.index != best {
          stream.pointee.discard = AVDISCARD_ALL
        }
      }
      let zero =
        context.pointee.start_time == kf_av_nopts_value()
        ? Rational.zero : Rational(context.pointee.start_time, 1_000_000)
      let start = zero + request.start
      // A decoder needs the packets before the first one that is heard.
      let ahead = start - Rational(1)
      isFromStart =
        request.start <= Rational(1) || !isIndexInOrder(found)
        ? true : try file.hasTimeJumps(of: best, continuity, interruption)
      if !isFromStart {
        av_seek_frame(
          context, best, ahead.ticks(timeBase: Rational(found.pointee.time_base)),
          AVSEEK_FLAG_BACKWARD)
      }
      do throws(FFmpegError) {
        let coded = try CompressedStream(found)
        guard let own = AudioDecoder(coded)?.format,
          let audio = try SourceAudio(coded, from: start, as: format ?? own)
        else {
          throw FFmpegError(
            call: "avcodec_open2", subject: name, code: kf_averror_invaliddata())
        }
        let packet = try AVPacketHandle()
        (self.format, self.audio, origin) = (format ?? own, audio, coded)
        self.packet = packet
      } catch {
        throw CaptureError("the audio of \(name) cannot be decoded (\(error.reason))")
      }
      stream = found
      self.input = input
      try explained({ "the audio of \(name) cannot be decoded: \($0)" }) {
        () throws(FFmpegError) in
        while audio.ready == 0, !hasEnded { try readPacket() }
      }
      guard audio.ready == 0, !interruption.isInterrupted else { return }
      // A file that ends before the start is not cut off.
      let isBehind = extent.duration.map { request.start >= $0 } ?? false
      if !isBehind, let shortfall { throw CaptureError(shortfall) }
      guard request.start > .zero else {
        throw CaptureError(
          "\(name) has no audio that can be decoded; give --audio-in a file that has some")
      }
      let lasts = extent.duration.map { " lasts \($0.twoDecimals) seconds, and it" } ?? ""
      throw CaptureError(
        "the audio of \(name)\(lasts) has nothing from ~start=\(request.start.twoDecimals) on; start earlier"
      )
    }

    /// Reads up to `count` samples; 0 at the end.
    func read(
      _ count: Int, into planes: SamplePlanes, at place: Int
    ) throws(CaptureError) -> Int {
      try explained({ [request] in "the audio of \(request.path) cannot be decoded: \($0)" }) {
        () throws(FFmpegError) in
        while audio.ready < count, !hasEnded { try readPacket() }
        let part = min(audio.ready, count)
        if part > 0 { try audio.read(part, into: planes, at: place) }
        return part
      }
    }

    private func readPacket() throws(FFmpegError) {
      packet.clear()
      let result = av_read_frame(input.pointer, packet.pointer)
      guard result >= 0 else {
        if result == kf_averror(11) { return }
        hasEnded = true
        if !interruption.isInterrupted { noteShortfall(result) }
        return try audio.end()
      }
      let data = packet.pointer
      let unit = Rational(
        input.pointer.pointee.streams[Int(data.pointee.stream_index)]?.pointee.time_base
          ?? stream.pointee.time_base)
      let stored = data.pointee.dts
      continuity.mend(data, timeBase: unit)
      guard let (time, duration) = data.pointee.span(unit) else { return }
      extent.note(data, stamp: stored, end: time + duration)
      guard data.pointee.stream_index == stream.pointee.index else { return }
      try audio.add(
        try CompressedPacket(
          moving: data, streamIndex: 0, time: time, duration: duration))
    }

    /// Compares what was read with what the file claims to hold, at its end.
    private func noteShortfall(_ result: Int32) {
      if result != kf_averror_eof() { extent.note(readError: result) }
      let name = request.path
      shortfall =
        isFromStart
        ? extent.incompleteness(name: name, context: input.pointer)
        : extent.incompletenessOfRest(name: name, context: input.pointer)
      let format = input.pointer.pointee.formatName
      // Of these kinds Ogg is the only one that has audio alone.
      if shortfall == nil,
        CutFile.saysMoreThanItHas(name)
          || format == "ogg"
            && CutFile.lacksEnd(
              format: format, last: 0..<0, part: { CutFile.part(of: name, $0, from: $1) })
      {
        shortfall = extent.cut(name: name)
      }
    }
  }
}

/// Which file is read for its audio, and how.
public struct AudioFileRequest: Sendable, Equatable {
  public var path: String
  /// Seconds from the file's beginning at which it begins.
  public var start = Rational.zero
  /// Whether it begins again at its end.
  public var loops = false

  public init(path: String) { self.path = path }

  /// Whether a server gives it.
  package var isRemote: Bool { SourceKind.url.isWritten(path) }
}
