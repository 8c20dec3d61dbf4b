import CPosix
import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// An open container: its video stream, its copied audio streams, and its packets.
struct Demuxer: ~Copyable {
  let video: UnsafeMutablePointer<AVStream>
  /// FFmpeg's stream index of each copied audio stream.
  let audioIndexes: [Int32]
  let codedAudio: [CompressedStream]
  /// FFmpeg's stream index of each subtitle stream that is read.
  let subtitleIndexes: [Int32]
  let subtitles: [CompressedStream]
  /// The index in `codedAudio` of the best audio stream by FFmpeg's rules.
  let bestAudio: Int?
  /// The chosen stream, as a sentence, if there was a choice.
  let choice: String?
  /// The time that players show as zero, in the source's own time, in seconds.
  let zero: Rational?
  /// How much the container claims to hold.
  let extent: SourceExtent
  /// Whether the times in the container's index never go back, so that a place can be looked for by its time.
  ///
  /// An edit list may play the parts of a movie in another order, and FFmpeg then has an index whose times go back where a
  /// part begins before the key frame that it needs. In an AVI with empty frames, FFmpeg's times are wrong after a seek.
  let isInOrder: Bool

  /// The `avformat_open_input` call that opened the container, with its duration.
  let openingCall: TimedCall

  private let input: AVInputHandle
  private let interruption: Interruption
  private let watch: ServerWatch?
  private let pipe: PipeInput?
  private let ahead: PacketsAhead

