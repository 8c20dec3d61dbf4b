import CFFmpeg
import FFmpegHandles
import Frames

/// Puts frames whose layout the GPU does not take into one that it does, without a change of any
/// number: matrix and range stay as they are.
///
/// Used by one thread.
final class PixelRepack {
  let source: AVPixelFormat
  let width: Int
  let height: Int
  let target: PixelFormat

  private let pool: PixelBufferPool<HeapMemory>
  private var components: ComponentCopy
  /// swscale, where it only moves bytes; else nil.
  private let scaler: OpaquePointer?

  /// Packed 8-bit RGB and palettes, which swscale moves exactly and fast (the tests compare).
  private static let movedBySwscale = [
    AV_PIX_FMT_RGB24, AV_PIX_FMT_BGR24, AV_PIX_FMT_0RGB, AV_PIX_FMT_0BGR, AV_PIX_FMT_PAL8,
  ]

  /// Makes a repack for frames of a format and size.
  init(source: AVPixelFormat, width: Int, height: Int, name: String) throws(CaptureError) {
    guard let target = PixelFormat(holding: source),
      let components = ComponentCopy(source: source, target: target, width: width, height: height)
    else {
      let spelled = av_get_pix_fmt_name(source).map { String(cString: $0) } ?? "unknown"
      throw CaptureError("\(name) has pixels of the format \(spelled), which kfrec cannot read")
    }
    if PixelRepack.movedBySwscale.contains(source) {
      scaler = sws_getContext(
        Int32(width), Int32(height), source, Int32(width), Int32(height), target.avPixelFormat,
        SWS_POINT, nil, nil, nil)
      guard scaler != nil else {
        throw CaptureError("\(name) has pixels that swscale cannot repack as \(target.rawValue)")
      }
    } else {
      scaler = nil
    }
    self.components = components
    self.source = source
    self.width = width
    self.height = height
    self.target = target
    let layout = BufferLayout(pixelFormat: target, width: width, height: height)
    pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount) }
  }

  deinit { sws_freeContext(scaler) }

  /// The frame's pixels in the target's layout, in pooled memory.
  func repack(
    _ frame: UnsafePointer<AVFrame>, name: String
  ) throws(CaptureError) -> PixelBuffer {
    let pixels: PixelBuffer
    do { pixels = try pool.lease().pixels } catch { throw CaptureError("\(error)") }
    guard let scaler else {
      components.copy(frame, into: pixels.planes)
      return pixels
    }
    // All that swscale is used for has one plane as a target; pal8 has a second as a source.
    let sources = withUnsafeBytes(of: frame.pointee.data) {
      $0.bindMemory(to: UnsafePointer<UInt8>?.self).prefix(4).map { $0 }
    }
    let sourceStrides = withUnsafeBytes(of: frame.pointee.linesize) {
      $0.bindMemory(to: Int32.self).prefix(4).map { $0 }
    }
    let plane = pixels.planes[0]
    let rows = sws_scale(
      scaler, sources, sourceStrides, 0, Int32(height),
      [plane.baseAddress.assumingMemoryBound(to: UInt8.self), nil, nil, nil],
      [Int32(plane.stride), 0, 0, 0])
    guard rows == Int32(height) else {
      throw CaptureError("\(name) has a frame that swscale could not repack")
    }
    return pixels
  }
}
