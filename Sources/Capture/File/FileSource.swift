import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// Reads frames and audio from a file, URL, pipe, image or numbered images, with libavformat and libavcodec.
///
/// Opening decodes the first frame, because only a frame shows the true layout and colours. After that
/// one thread reads; any thread may call `interrupt`.
final class FileSource: MediaSource, @unchecked Sendable {
  // @unchecked: by the protocol one thread uses everything except `interruption`, which is atomic.

  private(set) var description: SourceDescription
  private(set) var report = SourceReport()

  private let interruption: Interruption
  private let demuxer: Demuxer
  /// The numbered images; nil for other inputs.
  private let numbered: NumberedImages?
  private let decoder: VideoDecoder
  private let packet: AVPacketHandle
  private let timeBase: Rational
  /// The time that players show as zero, in the source's own time, in seconds.
  private let zero: Rational
  private var conversion: FrameConversion
  private var continuity: TimeContinuity
  private var times: TimestampRepair
  private var part: SourceTrim
  private var extent: SourceExtent
  private var pending: [MediaSample] = []
  private var held = PendingAudio()
  private var audio: AudioProgress
  private let includesAudio: Bool
  private let ignoresSubtitles: Bool
  private let feedsEffects: Bool
  /// Audio for effects from before the first frame, until that frame is there.
  private var effectAudioAhead: [MediaSample] = []
  /// Subtitles from before the first frame.
  private var subtitlesAhead: [MediaSample] = []
  /// Holds frames until their audio was read; nil if frames need not wait for audio.
  private var behindAudio: FramesBehindAudio?
  /// Whether the decoder was told that no more packets come.
  private var isDraining = false
  private var state = State.reading
  private var fieldOrder: FieldOrder?
  /// Contents that no output takes; nil after the first frame has shown what it carries.
  private var leftOut: LeftOut?
  /// The target of the last seek in seconds, until its first frame has shown where the seek went.
  private var seekTarget: Rational?
  /// Decoding timestamp of the keyframe from which the start can be decoded, in the video's time base.
  ///
  /// Set if the source cannot seek but has an index.
  private var decodingStart: Int64?
  /// Whether audio of the part may be stored before the place of the last seek; not checked yet.
  private var mayMissAudio = false
  /// The requested stretch, and the time of the latest frame before it, in the source's own time.
  private let range: FrameRange?
  private var previousTime: Rational?
  /// Whether no more frames are wanted, only audio.
  private var skipsFrames = false
  /// The requested part, while a stretch of it is read again.
  private var wholePart: SourceTrim?
  /// After `reread`: frames before the first keyframe that was read are not wanted, because they may be damaged.
  private var keyWanted = KeyFrame.any

  private enum KeyFrame {
    case any
    case awaited
    case found(Rational)
  }

  private enum State {
    case reading
    /// The last wanted frame was delivered; audio up to its end may follow.
    case audioOnly
    case ended
  }

