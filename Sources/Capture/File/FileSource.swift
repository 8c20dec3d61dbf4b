import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// Frames and sound of a file, URL, pipe, picture or numbered pictures, through libavformat and
/// libavcodec.
///
/// Opening decodes the first frame, because only it tells the true layout and colours. From then on
/// one thread reads; `interrupt` may come from any.
final class FileSource: MediaSource, @unchecked Sendable {
  // @unchecked: all but `interruption`, which is atomic, is one thread's business by the protocol.

  private(set) var description: SourceDescription
  private(set) var report = SourceReport()

  private let interruption: Interruption
  private let demuxer: Demuxer
  /// Nil where they are none.
  private let numbered: NumberedImages?
  private let decoder: VideoDecoder
  private let packet: AVPacketHandle
  private let timeBase: Rational
  /// What players call the source's zero, in its own time.
  private let zero: Rational
  private var conversion: FrameConversion
  private var continuity: TimeContinuity
  private var times: TimestampRepair
  private var part: SourceTrim
  private var extent: SourceExtent
  private var pending: [MediaSample] = []
  private var held = PendingAudio()
  private var sound: AudioProgress
  private let includesAudio: Bool
  /// What effects hear of the time before the first frame, until that is there.
  private var heardAhead: [MediaSample] = []
  /// Nil where pictures need not wait for sound.
  private var behindSound: FramesBehindAudio?
  /// The decoder was told that no more packets come.
  private var isDraining = false
  private var state = State.reading
  private var fieldOrder: FieldOrder?
  /// Until the first frame has said what it carries.
  private var leftOut: LeftOut?
  /// Where the last seek was to go, until its first frame has shown where it went.
  private var seekTarget: Rational?
  /// Where the source cannot seek, but its index tells from which key frame the start can be decoded:
  /// that one's decoding time in ticks.
  private var decodingStart: Int64?
  /// The part was sought, and whether its sound was stored before that place is not looked at yet.
  private var mayMissSound = false

  private enum State {
    case reading
    /// The last frame that is wanted is out; sound up to its end may be to come.
    case soundOnly
    case ended
  }

