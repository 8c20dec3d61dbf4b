import CFFmpeg
import FFmpegHandles
import Frames

/// Where the bytes of a stream go, beside the muxer that makes them.
protocol StreamTransport: AnyObject {
  /// The destination of the muxer's bytes; nil if the muxer opens files itself.
  var context: UnsafeMutablePointer<AVIOContext>? { get }

  /// Frames that are kept at the destination and can be played there; nil for a destination that keeps nothing.
  var keptFrames: Int? { get }

  /// Called with the muxer before it writes.
  func attach(to muxer: UnsafeMutablePointer<AVFormatContext>)

  /// Called before each call of the muxer, which may wait.
  func beginCall()

  /// Returns the error of the muxer's last call, whose code is `code`; nil if it succeeded.
  func failure(_ code: Int32) -> (any Error)?

  /// Releases the destination, after the muxer's end; `isComplete` if everything was written.
  func close(isComplete: Bool)
}

/// A muxer for a stream, and the options that it is opened with.
struct StreamFormat {
  let container: Container
  /// The URL that the muxer gets; nil if the muxer does not open the destination.
  var url: String?
  var options: [EncoderOption] = []
}

/// Encodes frames and audio, and passes them on at once: to a server, or into the segments of a playlist.
///
/// A stream that fails keeps what was sent: `finish` reports it.
final class StreamSink: FailureNoting {
  private let name: String
  private let transport: any StreamTransport
  private var encoder: VideoEncoder
  private let audio: MovieAudio
  /// Index in `request.codedAudio` of the stream that is written.
  private let audioStream: Int?
  private let headers: ADTSHeaders?
  private var output: MuxerContext?
  private let packet: AVPacketHandle
  private var clock: TickClock
  private var durations: FrameDurations
  private var latency = LatencyMeter()
  /// Frames that the destination has, and the end of the last one in ticks.
  private var frames = 0
  private var end: Int64 = 0
  /// The ends of the frames that it does not have yet, in the order of their packets.
  private var pendingEnds: [Int64] = []
  var failure: (any Error)?
  let notices: [Notice]
  let encoderRefusals: [String]

  /// Longest time in microseconds for which one stream waits for another.
  private static let longestInterleaving: Int64 = 1_000_000

  /// Opens the encoders and writes the header; if that throws, the transport is closed.
  ///
  /// One audio stream of the request is written, and the stream cannot go on with another encoder.
  init(
    name: String, format: StreamFormat, transport: any StreamTransport, decision: EncoderDecision,
    request: SinkRequest, audioSettings: AudioSettings
  ) throws {
    var request = request
    let plan = decision.plan
    encoderRefusals = decision.refusals
    // Chapters and subtitles are by the times of the whole.
    (request.contents, request.subtitles) = (nil, [])
    // Of movies, MP4 holds what streams carry.
    audio = try MovieAudio(request, settings: audioSettings, container: .mp4, output: name)
    let streams = audio.streams
    audioStream = streams.isEmpty ? nil : min(request.bestAudio ?? 0, streams.count - 1)
    request.codedAudio = audioStream.map { [streams[$0]] } ?? []
    headers = request.codedAudio.first.map { ADTSHeaders(of: $0) }
    notices =
      streams.count > 1
      ? [
        Notice(
          .outputAudio, name,
          "\(name) has one of the \(streams.count) audio tracks of the input; write .mkv to keep all"
        )
      ] + decision.notices : decision.notices
    (self.name, self.transport) = (name, transport)
    encoder = try VideoEncoder(plan, globalHeader: format.container.wantsGlobalHeader)
    packet = try AVPacketHandle()
    clock = TickClock(timeBase: plan.timeBase)
    durations = FrameDurations(timeBase: plan.timeBase, frameRate: plan.frameRate)
    var output = try MuxerContext(
      container: format.container, to: transport.context, url: format.url, encoder: encoder,
      request: request, name: name)
    let pointer = output.pointer
    pointer.pointee.flags |= AVFMT_FLAG_FLUSH_PACKETS
    // Players of streams do not know edit lists: all streams are moved until none begins before zero.
    pointer.pointee.avoid_negative_ts = AVFMT_AVOID_NEG_TS_AUTO
    pointer.pointee.max_interleave_delta = Self.longestInterleaving
    // A playlist tells players the rate, which an encoder of constant quality does not know.
    pointer.pointee.streams[Int(output.video)]?.pointee.codecpar.pointee.bit_rate = Int64(
      plan.bitrate ?? EncoderChoice.usualBitrate(request))
    transport.attach(to: pointer)
    transport.beginCall()
    let result = output.writeHeader(
      format.container, videoScale: plan.timeBase.denominator, flags: nil, own: format.options)
    if let error = transport.failure(result) { throw error }
    self.output = consume output
  }

