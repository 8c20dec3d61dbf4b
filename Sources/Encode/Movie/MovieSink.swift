import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// Encodes frames, and puts them with the audio into a video file or a stream.
///
/// After a failed `write`, `finish` still completes a file with what was encoded before, if there
/// is any and the disk has space for the container's tables. A file that cannot be completed stays
/// under its partial name, unless it contains no frame.
final class MovieSink: FailureNoting {
  private let channel: OutputChannel
  private var encoder: VideoEncoder
  private let audio: MovieAudio
  private let subtitles: MovieSubtitles
  private var muxer: MovieMuxer?
  private var clock: TickClock
  private var durations: FrameDurations
  private let hashes: FrameHashFile?
  private var latency = LatencyMeter()
  private let replacesExisting: Bool
  private let fieldNotice: Notice?
  private let encoderNotices: [Notice]
  let encoderRefusals: [String]
  var failure: (any Error)?
  /// Nil for frames that have no times of their own in the file.
  private var times: TimesDigest?
  /// Bytes of each packet of the video, in their order; nil if nobody asks for them.
  var packetBytes: [Int]?
  /// Frames that another encoder takes over if the hardware fails, by their times in the file; nil if nothing could.
  private(set) var unwritten: UnwrittenFrames?
  /// How the hardware has failed; the file then ends before the frames that are unwritten.
  private var lost: HardwareFailure?
  /// How long each frame is shown if the container stores no times; nil if it does.
  private let frameLength: Rational?
  private let container: Container

  /// Checks that the container takes the audio, opens the encoder and the file, and writes the
  /// header; if it throws, no file remains.
  init(
    name: String, container: Container, destination: Destination, decision: EncoderDecision,
    request: SinkRequest, audioSettings: AudioSettings = AudioSettings()
  ) throws {
    var request = request
    if decision.fallback != nil { unwritten = UnwrittenFrames() }
    let plan = decision.plan
    encoderRefusals = decision.refusals
    encoderNotices =
      decision.notices
      + [plan.replaced].compactMap(\.self).map { replaced in
        Notice(
          .outputFields, name,
          "\(name) is encoded by \(plan.name), because \(replaced.encoder) of this FFmpeg fails with frames "
            + replaced.frames)
      }
    audio = try MovieAudio(request, settings: audioSettings, container: container, output: name)
    subtitles = MovieSubtitles(
      request.subtitles, container: container, first: audio.streams.count)
    request.codedAudio = audio.streams + subtitles.streams
    self.container = container
    frameLength = container.isUncompressed ? request.frameRate.reciprocal : nil
    encoder = try VideoEncoder(plan, globalHeader: container.wantsGlobalHeader)
    channel = try OutputChannel(destination, name: name, isStopped: request.isStopped)
    clock = TickClock(timeBase: plan.timeBase)
    times = container.holdsAudio ? TimesDigest(timeBase: plan.timeBase) : nil
    durations = FrameDurations(timeBase: plan.timeBase, frameRate: plan.frameRate)
    replacesExisting = request.replacesExisting
    fieldNotice = plan.fieldWarning(output: name, in: container).map {
      Notice(.outputFields, name, $0)
    }
    hashes = try request.frameHashes.map {
      try FrameHashFile(
        $0, format: plan.format, timeBase: plan.timeBase, frameRate: plan.frameRate)
    }
    muxer = try MovieMuxer(
      container: container, channel: channel, encoder: encoder, request: request)
  }

  var encoderName: String? { encoder.name }

  var notices: [Notice] {
    channel.notices + encoderNotices + audio.notices + [fieldNotice, hashNotice].compactMap(\.self)
  }

  private var hashNotice: Notice? {
    hashes?.file.recovered.map {
      Notice(
        .outputRecovered, channel.name,
        "hashes of frames of an earlier recording were not completed; they are kept as \($0)")
    }
  }

  /// New name of the file that a killed run had left in the place of this one.
  var recoveredName: String? { channel.recovered }

  /// Makes the newest frame last until a time in seconds, if it is still in the encoder.
  func extendLastFrame(to time: Rational) {
    durations.end(at: time.ticks(timeBase: clock.timeBase))
  }

  func write(_ frame: Frame) throws {
    let wasLost = lost != nil
    try noteFailure {
      let ticks = clock.ticks(of: frame.time)
      durations.enter(ticks, duration: frame.duration)
      latency.enter(ticks, captured: frame.captured)
      try onEncoder {
        unwritten?.enter(frame, ticks: ticks)
        try encoder.send(frame, ticks: ticks)
        if unwritten == nil { note(frame, ticks: ticks) }
        try moveOn()
      }
    }
    if !wasLost, let lost { throw lost }
  }

  /// Notes a frame that the file has.
  private func note(_ frame: Frame, ticks: Int64) {
    times?.add(ticks: ticks)
    hashes?.add(frame, ticks: ticks)
  }