  /// Opens the input and decodes its first frame.
  init(_ request: SourceRequest, input: FileInput) throws(CaptureError) {
    interruption = request.interruption
    let name = input.name
    numbered = input.numbered?.pictures
    demuxer = try Demuxer(request, input: input)
    let stream = demuxer.video
    decoder = try VideoDecoder(stream, name: name, threads: request.decoderThreads)
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
      of: demuxer.context, video: stream.pointee.index, sound: demuxer.audioIndexes)
    times = TimestampRepair(nominalDuration: rate.reciprocal.ticks(timeBase: timeBase))
    extent = demuxer.extent
    zero = demuxer.zero ?? extent.start ?? .zero
    part = SourceTrim(request, zero: zero, frameDuration: rate.reciprocal)
    sound = AudioProgress(streams: demuxer.sound.count)
    includesAudio = request.includesAudio
    behindSound = request.isHeard ? FramesBehindAudio() : nil
    description = SourceDescription(name: name, frameRate: rate, timeBase: timeBase)
    if request.includesAudio {
      description.sound = demuxer.sound
      description.bestAudio = demuxer.bestAudio
    }
    if request.isHeard { description.heard = demuxer.bestAudio.map { demuxer.sound[$0] } }
    description.openingCalls = [demuxer.openingCall]
    description.decoder = decoder.codecName
    // One picture: recognised by its bytes ("png_pipe") or by its name ("image2": TGA has no mark).
    description.isStill =
      input.numbered == nil
      && (demuxer.formatName.hasSuffix("_pipe") || demuxer.formatName == "image2")
    description.creationTime = CreationTime.of(demuxer.context)
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
          "\(name) has a display matrix that is no quarter turn; the picture is left as stored"))
    }
    if let choice = demuxer.choice {
      description.notices.append(Notice(.sourceStreams, name, choice))
    }
    // Sound of a time may be stored up to a second before its picture.
    if let start = part.start.map({ $0 - Rational(1) }), start > extent.start ?? .zero {
      mayMissSound = seek(to: start)
      if !mayMissSound {
        decodingStart = demuxer.indexedKeyFrame(before: start.ticks(timeBase: timeBase))
      }
    }
    try readFirstFrame()
  }

  func interrupt() { interruption.interrupt() }

  func next() throws(CaptureError) -> MediaSample? {
    if pending.isEmpty, let sample = try readSample() { return sample }
    return pending.isEmpty || interruption.isInterrupted ? nil : pending.removeFirst()
  }

  /// Goes to a place from which the frame at `time` can be decoded, as far as the container knows.
  ///
  /// - Returns: False where the source cannot seek: there what comes before is decoded and dropped.
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

  /// Seeks once more, further back, if the first frame after a seek came too late or not at all:
  /// indexes go by decoding time, and transport streams have none, so a seek may end behind the key
  /// frame.
  private func seeksAgain(firstTime: Rational?) -> Bool {
    guard let start = part.start, let target = seekTarget else { return false }
    seekTarget = nil
    if let firstTime, firstTime <= start { return false }
    return readsAgain(from: start - (start - target) * Rational(2))
  }

  /// Seeks once more if sound of the start is stored so far ahead of its picture that the last seek
  /// has passed it over; `time` is that of a frame.
  private func seeksForSound(frameAt time: Rational) -> Bool {
    guard mayMissSound, let start = part.start, time >= start else { return false }
    mayMissSound = false
    guard let lead = sound.lead(missing: start) else { return false }
    return readsAgain(from: start - lead - .one)
  }

  private func readsAgain(from time: Rational) -> Bool {
    guard seek(to: time) else { return false }
    // What was read until now is read again.
    held.removeAll()
    heardAhead = []
    sound.restart()
    behindSound?.removeAll()
    decoder.flush()
    isDraining = false
    times.restart()
    continuity.restart()
    return true
  }

  /// Reads up to the first frame, so that the description is the truth, and puts it before the
  /// sound that was stored ahead of it.
  private func readFirstFrame() throws(CaptureError) {
    while let sample = pending.isEmpty ? try readSample() : pending.removeFirst() {
      switch sample {
      case .heard: heardAhead.append(sample)
      case .sound(let packet): held.hold(aheadOfFirstFrame: packet)
      case .frame(let frame):
        pending.insert(contentsOf: [sample] + heardAhead, at: 0)
        heardAhead = []
        pending += held.takeAhead(wantedBy: part).map { .sound($0) }
        report.soundBeforePictures = held.leftOut
        description.warn(ofFirst: frame.format)
        if let remark = conversion.remark {
          description.notices.append(Notice(.sourceFormat, description.name, remark))
        }
        if !description.isStill, numbered == nil { description.fieldOrder = fieldOrder }
        description.leftOut = leftOut.take()?.words ?? []
        return
      }
    }
    if demuxer.formatName.hasPrefix("mov,"), demuxer.isUnseekable, extent.videoEnd == .zero {
      throw CaptureError(
        """
        \(description.name) is a MOV or MP4 with its index behind the pictures, which cannot be read \
        \(description.name.contains("://") ? "from a server that sends no parts of files" : "from a pipe"); \
        give it as a file
        """)
    }
    if let incomplete = report.incomplete { throw CaptureError(incomplete) }
    guard let start = part.start, let offset = part.offset else {
      throw CaptureError("\(description.name) holds no picture that can be decoded")
    }
    let shown = extent.videoEnd > zero ? extent.videoEnd : description.end ?? zero
    throw CaptureError(
      shown <= start
        ? """
        \(description.name) lasts \(extent.seconds(shown - zero)) seconds, and --start \
        \(extent.seconds(offset)) lies behind its last picture; start earlier
        """
        : """
        \(description.name) has no picture from --start \(extent.seconds(offset)) on that can be \
        decoded; start earlier
        """)
  }

  private func readSample() throws(CaptureError) -> MediaSample? {
    while state != .ended, pending.isEmpty, !interruption.isInterrupted {
      if state == .reading, let frame = try decodedFrame() { return .frame(frame) }
      if state != .ended, let sound = try readPacket() { return sound }
    }
    return nil
  }

  /// The next wanted frame that the decoder has; nil when it needs a packet or the state changed.
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
        // The decoder mended it from its neighbours.
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
        if seeksAgain(firstTime: time) || seeksForSound(frameAt: time) { return nil }
        switch part.judge(frameAt: time, duration: duration) {
        case .skip: continue
        case .end:
          endFrames()
          return nil
        case .take:
          if part.hasAllFrames { endFrames() } else { releaseSound(before: time) }
          return try conversion.frame(decoded, time: time, duration: duration)
        }
      }
    }
  }

  private func releaseSound(before time: Rational?) {
    pending += held.take(before: time, wantedBy: part).map { .sound($0) }
  }

  private func endFrames() {
    state = .soundOnly
    releaseSound(before: nil)
    endSoundIfComplete(now: nil)
  }

  /// Ends where the last frame is out, and all sound until then too.
  private func endSoundIfComplete(now: Rational?) {
    guard state == .soundOnly, let end = part.end, let beginning = part.beginning,
      sound.isComplete(before: end, from: beginning, now: now, in: demuxer)
    else { return }
    state = .ended
  }

  /// Reads a packet; sound that is wanted is returned, pictures go to the decoder.
  private func readPacket() throws(CaptureError) -> MediaSample? {
    packet.clear()
    if behindSound?.take(into: packet, reach: sound.reach, isOver: false) == true {
      sendPicture()
      return nil
    }
    let result = demuxer.read(into: packet)
    guard result >= 0 else {
      if result == kf_averror(EAGAIN) { return nil }
      if behindSound?.take(into: packet, reach: nil, isOver: true) == true {
        sendPicture()
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
    defer { endSoundIfComplete(now: time) }
    if data.pointee.stream_index == demuxer.video.pointee.index {
      if let time { sound.note(pictureAt: time) }
      if behindSound == nil {
        sendPicture()
      } else if state == .reading {
        do throws(FFmpegError) {
          try behindSound?.add(moving: data, time: time)
        } catch {
          throw CaptureError("\(error)")
        }
      }
      return nil
    }
    guard let stream = demuxer.audioIndexes.firstIndex(of: data.pointee.stream_index), let time
    else { return nil }
    let decoding = data.pointee.dts == kf_av_nopts_value() ? stamp : data.pointee.dts
    sound.note(soundAt: time, stamp: decoding, stream: stream)
    let isWanted = includesAudio && part.judge(soundAt: time, duration: duration) != .leftOut
    let isHeard = behindSound != nil && stream == demuxer.bestAudio
    guard isWanted || isHeard else { return nil }
    do throws(FFmpegError) {
      let sound = try CompressedPacket(
        moving: data, streamIndex: stream, time: time, duration: duration)
      let delivered = isWanted ? deliver(sound).map { MediaSample.sound($0) } : nil
      guard isHeard else { return delivered }
      if let delivered { pending.insert(delivered, at: 0) }
      return .heard(sound)
    } catch {
      throw CaptureError("\(error)")
    }
  }

  /// Hands the packet of a picture to the decoder.
  private func sendPicture() {
    let data = packet.pointer
    if state == .reading, !precedesDecoding(data), !decoder.send(data) { report.damaged += 1 }
    packet.clear()
  }

  /// How long what a packet holds lasts, in seconds; where the container does not say, until the next
  /// one by its index, or what is usual for the codec; else 0.
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

  /// The start needs nothing of this packet, which was read only because the source cannot seek.
  private func precedesDecoding(_ data: UnsafePointer<AVPacket>) -> Bool {
    guard let decodingStart, data.pointee.dts != kf_av_nopts_value() else { return false }
    return data.pointee.dts < decodingStart
  }

  /// What of a packet of sound is ready now: it, the first of those that waited for it, or nothing.
  private func deliver(_ packet: CompressedPacket) -> CompressedPacket? {
    // Before the first frame all of it waits for that.
    guard part.hasBegun else { return packet }
    let admitted = held.admit(packet, to: part)
    report.soundBeforePictures = held.leftOut
    if part.isLimitedInFrames, state == .reading {
      for packet in admitted { held.hold(packet) }
      return nil
    }
    pending += admitted.dropFirst().map { .sound($0) }
    return admitted.first
  }

  /// No more packets come: takes from the decoder what it still has.
  private func drain() {
    // A decoder that wants more packets after the last one would be asked without an end.
    guard state == .reading, !isDraining else { return end() }
    isDraining = true
    // This may decode, and fail at a picture behind which others wait.
    if !decoder.send(nil) { report.damaged += 1 }
  }

  /// The decoder has given its last frame.
  private func end() {
    let wasSoundOnly = state == .soundOnly
    state = .ended
    releaseSound(before: nil)
    held.end()
    report.soundBeforePictures = held.leftOut
    guard !interruption.isInterrupted, !wasSoundOnly else { return }
    if let hole = numbered?.hole {
      report.incomplete = hole
    } else if part.isWhole, !description.isStill {
      report.incomplete = extent.incompleteness(
        name: description.name, context: demuxer.context)
    }
  }
}

/// The ticks of a time or duration of at most a century.
///
/// Nil for none, and for what only a damaged file holds, so that no sum behind here leaves 64 bits.
private func plausible(_ ticks: Int64, _ unit: Rational) -> Int64? {
  let limit = Rational(100 * 366 * 24 * 3600)
  let time = Rational(ticks) * unit
  return ticks != kf_av_nopts_value() && time <= limit && time >= -limit ? ticks : nil
}
