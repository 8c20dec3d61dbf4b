import CFFmpeg
import FFmpegHandles
import Frames

/// Tries an encoder with one frame, because FFmpeg may have an encoder for hardware that the machine lacks.
enum HardwareTrial {
  /// Encodes one gray frame with the settings of a recording; returns why that fails, as a part of a sentence.
  static func refusal(_ plan: EncoderPlan, globalHeader: Bool) -> String? {
    guard let encoder = HardwareEncoder(plan.codec) else { return nil }
    // FFmpeg 5.1 loses 536 bytes each time that mjpeg_qsv does not start.
    if let missing = HardwareReason.missing(encoder.family) { return missing }
    var failure: (any Error)?
    let log = loggedErrors {
      do { try encodeFrame(plan, globalHeader: globalHeader) } catch { failure = error }
    }
    guard let failure else { return nil }
    let code = (failure as? HardwareFailure)?.code ?? (failure as? FFmpegError)?.code
    guard let code else { return "\(failure)" }
    return HardwareReason.text(encoder.family, code: code, log: log)
  }

  private static func encodeFrame(_ plan: EncoderPlan, globalHeader: Bool) throws {
    var encoder = try VideoEncoder(plan, globalHeader: globalHeader)
    try encoder.send(try gray(plan.format), ticks: 0)
    var packet = try encoder.receive()
    if packet == nil {
      try encoder.drain()
      packet = try encoder.receive()
    }
    guard let packet, packet.pointee.size > 0 else {
      throw EncodeError("it gave nothing for a frame")
    }
    let needsSets = [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG4]
    if globalHeader, needsSets.contains(plan.codec.pointee.id), !encoder.hasParameterSets {
      throw EncodeError(
        "it gives its parameter sets in its frames only, and the container needs them before")
    }
  }

  /// A frame whose samples all have a value near the middle of 8 bits, or a small one of more.
  private static func gray(_ format: FrameFormat) throws -> Frame {
    let layout = BufferLayout(
      pixelFormat: format.pixelFormat, width: format.width, height: format.height)
    let pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount) }
    var pixels = try pool.lease()
    let value: UInt8 = format.pixelFormat.layout.depth > 8 ? 1 : 0x80
    for plane in pixels.layout.planes.indices {
      pixels.withBytes(ofPlane: plane) { bytes in
        _ = bytes.initializeMemory(as: UInt8.self, repeating: value)
      }
    }
    return Frame(format: format, pixels: pixels.freeze(), time: .zero)
  }
}
