import CFFmpeg
import FFmpegHandles
import Frames

/// Decodes a camera's compressed buffers with libavcodec, one frame per buffer.
///
/// Used by one thread.
final class CameraDecoder {
  private let decoder: VideoDecoder
  private let packet: AVPacketHandle
  private let parameters: UnsafeMutablePointer<AVCodecParameters>
  /// Memory for the packets, which the decoder may keep for a while.
  private var pool: OpaquePointer?
  private var poolBytes = 0
  private var conversion: FrameConversion
  private var end = JPEGEnd()

  /// Pixels per second; above this, one thread is too slow.
  private static let limitOfOneThread = 1920 * 1080 * 31

  init(
    codec: AVCodecID, setting: CameraSetting, overrides: ColorTags, name: String
  ) throws(CaptureError) {
    let mode = setting.mode
    let rate = mode.frameRate?.doubleValue ?? 30
    // Each additional thread delays a frame by another frame: one thread is best if it is fast enough.
    let isHeavy = Double(mode.width * mode.height) * rate > Double(CameraDecoder.limitOfOneThread)
    decoder = try VideoDecoder(codec: codec, name: name, threads: isHeavy ? 4 : 1)
    packet = try explained { () throws(FFmpegError) in try AVPacketHandle() }
    parameters = try explained { () throws(FFmpegError) in
      try check(avcodec_parameters_alloc(), "avcodec_parameters_alloc", name)
    }
    conversion = FrameConversion(
      name: name, parameters: parameters, orientation: .upright, overrides: overrides,
      streamAspectRatio: .zero)
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVCodecParameters>? = parameters
    avcodec_parameters_free(&pointer)
    av_buffer_pool_uninit(&pool)
  }

  var codecName: String { decoder.codecName }

  /// Decodes a buffer; the result may be the frame of an earlier buffer.
  func decode(
    _ planes: [UnsafeRawBufferPointer], time: Int64
  ) throws(CaptureError) -> CameraReader.Result {
    guard let bytes = planes.first, bytes.count > 0, end.isWhole(bytes) else { return .damaged }
    try fill(bytes)
    packet.pointer.pointee.pts = time
    guard decoder.send(packet.pointer) else { return .damaged }
    switch try decoder.receive() {
    case .needsPacket: return .pending
    case .end: return .pending
    case .damaged: return .damaged
    case .frame(let decoded, _):
      guard decoded.pointer.pointee.decode_error_flags == 0 else { return .damaged }
      let stamp = decoded.pointer.pointee.pts
      return .frame(
        try conversion.frame(
          decoded, time: Rational(stamp == kf_av_nopts_value() ? time : stamp, 1_000_000),
          duration: nil), isInPlace: false)
    }
  }

  /// Copies a buffer's bytes into the packet.
  private func fill(_ bytes: UnsafeRawBufferPointer) throws(CaptureError) {
    packet.clear()
    let needed = bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)
    if poolBytes < needed {
      av_buffer_pool_uninit(&pool)
      // Leaves room for larger buffers.
      poolBytes = needed * 2
      pool = av_buffer_pool_init(poolBytes, nil)
    }
    guard let pool, let memory = av_buffer_pool_get(pool), let data = memory.pointee.data,
      let source = bytes.baseAddress
    else {
      throw CaptureError("a camera's frame cannot be decoded: out of memory")
    }
    let target = UnsafeMutableRawPointer(data)
    target.copyMemory(from: source, byteCount: bytes.count)
    (target + bytes.count).initializeMemory(
      as: UInt8.self, repeating: 0, count: Int(AV_INPUT_BUFFER_PADDING_SIZE))
    packet.pointer.pointee.buf = memory
    packet.pointer.pointee.data = memory.pointee.data
    packet.pointer.pointee.size = Int32(clamping: bytes.count)
    packet.pointer.pointee.flags = AV_PKT_FLAG_KEY
  }
}

/// Checks that a camera's JPEG images are complete: libavcodec shows missing parts as gray, without an error.
struct JPEGEnd {
  /// Whether any image had an end marker; some cameras omit it, and all their images would seem cut off.
  private var isMarked = false

  /// Number of bytes to search: after the marker cameras leave zeros, or old contents of the buffer.
  private static let tail = 4096

  /// Returns false if the image lacks the end marker though earlier images had it.
  mutating func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var end = bytes.count
    while end > 0, bytes[end - 1] == 0 { end -= 1 }
    // Inside an image 0xff is always followed by 0 or the number of a marker; 0xd9 is the end marker.
    var place = end - 1
    while place > 0, place > end - JPEGEnd.tail {
      if bytes[place] == 0xd9, bytes[place - 1] == 0xff {
        isMarked = true
        return true
      }
      place -= 1
    }
    return !isMarked
  }
}