  /// Opens the input and decodes its first frame.
  init(_ request: SourceRequest, input: FileInput) throws(CaptureError) {
    interruption = request.interruption
    let name = input.name
    numbered = input.numbered?.pictures
    demuxer = try Demuxer(request, input: input)
    let stream = demuxer.video
    decoder = try VideoDecoder(
      stream, name: name, threads: request.decoderThreads, filtersPictures: !request.isOnlyChecked,
      hardware: request.hardware)
    do throws(FFmpegError) { packet = try AVPacketHandle() } catch {
      throw CaptureError("\(error)")
    }
    timeBase = Rational(stream.pointee.time_base)
    let rate = input.numbered?.rate ?? NominalRate.of(stream, in: demuxer.context)
    let orientation = Orientation(stream: stream)
    conversion = FrameConversion(
      name: name, parameters: stream.pointee.codecpar, orientation: orientation ?? .upright,
      overrides: request.tagOverrides,
      streamAspectRatio: Rational(stream.pointee.sample_aspect_ratio))
    continuity = TimeContinuity(demuxer.context)
    leftOut = LeftOut(
      of: demuxer.context, video: stream.pointee.index, audio: demuxer.audioIndexes)
    times = TimestampRepair(nominalDuration: rate.reciprocal.ticks(timeBase: timeBase))
    extent = demuxer.extent
    zero = demuxer.zero ?? extent.start ?? .zero
    part = SourceTrim(
      request, zero: zero, frameDuration: rate.reciprocal,
      decodesAudio: request.sound.isDecoded
        || request.sound.form(of: demuxer.codedAudio) != .coded)
    audio = AudioProgress(streams: demuxer.codedAudio.count)
    includesAudio = request.includesAudio
    ignoresSubtitles = request.ignoresSubtitles
    range = request.range
    feedsEffects = request.feedsEffects
    let waitsForAudio =
      request.feedsEffects || request.audioLead != nil && !demuxer.codedAudio.isEmpty
    behindAudio =
      waitsForAudio && !request.skipsFrames
      ? FramesBehindAudio(lead: request.audioLead ?? .zero) : nil
    description = SourceDescription(name: name, frameRate: rate, timeBase: timeBase)
    description.zero = zero
    if request.includesAudio {
      description.codedAudio = demuxer.codedAudio
      description.bestAudio = demuxer.bestAudio
    }
    if request.feedsEffects {
      description.audioForEffects = demuxer.bestAudio.map { demuxer.codedAudio[$0] }
    }
    description.openingCalls = [demuxer.openingCall]
    description.decoder = decoder.codecName + (decoder.hardware.map { " by \($0)" } ?? "")
    if !decoder.refusals.isEmpty, decoder.hardware == nil {
      description.notices.append(
        Notice(
          .sourceHardware, name,
          "\(name) is decoded by the processor (\(decoder.refusals.joined(separator: "; ")))"))
    }
    // A single image, known by its bytes ("png_pipe") or by its name ("image2": TGA has no signature).
    description.isStill =
      input.numbered == nil
      && (demuxer.formatName.hasSuffix("_pipe") || demuxer.formatName == "image2")
    description.creationTime = CreationTime.of(demuxer.context)
    description.subtitles = demuxer.subtitles
    if request.includesContents, !description.isStill {
      description.contents = FileContents(of: demuxer.context, video: stream)
    }
    description.timecode = Timecode(of: demuxer.context, frameRate: rate)
    if request.includesTags { description.tags = MediaTags(of: demuxer.context) }
    if !description.isStill {
      description.end = extent.duration.map { (extent.start ?? .zero) + $0 }
    }
    (description.duration, description.frameCount) = part.expected(
      extent: extent, frameRate: rate, isStill: description.isStill)
    if orientation == nil {
      description.notices.append(
        Notice(
          .sourceRotation, name,
          "\(name) has a display matrix that is not a quarter turn; the frames are left as stored"))
    }
    if let choice = demuxer.choice {
      description.notices.append(Notice(.sourceStreams, name, choice))
    }
    // Audio may be stored up to a second before the frame of the same time.
    if let start = part.start.map({ $0 - Rational(1) }), start > extent.start ?? .zero,
      range == nil || demuxer.seeksExactly
    {
      mayMissAudio = seek(to: start)
      if !mayMissAudio {
        decodingStart = demuxer.indexedKeyFrame(before: start.ticks(timeBase: timeBase))
      }
    }
    try readFirstFrame()
    skipsFrames = request.skipsFrames
    if skipsFrames, let numbered {
      // Images have no audio.
      (state, report.incomplete) = (.ended, numbered.hole)
    }
  }

  func interrupt() { interruption.interrupt() }

  func next() throws(CaptureError) -> MediaSample? {
    if pending.isEmpty, let sample = try readSample() { return sample }
    return pending.isEmpty || interruption.isInterrupted ? nil : pending.removeFirst()
  }

