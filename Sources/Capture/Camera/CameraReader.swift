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

  /// How a buffer becomes an image.
  private enum Work {
    case place([CameraLayout], PixelBufferPool<HeapMemory>)
    case repack(PixelRepack, MosaicConversion?)
    case decode(CameraDecoder)
  }

  private let name: String
  private let format: FrameFormat
  /// Stride in bytes of the rows that are repacked.
  private let stride: Int
  private let work: Work
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
    view = try explained { () throws(FFmpegError) in try AVFrameHandle() }
    let color = try ColorDescription(
      stream.setting.colorFields, format: source, overrides: overrides, name: name)
    func repack(_ format: AVPixelFormat) throws(CaptureError) -> PixelRepack {
      try PixelRepack(
        PixelRepack.Source(format: format, width: mode.width, height: mode.height), name: name)
    }
    // A decoder's frames have formats of their own.
    var pixelFormat = PixelFormat.rgb0
    switch source.reading {
    case .unchanged(let format, let order, let isApart):
      pixelFormat = format
      let layouts = CameraLayout.all(
        format, order: order, isApart: isApart, setting: stream.setting)
      let target = BufferLayout(pixelFormat: format, width: mode.width, height: mode.height)
      work = .place(
        layouts, PixelBufferPool(layout: target) { HeapMemory(byteCount: target.byteCount) })
    case .repacked(let format): work = .repack(try repack(format), nil)
    case .decoded(let codec):
      work = .decode(
        try CameraDecoder(
          codec: codec, setting: stream.setting, overrides: overrides, name: name))
    case .converted:
      let mosaic = try MosaicConversion(stream, name: name)
      work = .repack(try repack(AV_PIX_FMT_RGB24), mosaic)
    }
    if case .repack(let repack, _) = work { pixelFormat = repack.target }
    format = FrameFormat(
      width: mode.width, height: mode.height, pixelFormat: pixelFormat, color: color)
  }

  /// The decoder's name; nil if nothing is decoded.
  var decoderName: String? {
    if case .decode(let decoder) = work { decoder.codecName } else { nil }
  }

  /// Reads a buffer, which the caller may release after that; the time is in microseconds.
  ///
  /// The frame may be that of an earlier buffer, and keeps its buffer only with `keeps`.
  func read(
    _ buffer: CameraBuffer, time: Int64, keeps: Bool
  ) throws(CaptureError) -> Result {
    switch work {
    case .decode(let decoder): return try decoder.decode(buffer.planes, time: time)
    case .place(let layouts, let pool):
      for layout in layouts {
        if keeps, let pixels = layout.pixels(in: buffer) {
          return .frame(frame(pixels, time: time), isInPlace: true)
        }
        if let pixels = try layout.copy(buffer.planes, from: pool) {
          return .frame(frame(pixels, time: time), isInPlace: false)
        }
      }
    case .repack(let repack, let mosaic):
      if let pixels = try repacked(buffer, by: repack, mosaic) {
        return .frame(frame(pixels, time: time), isInPlace: false)
      }
    }
    return .damaged
  }

  private func frame(_ pixels: PixelBuffer, time: Int64) -> Frame {
    Frame(format: format, pixels: pixels, time: Rational(time, 1_000_000))
  }

  private func repacked(
    _ buffer: CameraBuffer, by repack: PixelRepack, _ mosaic: MosaicConversion?
  ) throws(CaptureError) -> PixelBuffer? {
    guard var bytes = buffer.planes.first else { return nil }
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
