import CFFmpeg
import FFmpegHandles
import Frames

/// Makes frames from a camera's buffers, in place or with one copy of the pixels.
///
/// Used by one thread.
final class CameraReader {
  /// The result of reading a buffer.
  enum Result {
    /// A frame; in place if its pixels are in the driver's buffer, which the frame keeps.
    case frame(Frame, isInPlace: Bool)
    /// The decoder has the buffer and gives its frame later.
    case pending
    /// The buffer does not hold a whole frame.
    case damaged
  }

  private let name: String
  private let format: FrameFormat
  /// Stride in bytes of the rows that are repacked.
  private let stride: Int
  private let layouts: [CameraLayout]
  private let pool: PixelBufferPool<HeapMemory>?
  private let repack: PixelRepack?
  private let decoder: CameraDecoder?
  private let mosaic: MosaicConversion?
  /// Refers to a buffer's bytes during a read.
  private let view: AVFrameHandle

  /// Prepares for the buffers of a stream.
  init(_ stream: CameraStream, overrides: ColorTags, name: String) throws(CaptureError) {
    let mode = stream.setting.mode
    guard let source = CameraFormat.of(mode.code) else {
      throw CaptureError("\(name) gives \(mode.code), which kfrec does not read")
    }
    self.name = name
    stride = stream.setting.planes.first?.stride ?? 0
    do throws(FFmpegError) { view = try AVFrameHandle() } catch { throw CaptureError("\(error)") }
    let color = try ColorDescription(
      stream.setting.colorFields, format: source, overrides: overrides, name: name)
    var layouts: [CameraLayout] = []
    var pool: PixelBufferPool<HeapMemory>?
    var repack: PixelRepack?
    var decoder: CameraDecoder?
    var mosaic: MosaicConversion?
    var pixelFormat = PixelFormat.rgb0
    switch source.reading {
    case .unchanged(let format, let order, let isApart):
      pixelFormat = format
      layouts = CameraLayout.all(
        format, order: order, isApart: isApart, setting: stream.setting)
      let target = BufferLayout(pixelFormat: format, width: mode.width, height: mode.height)
      pool = PixelBufferPool(layout: target) { HeapMemory(byteCount: target.byteCount) }
    case .repacked(let format):
      repack = try PixelRepack(
        PixelRepack.Source(format: format, width: mode.width, height: mode.height), name: name)
    case .decoded(let codec):
      decoder = try CameraDecoder(
        codec: codec, setting: stream.setting, overrides: overrides, name: name)
    case .converted:
      mosaic = try MosaicConversion(stream, name: name)
      repack = try PixelRepack(
        PixelRepack.Source(format: AV_PIX_FMT_RGB24, width: mode.width, height: mode.height),
        name: name)
    }
    if let repack { pixelFormat = repack.target }
    self.layouts = layouts
    self.pool = pool
    self.repack = repack
    self.decoder = decoder
    self.mosaic = mosaic
    format = FrameFormat(
      width: mode.width, height: mode.height, pixelFormat: pixelFormat, color: color)
  }

  /// The decoder's name; nil if nothing is decoded.
  var decoderName: String? { decoder?.codecName }

  /// Reads a buffer, which the caller may release after that; the time is in microseconds.
  ///
  /// The frame may be that of an earlier buffer, and keeps its buffer only with `keeps`.
  func read(
    _ buffer: CameraBuffer, time: Int64, keeps: Bool
  ) throws(CaptureError) -> Result {
    if let decoder { return try decoder.decode(buffer.planes, time: time) }
    var pixels: PixelBuffer?
    if let pool {
      for layout in layouts where pixels == nil {
        if keeps, let pixels = layout.pixels(in: buffer) {
          return .frame(frame(pixels, time: time), isInPlace: true)
        }
        pixels = try layout.copy(buffer.planes, from: pool)
      }
    } else {
      pixels = try repacked(buffer)
    }
    guard let pixels else { return .damaged }
    return .frame(frame(pixels, time: time), isInPlace: false)
  }

  private func frame(_ pixels: PixelBuffer, time: Int64) -> Frame {
    Frame(format: format, pixels: pixels, time: Rational(time, 1_000_000))
  }

  private func repacked(_ buffer: CameraBuffer) throws(CaptureError) -> PixelBuffer? {
    guard let repack, var bytes = buffer.planes.first else { return nil }
    let source = repack.source
    var stride = self.stride
    if let mosaic {
      guard let converted = mosaic.convert(bytes) else { return nil }
      bytes = converted
      stride = source.width * 3
    }
    let rowBytes = Int(av_image_get_linesize(source.format, Int32(source.width), 0))
    stride = max(stride, rowBytes)
    guard bytes.count >= stride * (source.height - 1) + rowBytes, let base = bytes.baseAddress
    else { return nil }
    let picture = view.pointer
    picture.pointee.width = Int32(source.width)
    picture.pointee.height = Int32(source.height)
    picture.pointee.format = source.format.rawValue
    picture.pointee.data.0 = UnsafeMutablePointer(
      mutating: base.assumingMemoryBound(to: UInt8.self))
    picture.pointee.linesize.0 = Int32(clamping: stride)
    // The bytes belong to the driver, and are not read after this.
    defer { picture.pointee.data.0 = nil }
    return try repack.repack(picture, name: name)
  }
}
