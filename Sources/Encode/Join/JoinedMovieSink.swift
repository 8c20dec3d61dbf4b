import FFmpegHandles
import Frames

/// Puts encoded parts, one after the other, with the audio of the whole into a video file.
///
/// Nothing is encoded again. Video packets are written up to the time of each audio packet.
final class JoinedMovieSink: MediaSink {
  private let channel: OutputChannel
  private let video: JoinedVideo
  private var frames: JoinedFrames
  private let audio: MovieAudio
  private let subtitles: MovieSubtitles
  private var muxer: MovieMuxer?
  private let request: SinkRequest

  init(
    name: String, container: Container, destination: Destination, plan: EncoderPlan,
    request: SinkRequest, audioSettings: AudioSettings, parts: MovieParts
  ) throws {
    var request = request
    audio = try MovieAudio(request, settings: audioSettings, container: container, output: name)
    subtitles = MovieSubtitles(
      request.subtitles, container: container, first: audio.streams.count)
    request.codedAudio = audio.streams + subtitles.streams
    guard let first = parts.paths.first else {
      throw EncodeError("\(name) cannot be joined from parts")
    }
    frames = try JoinedFrames(parts, timeBase: plan.timeBase, name: name)
    video = try JoinedVideo(
      plan, globalHeader: container.wantsGlobalHeader, firstPart: first, delay: frames.delay)
    self.request = request
    channel = try OutputChannel(destination, name: name, isStopped: request.isStopped)
    muxer = try MovieMuxer(
      container: container, channel: channel, encoder: video, request: request)
  }

  var encoderName: String? { nil }
  var notices: [Notice] { audio.notices }

  func write(_ frame: Frame) throws {
    throw EncodeError("\(channel.name): a frame came for an output that is joined from parts")
  }

  func write(_ packet: CompressedPacket) throws {
    let time = packet.time.ticks(timeBase: video.timeBase)
    while let next = frames.next, next <= time { try writeFrame() }
    try muxer?.write(audio: packet)
  }

  func write(subtitle packet: CompressedPacket) throws {
    try subtitles.write(packet) { try write($0) }
  }

  func write(_ block: AudioBlock) throws { try audio.encode(block) { try write($0) } }

  private func writeFrame() throws {
    try frames.pass(video) { packet, duration in
      try muxer?.write(video: packet, duration: duration, of: video)
    }
  }

  func finish() throws -> SinkReport {
    do {
      try audio.finish { try write($0) }
      while frames.next != nil {
        guard !request.isStopped() else { throw EncodeError("\(channel.name) was stopped") }
        try writeFrame()
      }
      try muxer?.finish(afterFailure: 0, of: video)
      let (count, duration) = (muxer?.frames ?? 0, muxer?.duration ?? .zero)
      let damaged = muxer?.damagedAudio ?? 0
      muxer = nil
      let bytes = try channel.complete(replacing: request.replacesExisting)
      var report = SinkReport(
        output: channel.name, frames: count, bytes: bytes, duration: duration)
      report.damagedAudio = damaged
      return report
    } catch {
      muxer = nil
      // The parts are kept.
      channel.abandon()
      throw error
    }
  }

  func abandon() {
    muxer = nil
    channel.abandon()
  }
}
