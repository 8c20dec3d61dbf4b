import CFFmpeg
import FFmpegHandles
import Frames

/// Converts frames to a layout that the GPU accepts, without a change of any number: matrix and range stay.
///
/// Numbers that are not a screen's colours (floating point, XYZ, a sensor's mosaic) become RGB of 8 or
/// 16 bits. Used by one thread.
final class PixelRepack {
  /// The frames for which the repack is made.
  struct Source: Hashable {
    var format: AVPixelFormat
    var width: Int
    var height: Int
    /// The meaning of floating-point numbers.
    var meaning = LightCopy.Meaning()
    /// The layout to make of it; nil for the one that fits best.
    var target: PixelFormat?
  }

  let source: Source
  let target: PixelFormat

  private let pool: PixelBufferPool<HeapMemory>
  // One of these does the work: the scaler, if there is one.
  private var components: ComponentCopy?
  private var light: LightCopy?
  private let scaler: ScalerHandle?

  /// Packed 8-bit RGB and palettes, which swscale moves exactly and fast (tests compare the results).
  private static let movedBySwscale = [
    AV_PIX_FMT_RGB24, AV_PIX_FMT_BGR24, AV_PIX_FMT_0RGB, AV_PIX_FMT_0BGR, AV_PIX_FMT_PAL8,
  ]

  /// Prepares for frames of a format and size.
  init(_ source: Source, name: String) throws(CaptureError) {
    let (format, width, height) = (source.format, source.width, source.height)
    if let target = source.target {
      self.target = target
      scaler = try PixelRepack.scaler(source, to: target, name: name)
    } else if let light = LightCopy(
      source: format, width: width, height: height, meaning: source.meaning)
    {
      target = light.target
      self.light = light
      scaler = nil
    } else if let target = PixelFormat(converted: format, width: width, height: height) {
      self.target = target
      scaler = try PixelRepack.scaler(source, to: target, name: name)
    } else if let target = PixelFormat(holding: format),
      let components = ComponentCopy(source: format, target: target, width: width, height: height)
    {
      self.target = target
      self.components = components
      scaler =
        PixelRepack.movedBySwscale.contains(format)
        ? try PixelRepack.scaler(source, to: target, name: name) : nil
    } else {
      let spelled = av_get_pix_fmt_name(format).map { String(cString: $0) } ?? "unknown"
      throw CaptureError("\(name) has the pixel format \(spelled), which kfrec cannot read")
    }
    self.source = source
    let layout = BufferLayout(pixelFormat: target, width: width, height: height)
    pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount) }
  }

  /// How the numbers are changed, as the rest of a sentence; nil if they stay.
  var remark: String? {
    if codesLight {
      return """
        has linear light: it is coded with the sRGB curve, and what is brighter than white becomes white
        """
    }
    let flags = av_pix_fmt_desc_get(source.format)?.pointee.flags ?? 0
    guard flags & UInt64(AV_PIX_FMT_FLAG_BAYER) != 0 else { return nil }
    return """
      is the mosaic of a sensor: its colours are as the sensor saw them, without a white balance
      """
  }

  /// Whether the repack encodes the source's linear light with sRGB's curve.
  var codesLight: Bool { light != nil && source.meaning.isLinear }

  private static func scaler(
    _ source: Source, to target: PixelFormat, name: String
  ) throws(CaptureError) -> ScalerHandle {
    guard
      let scaler = ScalerHandle(
        from: (source.width, source.height, source.format),
        to: (source.width, source.height, target.avPixelFormat), filter: kf_sws_point)
    else {
      throw CaptureError("\(name) has pixels that swscale cannot repack as \(target.rawValue)")
    }
    return scaler
  }

  /// Returns the frame's pixels in the target's layout, in pooled memory.
  func repack(
    _ frame: UnsafePointer<AVFrame>, name: String
  ) throws(CaptureError) -> PixelBuffer {
    var pixels: WritablePixels<HeapMemory>
    do { pixels = try pool.lease() } catch { throw CaptureError("\(error)") }
    if let rows = scaler?.scale(frame, to: &pixels) {
      guard rows == Int32(source.height) else {
        throw CaptureError("\(name) has a frame that swscale could not repack")
      }
    } else {
      light?.copy(frame, into: &pixels)
      components?.copy(frame, into: &pixels)
    }
    return pixels.freeze()
  }
}