  /// Seeks to a place from which the frame at `time` can be decoded, as far as the container knows.
  ///
  /// - Returns: False if the source cannot seek; then all earlier frames are decoded and dropped.
  private func seek(to time: Rational) -> Bool {
    let origin = extent.start ?? .zero
    if time <= origin {
      seekTarget = nil
      return demuxer.seekToStart(origin.ticks(timeBase: timeBase))
    }
    let isDone = demuxer.seek(to: time.ticks(timeBase: timeBase))
    seekTarget = isDone ? time : nil
    return isDone
  }

  /// Seeks again, further back, if the first frame after a seek came too late or not at all.
  ///
  /// Indexes use decoding timestamps, and transport streams have no index, so a seek may end after the
  /// keyframe.
  private func seeksAgain(firstTime: Rational?) -> Bool {
    guard let start = part.start, let target = seekTarget else { return false }
    seekTarget = nil
    if let firstTime, firstTime <= start { return false }
    return readsAgain(from: start - (start - target) * Rational(2))
  }

  /// Seeks again if the start's audio is stored so far before its frame that the last seek skipped it;
  /// `time` is a frame's time.
  private func seeksForAudio(frameAt time: Rational) -> Bool {
    guard mayMissAudio, let start = part.start, time >= start else { return false }
    mayMissAudio = false
    guard let lead = audio.lead(missing: start) else { return false }
    return readsAgain(from: start - lead - .one)
  }

  private func readsAgain(from time: Rational) -> Bool {
    guard seek(to: time) else { return false }
    // Everything read so far is read again.
    held.removeAll()
    (effectAudioAhead, subtitlesAhead) = ([], [])
    audio.restart()
    behindAudio?.removeAll()
    decoder.flush()
    isDraining = false
    times.restart()
    continuity.restart()
    return true
  }

  /// Goes to another place of the part; its audio is not read there.
  private func goTo(_ time: Rational, before end: Rational?) throws(CaptureError) {
    let whole = wholePart ?? part
    wholePart = whole
    let first = whole.beginning ?? extent.start ?? .zero
    let isFromStart = time <= first
    (pending, state) = ([], .reading)
    part = whole.stretch(before: end, isFromStart: isFromStart)
    extent = demuxer.extent
    (mayMissAudio, keyWanted) = (false, .any)
    // As for the start of a part: a seek may end after the place.
    guard readsAgain(from: isFromStart ? first - .one : time) else {
      throw CaptureError(
        "\(description.name) cannot be read again from another place; copy it into a .mkv or .mp4 before"
      )
    }
    if !isFromStart { (seekTarget, keyWanted) = (nil, .awaited) }
  }

  /// Reads up to the first frame, so that the description is correct, and puts this frame before the
  /// audio that was stored ahead of it.
  private func readFirstFrame() throws(CaptureError) {
    while let sample = pending.isEmpty ? try readSample() : pending.removeFirst() {
      switch sample {
      case .subtitle: subtitlesAhead.append(sample)
      case .audioForEffects, .audio: effectAudioAhead.append(sample)
      case .codedAudio(let packet): held.hold(aheadOfFirstFrame: packet)
      case .frame(let frame):
        pending.insert(contentsOf: [sample] + effectAudioAhead, at: 0)
        effectAudioAhead = []
        pending += subtitlesAhead
        subtitlesAhead = []
        pending += held.takeAhead(wantedBy: part).map { .codedAudio($0) }
        report.audioBeforeFrames = held.leftOut
        description.warn(ofFirst: frame.format)
        if let remark = conversion.remark {
          description.notices.append(Notice(.sourceFormat, description.name, remark))
        }
        if !description.isStill, numbered == nil { description.fieldOrder = fieldOrder }
        description.leftOut =
          leftOut.take()?.words(
            except: description.contents,
            hasSubtitles: ignoresSubtitles || !demuxer.subtitles.isEmpty) ?? []
        description.range = range.map {
          DeliveredRange(
            range: $0, origin: $0.place?.origin ?? frame.time, start: frame.time,
            previous: previousTime)
        }
        return
      }
    }
    if demuxer.formatName.hasPrefix("mov,"), demuxer.isUnseekable, extent.videoEnd == .zero {
      throw CaptureError(
        """
        \(description.name) is a MOV or MP4 with its index after the frames, which cannot be read \
        \(description.name.contains("://") ? "from a server that cannot send parts of a file" : "from a pipe"); \
        give it as a file
        """)
    }
    if let incomplete = report.incomplete { throw CaptureError(incomplete) }
    throw part.refusal(
      description.name, extent: extent, zero: zero,
      shownUntil: extent.videoEnd > zero ? extent.videoEnd : description.end ?? zero)
  }

