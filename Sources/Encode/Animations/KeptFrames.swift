import CFFmpeg
import FFmpegHandles
import Frames

/// Reads the frames of a lossless movie that kfrec made, one after the other.
struct KeptFrames: ~Copyable {
  private let reader: PartReader
  private let decoder: AVCodecContextHandle
  private let path: String
  /// The latest frame; its time is in 1/100 s.
  let frame: AVFrameHandle

  init(_ path: String) throws {
    let reader = try PartReader(path)
    guard let parameters = reader.stream.pointee.codecpar,
      let codec = avcodec_find_decoder(parameters.pointee.codec_id)
    else { throw EncodeError("\(path) cannot be read: this FFmpeg has no decoder for it") }
    let decoder = try AVCodecContextHandle(codec: codec)
    try check(
      avcodec_parameters_to_context(decoder.pointer, parameters), "avcodec_parameters_to_context",
      path)
    // Each packet gives its frame at once.
    decoder.pointer.pointee.thread_type = FF_THREAD_SLICE
    try check(avcodec_open2(decoder.pointer, codec, nil), "avcodec_open2", path)
    let frame = try AVFrameHandle()
    self.decoder = decoder
    self.frame = frame
    self.reader = reader
    self.path = path
  }

  /// Reads the next frame; false at the end.
  func next() throws -> Bool {
    frame.clear()
    guard try reader.next() else { return false }
    try check(
      avcodec_send_packet(decoder.pointer, reader.packet.pointer), "avcodec_send_packet", path)
    try check(
      avcodec_receive_frame(decoder.pointer, frame.pointer), "avcodec_receive_frame", path)
    guard let time = reader.shown else { throw EncodeError("\(path) has frames without times") }
    frame.pointer.pointee.pts = time.ticks(timeBase: Rational(1, 100))
    return true
  }
}