  /// Runs calls of the encoder; if another one can take over from it, its failure ends the file, and is no failure of it.
  private func onEncoder(_ work: () throws -> Void) throws {
    guard lost == nil else { return }
    do {
      try work()
    } catch let failure as HardwareFailure where unwritten != nil {
      lost = failure
    }
    if lost == nil, unwritten?.frames.count ?? 0 > UnwrittenFrames.most {
      lost = HardwareFailure(encoder: encoder.name, code: kf_averror(ENODATA))
    }
  }

  /// Whether a frame is in the file.
  var hasFrames: Bool { muxer?.frames ?? 0 > 0 }

  func write(_ packet: CompressedPacket) throws {
    try noteFailure { try muxer?.write(audio: packet) }
  }

  func write(subtitle packet: CompressedPacket) throws {
    try noteFailure { try subtitles.write(packet) { try muxer?.write(audio: $0) } }
  }

  func write(_ block: AudioBlock) throws {
    try noteFailure { try audio.encode(block) { try muxer?.write(audio: $0) } }
  }

  /// Encodes what the encoder holds, before `finish`.
  ///
  /// If that fails, `finish` still completes the file with what was encoded before.
  func drain() throws {
    let wasLost = lost != nil
    try noteFailure {
      try onEncoder {
        try encoder.drain()
        try moveOn()
      }
    }
    if !wasLost, let lost { throw lost }
  }

  func finish() throws -> SinkReport {
    // A failure of an earlier call is known to the recording.
    let known = failure
    do {
      if known == nil {
        // What was encoded before a failure is completed here too.
        try? noteFailure {
          try audio.finish { try muxer?.write(audio: $0) }
          try onEncoder {
            try encoder.drain()
            try moveOn()
          }
        }
      }
      try muxer?.finish(afterFailure: failure == nil ? 0 : channel.writer.failure, of: encoder)
      let (frames, duration) = (muxer?.frames ?? 0, muxer?.duration ?? .zero)
      let (damagedAudio, leftOutAudio) = (muxer?.damagedAudio ?? 0, muxer?.leftOutAudio ?? 0)
      muxer = nil
      guard frames > 0 else {
        if known == nil, let failure { throw failure }
        try channel.checkWritten()
        throw EncodeError("\(channel.name): not one frame was encoded; check the input")
      }
      let bytes = try channel.complete(replacing: replacesExisting)
      var report = SinkReport(
        output: channel.name, frames: frames, bytes: bytes, duration: duration,
        latency: latency.latency)
      if let frameLength {
        report.duration = Rational(Int64(frames)) * frameLength
        if max(report.duration - duration, duration - report.duration) * Rational(2) >= frameLength
        {
          report.lostLength = duration
        }
      }
      // A failure may have cost frames that an encoder held.
      report.times = failure == nil ? times : nil
      report.damagedAudio = damagedAudio
      report.canBeRead = container.describesFrames
      report.leftOutAudio = leftOutAudio
      let hashFault = hashes?.file.finish(replacing: replacesExisting).map {
        Notice(.outputHashes, channel.name, $0)
      }
      let unfinished =
        known == nil ? failure.map { Notice(.outputUnfinished, channel.name, "\($0)") } : nil
      report.shortfall = unfinished ?? hashFault
      return report
    } catch {
      muxer = nil
      hashes?.file.abandon()
      throw channel.keepPartial(after: explained(error))
    }
  }

  /// Turns an error of libavformat into a sentence with a remedy; the encoder's errors stay as they
  /// are.
  func explained(_ error: any Error) -> any Error {
    guard let error = error as? FFmpegError else { return error }
    return EncodeError(
      "\(channel.name): \(container.title) cannot take the next packet (\(error.reason)): write "
        + "another container, or leave out the part that causes the error with --start, --duration or "
        + "--no-audio")
  }

  func abandon() {
    muxer = nil
    hashes?.file.abandon()
    channel.abandon()
  }

  /// Passes on the packets that the encoder has ready.
  private func moveOn() throws {
    while let packet = try encoder.receive() {
      guard let ready = try unwritten?.take(packet) else {
        try pass(packet)
        continue
      }
      for (ticks, frame) in ready.frames { note(frame, ticks: ticks) }
      for held in ready.packets { try pass(held.packet.pointer) }
    }
  }

  /// Passes on a packet; the muxer takes over its data.
  private func pass(_ packet: UnsafeMutablePointer<AVPacket>) throws {
    let ticks = packet.pointee.pts
    packetBytes?.append(Int(packet.pointee.size))
    try muxer?.write(video: packet, duration: durations.leave(ticks), of: encoder)
    latency.leave(ticks)
  }
}

extension EncoderPlan {
  /// Returns a warning about interlaced frames.
  fileprivate func fieldWarning(output: String, in container: Container) -> String? {
    guard let fieldOrder else { return nil }
    guard !losesFieldOrder(in: container) else {
      return """
        \(output) has interlaced frames of \(format.height) lines, which \(name) cannot encode as \
        interlaced, and is tagged progressive: moving edges look combed
        """
    }
    return """
      \(output) is interlaced as its source is, \(fieldOrder.firstField) field first, and tagged so: \
      moving edges look combed in players that do not deinterlace
      """
  }
}