  private func readSample() throws(CaptureError) -> MediaSample? {
    while state != .ended, pending.isEmpty, !interruption.isInterrupted {
      if state == .reading, !skipsFrames, let frame = try decodedFrame() { return .frame(frame) }
      if state != .ended, let audio = try readPacket() { return audio }
    }
    return nil
  }

  /// Returns the next wanted frame of the decoder; nil if the decoder needs a packet or the state changed.
  private func decodedFrame() throws(CaptureError) -> Frame? {
    while true {
      switch try decoder.receive() {
      case .needsPacket: return nil
      case .damaged: report.damaged += 1
      case .end:
        if !seeksAgain(firstTime: nil) { end() }
        return nil
      case .frame(let decoded):
        let picture = decoded.pointer
        // The decoder repaired the frame from its neighbours.
        if picture.pointee.decode_error_flags != 0 { report.damaged += 1 }
        fieldOrder =
          fieldOrder ?? FieldOrder(picture, parameters: demuxer.video.pointee.codecpar)
        leftOut?.note(picture)
        let stamp = plausible(picture.pointee.best_effort_timestamp, timeBase)
        let shown = plausible(picture.pointee.pkt_duration, timeBase) ?? 0
        let ticks = times.repair(
          time: stamp, duration: shown > 0 ? shown : nil)
        report.predictedTimes = times.predicted
        let time = Rational(ticks) * timeBase
        let duration = shown > 0 ? Rational(shown) * timeBase : nil
        if seeksAgain(firstTime: time) || seeksForAudio(frameAt: time) { return nil }
        switch keyWanted {
        case .any: break
        case .awaited: continue
        case .found(let key): if time < key { continue }
        }
        switch part.judge(frameAt: time, duration: duration) {
        case .skip:
          previousTime = time
          continue
        case .end:
          endFrames()
          return nil
        case .take:
          if part.hasAllFrames { endFrames() } else { releaseAudio(before: time) }
          return try conversion.frame(decoded, time: time, duration: duration)
        }
      }
    }
  }

  private func releaseAudio(before time: Rational?) {
    pending += held.take(before: time, wantedBy: part).map { .codedAudio($0) }
  }

  private func endFrames() {
    state = .audioOnly
    releaseAudio(before: nil)
    endAudioIfComplete(now: nil)
  }

  /// Ends the source once the last frame is delivered and all audio up to its end was read.
  private func endAudioIfComplete(now: Rational?) {
    guard state == .audioOnly, let end = part.end, let beginning = part.beginning,
      audio.isComplete(before: end, from: beginning, now: now, in: demuxer)
    else { return }
    state = .ended
  }