  var encoderName: String? { encoder.name }

  func write(_ frame: Frame) throws {
    try noteFailure {
      let ticks = clock.ticks(of: frame.time)
      durations.enter(ticks, duration: frame.duration)
      latency.enter(ticks, captured: frame.captured)
      try encoder.send(frame, ticks: ticks)
      try moveOn()
    }
  }

  private func moveOn() throws {
    while let packet = try encoder.receive() {
      let ticks = packet.pointee.pts
      packet.pointee.duration = durations.leave(ticks)
      packet.pointee.stream_index = output?.video ?? 0
      pendingEnds.append(ticks + packet.pointee.duration)
      output?.rescale(packet, from: encoder.timeBase)
      try write(packet)
      countKept()
      latency.leave(ticks)
    }
  }

  private func countKept() {
    let added = min(
      transport.keptFrames.map { $0 - frames } ?? pendingEnds.count, pendingEnds.count)
    guard added > 0 else { return }
    end = max(end, pendingEnds[..<added].max() ?? end)
    frames += added
    pendingEnds.removeFirst(added)
  }

  func write(_ compressed: CompressedPacket) throws {
    try noteFailure { try writeAudio(compressed) }
  }

  func write(_ block: AudioBlock) throws {
    try noteFailure { try audio.encode(block) { try writeAudio($0) } }
  }

  private func writeAudio(_ compressed: CompressedPacket) throws {
    guard compressed.streamIndex == audioStream, let place = output?.audio[0].place(compressed)
    else { return }
    try output?.audio[0].fill(packet, with: compressed, at: place)
    try headers?.remove(from: packet.pointer)
    try write(packet.pointer)
  }

  private func write(_ packet: UnsafeMutablePointer<AVPacket>) throws {
    guard let context = output?.pointer else { return }
    transport.beginCall()
    if let error = transport.failure(av_interleaved_write_frame(context, packet)) { throw error }
  }

  func finish() throws -> SinkReport {
    if failure == nil {
      try? noteFailure {
        try audio.finish { try writeAudio($0) }
        try encoder.drain()
        try moveOn()
      }
    }
    // An error of an earlier call is known to the recording.
    let known = failure
    var isComplete = false
    transport.beginCall()
    // After an error of the encoder the muxer still has what was encoded before.
    if let context = output?.pointer, known == nil || transport.failure(0) == nil {
      try? noteFailure {
        if let error = transport.failure(av_write_trailer(context)) { throw error }
        isComplete = true
      }
    }
    output = nil
    transport.close(isComplete: isComplete)
    countKept()
    guard frames > 0 else {
      throw failure ?? EncodeError("\(name): not one frame was encoded; check the input")
    }
    if failure == nil, !pendingEnds.isEmpty {
      failure = EncodeError(
        "\(name): \(frames + pendingEnds.count) frames were encoded and its segments hold \(frames); write .mov "
          + "instead")
    }
    var report = SinkReport(
      output: name, frames: frames, bytes: nil, duration: Rational(end) * encoder.timeBase,
      latency: latency.latency)
    report.isKept = transport.keptFrames != nil
    report.shortfall =
      known == nil ? failure.map { Notice(.outputUnfinished, name, "\($0)") } : nil
    return report
  }

  func abandon() {
    output = nil
    transport.close(isComplete: false)
  }
}