  /// Opens the input that a request names, as `input` says.
  init(_ request: SourceRequest, input: FileInput) throws(CaptureError) {
    let (name, isPipe) = (input.name, input.pipe != nil)
    let watch =
      input.isRemote
      ? ServerWatch(
        name: name, interruption: request.interruption, limit: request.networkTimeout,
        notice: request.notice) : nil
    let begin = MonotonicTime.now
    let opened = try Demuxer.open(input, watch: watch, interruption: request.interruption)
    let call = TimedCall("avformat_open_input", since: begin)
    let result = avformat_find_stream_info(opened.pointer, nil)
    if let loss = watch?.loss { throw CaptureError(loss) }
    if input.isOneFile { try OnlyFile.check(opened.loggedErrors, name) }
    let context = opened.pointer
    if Drawings.areIn(context) { throw Drawings.refusal(name) }
    guard result >= 0 else { throw Demuxer.refusal(result, name: name, isPipe: isPipe) }
    guard let streams = context.pointee.streams,
      let choice = try StreamChoice(
        context, wanted: request.video, program: request.program, name: name)
    else {
      // FFmpeg opens a file whose index is cut off, and finds no stream in it, or one of no known kind.
      if !isPipe, let lost = CutFile.lostIndex(name) { throw lost }
      if isPipe, Demuxer.hasNoKnownStream(context) { throw CutFile.endsInHeaders(name) }
      throw CaptureError(
        context.pointee.nb_streams > 0
          && av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0) >= 0
          ? "\(name) has audio and no video; give it with --audio-in, and what is seen with -i"
          : "\(name) has no video stream; kfrec needs a file with video or an image")
    }
    let video = choice.video
    let formatName = context.pointee.formatName
    let extent = SourceExtent(stream: video, context: context)
    var audio = choice.audio
    if let audioTrack = request.sound.track, request.includesAudio || request.feedsEffects {
      guard audio.indices.contains(audioTrack - 1) else {
        throw CaptureError(
          audio.isEmpty
            ? "\(name) has no audio, so there is no track \(audioTrack); leave out --audio-track"
            : "\(name) has \(audio.count == 1 ? "1 audio track" : "\(audio.count) audio tracks"), and "
              + "--audio-track asks for number \(audioTrack)", isUsageError: true)
      }
      audio = [audio[audioTrack - 1]]
    }
    let found = av_find_best_stream(
      context, AVMEDIA_TYPE_AUDIO, -1, video.pointee.index, nil, 0)
    let best = audio.count == 1 ? audio[0] : found
    // FFmpeg downloads a stream of a playlist as long as it is not discarded.
    let isPlaylist = ["hls", "dash"].contains(formatName)
    let audioIndexes =
      request.includesAudio ? audio : request.feedsEffects ? audio.filter { $0 == best } : []
    let subtitleIndexes = (0..<Int32(context.pointee.nb_streams)).filter { number in
      request.includesSubtitles && !isPlaylist && !choice.isOfOtherProgram(number)
        && streams[Int(number)]?.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE
    }
    for stream in context.pointee.streamList {
      let number = stream.pointee.index
      guard !subtitleIndexes.contains(number), number != video.pointee.index,
        !audioIndexes.contains(number)
      else { continue }
      if stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
        || choice.isOfOtherProgram(number) || isPlaylist || !extent.needsEveryStream
      {
        stream.pointee.discard = AVDISCARD_ALL
      }
    }
    choice.discardOtherPrograms(of: context)
    let ahead = PacketsAhead()
    func copies(
      of indexes: [Int32], _ configurations: [Int32: [UInt8]] = [:]
    ) throws(FFmpegError) -> [CompressedStream] {
      try indexes.compactMap { streams[Int($0)] }.map { stream throws(FFmpegError) in
        try CompressedStream(stream, configuration: configurations[stream.pointee.index])
      }
    }
    let codedAudio = try explained { () throws(FFmpegError) in
      try copies(of: audioIndexes, ahead.configurations(of: audioIndexes, in: context))
    }
    subtitles = try explained { () throws(FFmpegError) in try copies(of: subtitleIndexes) }
    self.subtitleIndexes = subtitleIndexes
    self.ahead = ahead
    self.video = video
    self.choice = choice.explanation(name: name)
    zero = choice.zero
    self.audioIndexes = audioIndexes
    self.codedAudio = codedAudio
    bestAudio = audioIndexes.firstIndex(of: best) ?? (codedAudio.isEmpty ? nil : 0)
    isInOrder =
      formatName.hasPrefix("mov,")
      ? ([video.pointee.index] + audioIndexes).allSatisfy { isIndexInOrder(streams[Int($0)]) }
      : formatName != "avi" || !hasHoles(inIndexOf: video)
    self.extent = extent
    self.watch = watch
    (interruption, pipe) = (request.interruption, input.pipe)
    self.input = opened
    openingCall = call
  }

  /// Opens a container; a file that is none is refused in a sentence.
  static func open(
    _ input: FileInput, watch: ServerWatch? = nil, interruption: Interruption
  ) throws(CaptureError) -> AVInputHandle {
    let name = input.name
    guard let allocated = avformat_alloc_context() else {
      throw CaptureError("\(name) cannot be opened: out of memory")
    }
    if let watch {
      watch.watchCalls(of: allocated)
    } else {
      interruption.interruptCalls(of: allocated)
    }
    input.pipe?.attach(to: allocated)
    let log = LoggedErrors()
    allocated.pointee.opaque = UnsafeMutableRawPointer(log.place)
    if input.isOneFile { OnlyFile.attach(to: allocated) }
    var dictionary: OpaquePointer?
    let restrictions = (input.isOneFile ? OnlyFile.options : []) + Drawings.options
    for (key, value) in input.options + restrictions {
      av_dict_set(&dictionary, key, value, 0)
    }
    defer { av_dict_free(&dictionary) }
    var context: UnsafeMutablePointer<AVFormatContext>? = allocated
    let result = avformat_open_input(
      &context, input.url, input.format.flatMap { av_find_input_format($0) }, &dictionary)
    // On failure avformat_open_input has freed the context.
    guard result >= 0, let context else {
      if let loss = watch?.loss { throw CaptureError(loss) }
      if input.isOneFile { try OnlyFile.check(log, name) }
      throw Demuxer.refusal(result, name: name, isPipe: input.pipe != nil)
    }
    return AVInputHandle(owning: context, loggedErrors: log)
  }

  /// Whether the index of a MOV or MP4 tells of no stream, as if it was cut off.
  private static func hasNoKnownStream(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
    context.pointee.formatName.hasPrefix("mov,")
      && context.pointee.streamList.allSatisfy {
        $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_UNKNOWN
      }
  }

  /// Says why a file cannot be opened, as a sentence.
  private static func refusal(_ code: Int32, name: String, isPipe: Bool) -> CaptureError {
    if !isPipe, let lost = CutFile.lostIndex(name) { return lost }
    // A demuxer that goes back further than is kept of a pipe fails to read.
    if isPipe, code == kf_averror_invaliddata() || code == kf_averror(EIO) {
      return CaptureError(
        """
        \(name) is not a video or image that FFmpeg can read from a pipe (an MP4 with its index at \
        the end and a large GIF need to be files)
        """)
    }
    if code == kf_averror_invaliddata() {
      if CutFile.hasKnownStart(name) { return CutFile.endsInHeaders(name) }
      return CaptureError("\(name) is not a video or image file that FFmpeg knows")
    }
    if code == kf_averror_eof() || code == kf_averror(EIO) && CutFile.hasKnownStart(name) {
      return CutFile.endsInHeaders(name)
    }
    if code == kf_averror(EINVAL), name.lowercased().hasSuffix(".yuv") {
      return CaptureError(
        "\(name) is raw video that does not say its size; give a .y4m, which says it")
    }
    return CaptureError("\(name) cannot be opened: \(FFmpegError.reason(code))")
  }

  /// The container's context, for facts about the whole file.
  var context: UnsafeMutablePointer<AVFormatContext> { input.pointer }

  /// The demuxer's short name ("mov,mp4,m4a,3gp,3g2,mj2").
  var formatName: String { context.pointee.formatName }

  /// Returns a stream's time base in seconds.
  func timeBase(of index: Int32) -> Rational {
    guard let stream = context.pointee.streams[Int(index)] else { return .zero }
    return Rational(stream.pointee.time_base)
  }

  /// Why the server that gives the bytes was given up, as a sentence; nil if it was not.
  var loss: String? { watch?.loss }

  /// Whether an error of reading is the end of the bytes: FFmpeg's HTTP takes the end of a connection for a broken one,
  /// if the server did not tell the length.
  func meansEnd(_ code: Int32) -> Bool {
    guard code == kf_averror(EIO), watch != nil, let bytes = context.pointee.pb else {
      return false
    }
    return avio_size(bytes) < 0
  }

  /// The numbers that the container itself has for the streams that are used: of a transport stream, the PIDs.
  var streamNumbers: [Int] {
    ([video.pointee.index] + audioIndexes).compactMap { index in
      context.pointee.streams[Int(index)].map { Int($0.pointee.id) }
    }
  }

  /// Number of errors that the container's reader has logged: places that it could not read, and passed over.
  var loggedErrors: Int { input.loggedErrors.count }

  /// Whether a recording of a stream of this kind begins anywhere, so that its first frames may lack those before them.
  var beginsAnywhere: Bool { context.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0 }

  /// Whether the bytes can be read only once, in order.
  var isUnseekable: Bool { context.pointee.pb.map { $0.pointee.seekable == 0 } ?? false }

  /// Reads the next packet; returns 0, or FFmpeg's error or end code.
  func read(into packet: borrowing AVPacketHandle) -> Int32 {
    packet.clear()
    return ahead.read(into: packet) ?? av_read_frame(context, packet.pointer)
  }

  /// Whether a stream is read: because it is used, or to know whether the file is complete.
  func isRead(_ index: Int32) -> Bool {
    context.pointee.streams[Int(index)].map { $0.pointee.discard != AVDISCARD_ALL } ?? false
  }

  /// A seek ends at a keyframe, and timestamps after it are those of a reading from the start.
  var seeksExactly: Bool {
    isInOrder
      && (formatName.hasPrefix("mov,") || formatName.hasPrefix("matroska")
        || formatName == "image2")
  }

  /// Whether it can go to another place, instead of reading everything before it.
  var canSeek: Bool {
    // FFmpeg's HLS reader loses its position in MP4 fragments when it seeks (their codec tags are names
    // of four characters; those of a transport stream are small numbers).
    if formatName == "hls" { return video.pointee.codecpar.pointee.codec_tag <= 0xff }
    return context.pointee.pb.map { $0.pointee.seekable != 0 } ?? true
  }

  /// Seeks to the beginning, the video stream's first timestamp; false if the source cannot seek.
  func seekToStart(_ ticks: Int64) -> Bool {
    guard canSeek else { return false }
    // In streams without an index FFmpeg searches by decoding timestamps, and the first one may lie later.
    let flags = context.pointee.iformat.pointee.flags
    let isByBytes = flags & AVFMT_TS_DISCONT != 0 && flags & AVFMT_NO_BYTE_SEEK == 0
    // Before all times of an index that is not in their order: FFmpeg then takes the first packet, but not of an AVI.
    let begin =
      isInOrder
      ? ticks
      : formatName == "avi"
        ? avformat_index_get_entry(video, 0)?.pointee.timestamp ?? 0 : -(1 << 40)
    if let early = earlierAudio, seek(to: early.start, AVSEEK_FLAG_BACKWARD, of: early.index) {
      return true
    }
    return seek(
      to: isByBytes ? 0 : begin, isByBytes ? AVSEEK_FLAG_BYTE : AVSEEK_FLAG_BACKWARD)
  }

  /// Seeks to the last keyframe at or before a time in the video stream's time base; false if the
  /// source cannot seek, or only to its beginning.
  func seek(to ticks: Int64) -> Bool {
    canSeek && isInOrder && seek(to: ticks, AVSEEK_FLAG_BACKWARD)
  }

  /// The audio that begins first, before the video, if it is lost by a seek to the video's beginning: FFmpeg's Matroska
  /// reader leaves out what begins before the packet that is sought.
  private var earlierAudio: (index: Int32, start: Int64)? {
    guard formatName.hasPrefix("matroska"), var first = start(of: video.pointee.index) else {
      return nil
    }
    var earliest: (index: Int32, start: Int64)?
    for index in audioIndexes {
      guard let time = start(of: index), time < first else { continue }
      first = time
      earliest = (index, time.ticks(timeBase: timeBase(of: index)))
    }
    return earliest
  }

  /// Returns a stream's first timestamp in seconds, if it is known.
  private func start(of index: Int32) -> Rational? {
    guard let stamp = context.pointee.streams[Int(index)]?.pointee.start_time,
      stamp != kf_av_nopts_value()
    else { return nil }
    return Rational(stamp) * timeBase(of: index)
  }

  private func seek(to place: Int64, _ flags: Int32, of stream: Int32? = nil) -> Bool {
    guard av_seek_frame(context, stream ?? video.pointee.index, place, flags) >= 0 else {
      return false
    }
    ahead.removeAll()
    return true
  }

  /// Returns the decoding timestamp of the last keyframe at or before a time, in the video stream's
  /// time base; nil without an index like that of MOV and MP4.
  func indexedKeyFrame(before ticks: Int64) -> Int64? {
    guard formatName.hasPrefix("mov,"), isInOrder else { return nil }
    return avformat_index_get_entry_from_timestamp(video, ticks, AVSEEK_FLAG_BACKWARD)?
      .pointee.timestamp
  }

  /// Returns whether the container's index has audio that begins before `end`, and behind the latest `stamp`, or `start`.
  ///
  /// Only MOV and MP4 have an index of audio; a fragment's entries are known once its header was read.
  func hasIndexedAudio(
    _ stream: Int, after stamp: Int64?, from start: Rational, before end: Rational
  ) -> Bool {
    let number = audioIndexes[stream]
    let unit = timeBase(of: number)
    let next = indexedTime(of: number, from: stamp.map { $0 + 1 } ?? start.ticks(timeBase: unit))
    return next.map { Rational($0) * unit < end } ?? false
  }

  /// Returns the first decoding timestamp at or after another in the index of a MOV or MP4, in the
  /// stream's time base.
  func indexedTime(of index: Int32, from ticks: Int64) -> Int64? {
    guard formatName.hasPrefix("mov,"), let stream = context.pointee.streams[Int(index)] else {
      return nil
    }
    return avformat_index_get_entry_from_timestamp(stream, ticks, AVSEEK_FLAG_ANY)?
      .pointee.timestamp
  }
}