  /// Reads a packet: returns wanted audio, and sends video to the decoder.
  private func readPacket() throws(CaptureError) -> MediaSample? {
    packet.clear()
    if behindAudio?.take(into: packet, reach: audio.reach, isOver: false) == true {
      sendFrame()
      return nil
    }
    let begin = MonotonicTime.now
    let result = demuxer.read(into: packet)
    report.reading += MonotonicTime.now.seconds(since: begin)
    guard result >= 0 else {
      if result == kf_averror(EAGAIN) { return nil }
      if behindAudio?.take(into: packet, reach: nil, isOver: true) == true {
        sendFrame()
        return nil
      }
      if result != kf_averror_eof(), !interruption.isInterrupted { extent.note(readError: result) }
      drain()
      return nil
    }
    let data = packet.pointer
    guard demuxer.isRead(data.pointee.stream_index) else { return nil }
    let unit = demuxer.timeBase(of: data.pointee.stream_index)
    continuity.mend(data, timeBase: unit)
    (report.jumpsBack, report.jumpsAhead) = (continuity.back, continuity.ahead)
    let stamp =
      data.pointee.pts == kf_av_nopts_value() ? data.pointee.dts : data.pointee.pts
    let time = plausible(stamp, unit).map { Rational($0) * unit }
    let duration = length(of: data, unit)
    extent.note(data, end: time.map { $0 + duration })
    defer { endAudioIfComplete(now: time) }
    if data.pointee.stream_index == demuxer.video.pointee.index {
      if let time { audio.note(frameAt: time) }
      if case .awaited = keyWanted, let time, data.pointee.flags & AV_PKT_FLAG_KEY != 0 {
        keyWanted = .found(time)
      }
      if behindAudio == nil {
        sendFrame()
      } else if state == .reading {
        do throws(FFmpegError) {
          try behindAudio?.add(moving: data, time: time)
        } catch {
          throw CaptureError("\(error)")
        }
      }
      return nil
    }
    if let stream = demuxer.subtitleIndexes.firstIndex(of: data.pointee.stream_index), let time {
      return try subtitle(data, stream: stream, time: time, duration: duration)
    }
    guard let stream = demuxer.audioIndexes.firstIndex(of: data.pointee.stream_index), let time
    else { return nil }
    let decoding = data.pointee.dts == kf_av_nopts_value() ? stamp : data.pointee.dts
    audio.note(audioAt: time, stamp: decoding, stream: stream)
    let isWanted = includesAudio && part.judge(audioAt: time, duration: duration) != .leftOut
    let feedsEffects = feedsEffects && behindAudio != nil && stream == demuxer.bestAudio
    guard isWanted || feedsEffects else { return nil }
    do throws(FFmpegError) {
      let audio = try CompressedPacket(
        moving: data, streamIndex: stream, time: time, duration: duration)
      let delivered = isWanted ? deliver(audio).map { MediaSample.codedAudio($0) } : nil
      guard feedsEffects else { return delivered }
      if let delivered { pending.insert(delivered, at: 0) }
      return .audioForEffects(audio)
    } catch {
      throw CaptureError("\(error)")
    }
  }

  /// Returns a packet of subtitles, as far as it is shown before the end of the part.
  private func subtitle(
    _ data: UnsafeMutablePointer<AVPacket>, stream: Int, time: Rational, duration: Rational
  ) throws(CaptureError) -> MediaSample? {
    var shown = duration
    if let end = part.end {
      guard time < end else { return nil }
      shown = min(shown, end - time)
    }
    do throws(FFmpegError) {
      return .subtitle(
        try CompressedPacket(moving: data, streamIndex: stream, time: time, duration: shown))
    } catch {
      throw CaptureError("\(error)")
    }
  }

  /// Sends a video packet to the decoder.
  private func sendFrame() {
    let data = packet.pointer
    if state == .reading, !skipsFrames, !precedesDecoding(data), !decoder.send(data) {
      report.damaged += 1
    }
    packet.clear()
  }

  /// Returns the duration of a packet's content in seconds.
  ///
  /// If the container does not give it, this is the time until the next packet in the index, or the
  /// codec's usual duration; else 0.
  private func length(of data: UnsafePointer<AVPacket>, _ unit: Rational) -> Rational {
    if let ticks = plausible(data.pointee.duration, unit), ticks > 0 {
      return Rational(ticks) * unit
    }
    let index = data.pointee.stream_index
    guard let parameters = demuxer.parameters(of: index),
      parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO, parameters.pointee.sample_rate > 0
    else { return .zero }
    if let begin = plausible(data.pointee.dts, unit),
      let next = demuxer.indexedTime(of: index, from: begin + 1),
      let ticks = plausible(next - begin, unit)
    {
      return Rational(ticks) * unit
    }
    let samples = av_get_audio_frame_duration2(parameters, data.pointee.size)
    return Rational(Int64(max(samples, 0)), Int64(parameters.pointee.sample_rate))
  }

