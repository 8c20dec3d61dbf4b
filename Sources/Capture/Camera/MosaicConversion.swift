import CV4L2
import Frames
import V4L2Handles

/// Converts formats that neither the GPU nor libavcodec reads: sensor mosaics and makers' own formats.
///
/// It uses libv4lconvert, on one thread.
final class MosaicConversion {
  private let converter: OpaquePointer
  private var source: v4l2_format
  private var target: v4l2_format
  /// Red, green and blue bytes without padding.
  private let result: HeapMemory

  init(_ stream: CameraStream, name: String) throws(CaptureError) {
    guard !stream.setting.isMultiplanar, let converter = v4lconvert_create(stream.device.descriptor)
    else {
      throw CaptureError(
        "\(name) gives \(stream.setting.mode.code), which libv4lconvert cannot convert here; choose "
          + "another --camera-format")
    }
    self.converter = converter
    source = stream.setting.granted
    target = v4l2_format()
    target.type = source.type
    target.fmt.pix.width = source.fmt.pix.width
    target.fmt.pix.height = source.fmt.pix.height
    target.fmt.pix.pixelformat = FourCC("RGB3").rawValue
    target.fmt.pix.field = source.fmt.pix.field
    target.fmt.pix.bytesperline = source.fmt.pix.width * 3
    target.fmt.pix.sizeimage = target.fmt.pix.bytesperline * source.fmt.pix.height
    result = HeapMemory(byteCount: Int(target.fmt.pix.sizeimage))
  }

  deinit { v4lconvert_destroy(converter) }

  /// Returns the image as red, green and blue bytes, valid until the next call; nil if it cannot be read.
  func convert(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard let base = bytes.baseAddress else { return nil }
    let count = v4lconvert_convert(
      converter, &source, &target,
      UnsafeMutablePointer(mutating: base.assumingMemoryBound(to: UInt8.self)),
      Int32(clamping: bytes.count), result.baseAddress.assumingMemoryBound(to: UInt8.self),
      Int32(clamping: result.byteCount))
    guard count == Int32(clamping: result.byteCount) else { return nil }
    return UnsafeRawBufferPointer(start: result.baseAddress, count: result.byteCount)
  }
}
