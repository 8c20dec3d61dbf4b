import CFFmpeg
import FFmpegHandles
import Frames

/// Puts frames whose layout the GPU does not take into the nearest one that it does.
///
/// swscale moves the numbers about; matrix and range stay as they are, because both sides are told
/// the same. Used by one thread.
final class PixelRepack {
  let source: AVPixelFormat
  let width: Int
  let height: Int
  let target: PixelFormat

  private let context: OpaquePointer
  private let pool: PixelBufferPool<HeapMemory>

  /// Makes a repack for frames of a format and size.
  init(source: AVPixelFormat, width: Int, height: Int, name: String) throws(CaptureError) {
    guard let target = PixelRepack.nearest(to: source) else {
      let spelled = av_get_pix_fmt_name(source).map { String(cString: $0) } ?? "unknown"
      throw CaptureError("\(name) has pixels of the format \(spelled), which kfrec cannot read")
    }
    let flags = SWS_POINT | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP
    let context = sws_getContext(
      Int32(width), Int32(height), source, Int32(width), Int32(height), target.avPixelFormat,
      flags, nil, nil, nil)
    guard let context else {
      throw CaptureError(
        "\(name) has pixels that swscale cannot repack as \(target.rawValue)")
    }
    let coefficients = sws_getCoefficients(SWS_CS_DEFAULT)
    sws_setColorspaceDetails(context, coefficients, 1, coefficients, 1, 0, 1 << 16, 1 << 16)
    self.context = context
    self.source = source
    self.width = width
    self.height = height
    self.target = target
    let layout = BufferLayout(pixelFormat: target, width: width, height: height)
    pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount) }
  }

  deinit { sws_freeContext(context) }

  /// The frame's pixels in the target's layout, in pooled memory.
  func repack(
    _ frame: UnsafePointer<AVFrame>, name: String
  ) throws(CaptureError) -> PixelBuffer {
    let pixels: PixelBuffer
    do { pixels = try pool.lease().pixels } catch { throw CaptureError("\(error)") }
    var planes: [UnsafeMutablePointer<UInt8>?] = pixels.planes.map {
      $0.baseAddress.assumingMemoryBound(to: UInt8.self)
    }
    var strides = pixels.planes.map { Int32($0.stride) }
    while planes.count < 4 {
      planes.append(nil)
      strides.append(0)
    }
    let sourcePlanes = withUnsafeBytes(of: frame.pointee.data) {
      $0.bindMemory(to: UnsafePointer<UInt8>?.self).prefix(4).map { $0 }
    }
    let sourceStrides = withUnsafeBytes(of: frame.pointee.linesize) {
      $0.bindMemory(to: Int32.self).prefix(4).map { $0 }
    }
    let rows = sws_scale(
      context, sourcePlanes, sourceStrides, 0, Int32(height), planes, strides)
    guard rows == Int32(height) else {
      throw CaptureError("\(name) has a frame that swscale could not repack")
    }
    return pixels
  }

  /// The format that keeps the most of a layout: the same model, alpha and bits, and chroma at
  /// least as fine; nil for layouts with no such one (hardware surfaces, XYZ, float).
  static func nearest(to source: AVPixelFormat) -> PixelFormat? {
    guard let descriptor = av_pix_fmt_desc_get(source)?.pointee,
      sws_isSupportedInput(source) > 0
    else { return nil }
    let flags = descriptor.flags
    guard flags & UInt64(AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_FLOAT) == 0 else { return nil }
    let isPalette = flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0
    let isRGB = flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0 || isPalette
    let hasAlpha = flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0 || isPalette
    let depth = isPalette ? 8 : Int(descriptor.comp.0.depth)
    if isRGB {
      if depth > 8 { return .rgba64le }
      return hasAlpha ? .rgba : .rgb0
    }
    if descriptor.nb_components < 3 {
      if hasAlpha { return depth > 8 ? .rgba64le : .rgba }
      return depth <= 8 ? .gray : depth <= 10 ? .gray10le : depth <= 12 ? .gray12le : .gray16le
    }
    let factors = (1 << descriptor.log2_chroma_w, 1 << descriptor.log2_chroma_h)
    let candidates = PixelFormat.allCases.filter { format in
      let layout = format.layout
      let (x, y) = layout.chromaSubsampling
      return layout.model == .yCbCr && layout.planes.count == (hasAlpha ? 4 : 3)
        && layout.depth >= depth && x <= factors.0 && y <= factors.1
    }
    return candidates.min { cost($0, depth: depth) < cost($1, depth: depth) }
  }

  /// Bits first, then chroma that is not finer than it must be.
  private static func cost(_ format: PixelFormat, depth: Int) -> Int {
    let (x, y) = format.layout.chromaSubsampling
    return (format.layout.depth - depth) * 100 - x * y
  }
}
