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

  /// What the input's name stands for.
  enum Kind { case file, sequence, standardInput }

  private(set) var description: SourceDescription
  private(set) var report = SourceReport()

  private let interruption: Interruption
  private let demuxer: Demuxer
  private let sequence: NumberedPictures?
  private let decoder: VideoDecoder
  private let packet: AVPacketHandle
  private let timeBase: Rational
  private var conversion: FrameConversion
  private var continuity: TimeContinuity
  private var times: TimestampRepair
  private var part: SourcePart
  private var extent: SourceExtent
  private var pending: [MediaSample] = []
  private var held = HeldSound()
  private var state = State.reading
  private var isInterlaced = false
  /// Where the last seek was to go, until its first frame has shown where it went.
  private var seekTarget: Rational?

  private enum State {
    case reading
    /// The last frame that is wanted is out; sound up to its end may be to come.
    case soundOnly
    case ended
  }

  /// Opens the input and decodes its first frame.
  init(_ request: SourceRequest, kind: Kind) throws(CaptureError) {
    interruption = request.interruption
    let name = kind == .standardInput ? "standard input" : request.input
    let sequenceRate = request.frameRate ?? Rational(25)
    sequence = kind == .sequence ? NumberedPictures(path: name) : nil
    demuxer = try Demuxer(
      request, kind: kind, name: name, sequenceRate: sequenceRate, sequence: sequence)
    let stream = demuxer.video
    decoder = try VideoDecoder(stream, name: name, threads: request.decoderThreads)
    do throws(FFmpegError) { packet = try AVPacketHandle() } catch {
      throw CaptureError("\(error)")
    }
    timeBase = Rational(stream.pointee.time_base)
    let rate =
      kind == .sequence ? sequenceRate : NominalRate.of(stream, in: demuxer.context)
    let orientation = Orientation(stream: stream)
    conversion = FrameConversion(
      name: name, parameters: stream.pointee.codecpar, orientation: orientation ?? .upright,
      overrides: request.tagOverrides,
      streamAspectRatio: Rational(stream.pointee.sample_aspect_ratio))
    continuity = TimeContinuity(demuxer.context)
    times = TimestampRepair(nominalDuration: rate.reciprocal.ticks(timeBase: timeBase))
    extent = demuxer.extent
    part = SourcePart(request, origin: extent.start ?? .zero, frameDuration: rate.reciprocal)
    description = SourceDescription(name: name, frameRate: rate, timeBase: timeBase)
    description.sound = demuxer.sound
    description.openingCalls = [demuxer.openingCall]
    description.decoder = decoder.codecName
    // One picture: recognised by its bytes ("png_pipe") or by its name ("image2": TGA has no mark).
    description.isStill =
      kind != .sequence
      && (demuxer.formatName.hasSuffix("_pipe") || demuxer.formatName == "image2")
    description.creationTime = CreationTime.of(demuxer.context)
    if request.includesTags { description.tags = MediaTags(of: demuxer.context) }
    if !description.isStill {
      description.end = extent.duration.map { (extent.start ?? .zero) + $0 }
    }
    (description.duration, description.frameCount) = part.expected(
      extent: extent, frameRate: rate, isStill: description.isStill)
    if orientation == nil {
      description.warnings.append(
        "\(name) has a display matrix that is no quarter turn; the picture is left as stored")
    }
    if demuxer.otherVideoStreams > 0 {
      description.warnings.append(
        "\(name) has \(demuxer.otherVideoStreams + 1) video streams; the best one is used")
    }
    // Sound of a time may be stored up to a second before its picture.
    if let start = part.start.map({ $0 - Rational(1) }), start > extent.start ?? .zero {
      seek(to: start)
    }
    try readFirstFrame()
  }

  func interrupt() { interruption.interrupt() }

  func next() throws(CaptureError) -> MediaSample? {
    if pending.isEmpty, let sample = try readSample() { return sample }
    return pending.isEmpty || interruption.isInterrupted ? nil : pending.removeFirst()
  }

  /// Goes to a place from which the frame at `time` can be decoded, as far as the container knows.
  private func seek(to time: Rational) {
    let origin = extent.start ?? .zero
    if time <= origin {
      seekTarget = nil
      demuxer.seekToStart(origin.ticks(timeBase: timeBase))
    } else {
      // A pipe cannot seek: there what comes before is decoded and dropped.
      seekTarget = demuxer.seek(to: time.ticks(timeBase: timeBase)) ? time : nil
    }
  }

  /// Seeks once more, further back, if the first frame after a seek came too late or not at all:
  /// indexes go by decoding time, and transport streams have none, so a seek may end behind the key
  /// frame.
  private func seeksAgain(firstTime: Rational?) -> Bool {
    guard let start = part.start, let target = seekTarget else { return false }
    seekTarget = nil
    if let firstTime, firstTime <= start { return false }
    seek(to: start - (start - target) * Rational(2))
    // What was read until now is read again.
    held.removeAll()
    decoder.flush()
    times.restart()
    continuity.restart()
    return true
  }

  /// Reads up to the first frame, so that the description is the truth, and puts it before the
  /// sound that was stored ahead of it.
  private func readFirstFrame() throws(CaptureError) {
    while let sample = try readSample() {
      switch sample {
      case .sound(let packet): held.hold(aheadOfFirstFrame: packet)
      case .frame(let frame):
        pending.insert(sample, at: 0)
        pending += held.takeAhead(wantedBy: part).map { .sound($0) }
        description.warn(ofFirst: frame.format, isInterlaced: isInterlaced)
        if let remark = conversion.remark { description.warnings.append(remark) }
        return
      }
    }
    // A start behind the end gives nothing, and that is no fault of the file.
    if part.start == nil {
      if demuxer.formatName.hasPrefix("mov,"), demuxer.isUnseekable {
        throw CaptureError(
          """
          \(description.name) is a MOV or MP4 with its index behind the pictures, which cannot be read \
          from a pipe; give it as a file
          """)
      }
      throw CaptureError(
        report.incomplete ?? "\(description.name) holds no picture that can be decoded")
    }
  }

  private func readSample() throws(CaptureError) -> MediaSample? {
    while state != .ended, !interruption.isInterrupted {
      if state == .reading, let frame = try decodedFrame() { return .frame(frame) }
      if state != .ended, let sound = try readPacket() { return .sound(sound) }
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
        isInterlaced = isInterlaced || picture.pointee.interlaced_frame != 0
        let stamp = plausible(picture.pointee.best_effort_timestamp, timeBase)
        let shown = plausible(picture.pointee.pkt_duration, timeBase) ?? 0
        let ticks = times.repair(
          time: stamp, duration: shown > 0 ? shown : nil)
        report.predictedTimes = times.predicted
        let time = Rational(ticks) * timeBase
        let duration = shown > 0 ? Rational(shown) * timeBase : nil
        if seeksAgain(firstTime: time) { return nil }
        switch part.judge(frameAt: time, duration: duration) {
        case .skip: continue
        case .end:
          endFrames()
          return nil
        case .take:
          if part.hasAllFrames { endFrames() }
          releaseSound(before: part.hasAllFrames ? nil : time)
          return try conversion.frame(decoded, time: time, duration: duration)
        }
      }
    }
  }

  private func releaseSound(before time: Rational?) {
    pending += held.take(before: time, wantedBy: part).map { .sound($0) }
  }

  private func endFrames() { state = demuxer.soundIndexes.isEmpty ? .ended : .soundOnly }

  /// Reads a packet; sound that is wanted is returned, pictures go to the decoder.
  private func readPacket() throws(CaptureError) -> CompressedPacket? {
    let result = demuxer.read(into: packet)
    guard result >= 0 else {
      if result == kf_averror(EAGAIN) { return nil }
      if result != kf_averror_eof(), !interruption.isInterrupted { extent.note(readError: result) }
      if state == .soundOnly { state = .ended } else if !decoder.send(nil) { end() }
      return nil
    }
    let data = packet.pointer
    continuity.mend(data, timeBase: demuxer.timeBase(of: data.pointee.stream_index))
    report.jumps = continuity.jumps
    let isVideo = data.pointee.stream_index == demuxer.video.pointee.index
    let sound = demuxer.soundIndexes.firstIndex(of: data.pointee.stream_index)
    let unit = demuxer.timeBase(of: data.pointee.stream_index)
    let stamp =
      data.pointee.pts == kf_av_nopts_value() ? data.pointee.dts : data.pointee.pts
    let time = plausible(stamp, unit).map { Rational($0) * unit }
    let duration = Rational(plausible(data.pointee.duration, unit) ?? 0) * unit
    extent.note(data, end: time.map { $0 + duration })
    if state == .soundOnly, let time, let end = part.end, time >= end + Rational(1) {
      // Interleaving keeps streams within a second; what is to come is all too late.
      state = .ended
      return nil
    }
    if isVideo {
      if state == .reading, !decoder.send(data) { report.damaged += 1 }
      return nil
    }
    guard let sound, let time, part.wants(soundAt: time, duration: duration) else { return nil }
    do throws(FFmpegError) {
      let packet = try CompressedPacket(
        moving: data, streamIndex: sound, time: time, duration: duration)
      guard part.isLimitedInFrames, state == .reading else { return packet }
      held.hold(packet)
      return nil
    } catch {
      throw CaptureError("\(error)")
    }
  }

  /// The decoder has given its last frame.
  private func end() {
    state = .ended
    releaseSound(before: nil)
    guard !interruption.isInterrupted else { return }
    if let hole = sequence?.hole {
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