  /// Returns whether the start does not need this packet, which is read only because the source cannot seek.
  private func precedesDecoding(_ data: UnsafePointer<AVPacket>) -> Bool {
    guard let decodingStart, data.pointee.dts != kf_av_nopts_value() else { return false }
    return data.pointee.dts < decodingStart
  }

  /// Returns the audio that is ready after this packet: the packet, the first one that waited for it,
  /// or nothing.
  private func deliver(_ packet: CompressedPacket) -> CompressedPacket? {
    // Before the first frame all packets wait for that frame.
    guard part.hasBegun else { return packet }
    let admitted = held.admit(packet, to: part)
    report.audioBeforeFrames = held.leftOut
    if part.isLimitedInFrames, state == .reading {
      for packet in admitted { held.hold(packet) }
      return nil
    }
    pending += admitted.dropFirst().map { .codedAudio($0) }
    return admitted.first
  }

  /// Ends the input, and lets the decoder give its remaining frames.
  private func drain() {
    // Without this check, a decoder that wants more packets after the last one would be asked forever.
    guard state == .reading, !isDraining, !skipsFrames else { return end() }
    isDraining = true
    // This call may decode a damaged frame and fail, although other frames wait after it.
    if !decoder.send(nil) { report.damaged += 1 }
  }

  /// Ends the source after the decoder's last frame.
  private func end() {
    let wasAudioOnly = state == .audioOnly
    state = .ended
    releaseAudio(before: nil)
    held.end()
    report.audioBeforeFrames = held.leftOut
    guard !interruption.isInterrupted, !wasAudioOnly else { return }
    if let last = range?.last, !part.hasAllFrames {
      report.incomplete = "\(description.name) ends before frame \(last) of --frame-range"
      return
    }
    if let hole = numbered?.hole {
      report.incomplete = hole
    } else if part.isTail {
      report.incomplete = extent.incompletenessOfTail(name: description.name)
    } else if part.isWhole, !description.isStill {
      report.incomplete = extent.incompleteness(
        name: description.name, context: demuxer.context)
    }
  }
}

extension FileSource: RereadableSource {
  var rereadRefusal: String? {
    if description.isStill { return "it is a single image; give its length with -t, such as -t 5" }
    return demuxer.canSeek ? nil : "it can be read only once, from its start; give it as a file"
  }

  func reread(from time: Rational, before end: Rational?) throws(CaptureError) {
    try goTo(time, before: end)
  }
}

/// Returns the ticks of a time or duration of at most a century.
///
/// nil for a missing value, and for values that only a damaged file has, so that no later sum exceeds
/// 64 bits.
func plausible(_ ticks: Int64, _ unit: Rational) -> Int64? {
  let limit = Rational(100 * 366 * 24 * 3600)
  let time = Rational(ticks) * unit
  return ticks != kf_av_nopts_value() && time <= limit && time >= -limit ? ticks : nil
}

/// A stream's frame rate according to its container and codec.
enum NominalRate {
  /// Returns the frame rate for encoders and messages; 25 if no plausible rate is given.
  ///
  /// Only the timestamps are reliable: a wrong guess changes only defaults (bit rate, level) that
  /// depend on it.
  static func of(
    _ stream: UnsafeMutablePointer<AVStream>, in context: UnsafeMutablePointer<AVFormatContext>
  ) -> Rational {
    let guesses = [
      av_guess_frame_rate(context, stream, nil), stream.pointee.avg_frame_rate,
      stream.pointee.r_frame_rate,
    ]
    let sensible = Rational(1, 10)...Rational(1000)
    return guesses.map { Rational($0) }.first { sensible.contains($0) } ?? Rational(25)
  }
}
