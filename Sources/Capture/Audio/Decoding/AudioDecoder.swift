import CFFmpeg
public import FFmpegHandles
public import Frames

/// Decodes the compressed audio of a source, packet by packet.
public struct AudioDecoder: ~Copyable {
  public let format: AudioFormat
  /// Largest error of a sample position, in samples, because the container rounds timestamps (Matroska:
  /// whole milliseconds).
  public let placeError: Int64
  /// Number of packets that did not decode between others that did.
  ///
  /// Where a stream was entered or cut off, one that does not decode is no loss: a broadcast that was recorded begins
  /// and ends in the middle of a packet.
  public private(set) var damaged = 0
  /// Packets that did not decode since the last one that did; nil before the first one that did.
  private var failed: Int?

  private let context: AVCodecContextHandle
  private let packet: AVPacketHandle
  private let frame: AVFrameHandle
  private let timeBase: Rational

  /// Opens a decoder; nil if FFmpeg has none for the stream.
  public init?(_ stream: CompressedStream) {
    let parameters = stream.parameters
    let format = AudioFormat(
      rate: Int(parameters.pointee.sample_rate), layout: parameters.pointee.ch_layout)
    guard format.rate > 0, format.channels > 0,
      let codec = avcodec_find_decoder(parameters.pointee.codec_id),
      let context = try? AVCodecContextHandle(codec: codec),
      avcodec_parameters_to_context(context.pointer, parameters) >= 0,
      let packet = try? AVPacketHandle(), let frame = try? AVFrameHandle()
    else { return nil }
    context.pointer.pointee.pkt_timebase = AVRational(stream.timeBase)
    context.pointer.pointee.thread_count = 1
    guard avcodec_open2(context.pointer, codec, nil) >= 0 else { return nil }
    self.format = format
    placeError = max((stream.timeBase * Rational(Int64(format.rate))).ceiling, 1)
    self.context = context
    self.packet = packet
    self.frame = frame
    timeBase = stream.timeBase
  }

  /// Decodes a packet, or with nil the remaining samples in the decoder; a damaged packet is skipped.
  ///
  /// `each` receives the position of a block's first sample (time times sample rate; nil if the block
  /// follows the previous one) and the number of samples; `sample` returns one sample of a channel,
  /// from -1 to 1.
  public mutating func decode(
    _ coded: CompressedPacket?,
    each: (_ place: Int64?, _ count: Int, _ sample: (_ channel: Int, _ number: Int) -> Float) ->
      Void
  ) {
    if let coded {
      packet.clear()
      guard (try? coded.reference(from: packet.pointer)) != nil else { return }
      packet.pointer.pointee.pts = coded.time.ticks(timeBase: timeBase)
      packet.pointer.pointee.dts = packet.pointer.pointee.pts
      guard avcodec_send_packet(context.pointer, packet.pointer) >= 0 else {
        failed? += 1
        return
      }
    } else {
      avcodec_send_packet(context.pointer, nil)
    }
    while true {
      let result = avcodec_receive_frame(context.pointer, frame.pointer)
      if result == kf_averror(EAGAIN) || result == kf_averror_eof() { return }
      // A block that does not decode is skipped; FFmpeg limits the number of such blocks at the end.
      guard result >= 0 else {
        failed? += 1
        continue
      }
      damaged += failed ?? 0
      failed = 0
      let decoded = frame.pointer
      let stamp = decoded.pointee.best_effort_timestamp
      let place =
        stamp == kf_av_nopts_value()
        ? nil : (Rational(stamp) * timeBase * Rational(Int64(format.rate)) + Rational(1, 2)).floor
      each(place, Int(decoded.pointee.nb_samples), DecodedSamples(decoded).sample)
    }
  }
}
