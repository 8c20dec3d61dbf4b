import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// libavcodec's GIF encoder: frames with a palette in, packets out; used by one thread at a time.
struct GIFEncoder: VideoTrack, ~Copyable {
  private let context: AVCodecContextHandle
  private let packet: AVPacketHandle
  let timeBase = Rational(1, 100)
  let frameRate: Rational

  init(_ format: FrameFormat, frameRate: Rational, options: [EncoderOption]) throws {
    let codec = try EncoderCatalog.encoder(named: AnimationFormat.gif.encoder)
    let context = try AVCodecContextHandle(codec: codec)
    let pointer = context.pointer
    pointer.pointee.width = Int32(format.width)
    pointer.pointee.height = Int32(format.height)
    pointer.pointee.pix_fmt = AV_PIX_FMT_PAL8
    pointer.pointee.time_base = AVRational(timeBase)
    pointer.pointee.framerate = AVRational(frameRate)
    pointer.pointee.sample_aspect_ratio = AVRational(format.sampleAspectRatio)
    pointer.pointee.thread_count = 1
    var dictionary: OpaquePointer?
    defer { av_dict_free(&dictionary) }
    for option in options {
      try check(av_dict_set(&dictionary, option.key, option.value, 0), "av_dict_set", "gif")
    }
    try check(avcodec_open2(pointer, codec, &dictionary), "avcodec_open2", "gif")
    let packet = try AVPacketHandle()
    self.context = context
    self.packet = packet
    self.frameRate = frameRate
  }

  func describe(to parameters: UnsafeMutablePointer<AVCodecParameters>) throws {
    try check(
      avcodec_parameters_from_context(parameters, context.pointer),
      "avcodec_parameters_from_context", "gif")
  }

  /// Takes a frame, or nil for the end; then call `receive` until it returns nil.
  func send(_ frame: UnsafeMutablePointer<AVFrame>?) throws {
    try check(avcodec_send_frame(context.pointer, frame), "avcodec_send_frame", "gif")
  }

  /// Returns the next packet if one is ready; it is valid until the next call.
  func receive() throws -> UnsafeMutablePointer<AVPacket>? {
    let result = avcodec_receive_packet(context.pointer, packet.pointer)
    if result == kf_averror(EAGAIN) || result == kf_averror_eof() { return nil }
    try check(result, "avcodec_receive_packet", "gif")
    return packet.pointer
  }
}