/// Whether the times in a stream's index never go back.
func isIndexInOrder(_ stream: UnsafeMutablePointer<AVStream>?) -> Bool {
  guard let stream else { return true }
  var last = Int64.min
  for place in 0..<avformat_index_get_entries_count(stream) {
    guard let entry = avformat_index_get_entry(stream, place)?.pointee else { break }
    guard entry.timestamp >= last else { return false }
    last = entry.timestamp
  }
  return true
}

/// Whether an index that has a time for each packet leaves times out, as that of an AVI does for empty frames.
private func hasHoles(inIndexOf stream: UnsafeMutablePointer<AVStream>) -> Bool {
  let count = avformat_index_get_entries_count(stream)
  guard count > 0, let first = avformat_index_get_entry(stream, 0)?.pointee.timestamp,
    let last = avformat_index_get_entry(stream, count - 1)?.pointee.timestamp
  else { return false }
  return last - first >= Int64(count)
}

extension Interruption {
  /// Makes the context's blocking calls check this flag, which must outlive the context.
  func interruptCalls(of context: UnsafeMutablePointer<AVFormatContext>) {
    kf_set_interrupt(
      context,
      { flag in
        guard let flag else { return 0 }
        return Unmanaged<Interruption>.fromOpaque(flag).takeUnretainedValue().isInterrupted ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
