import CFFmpeg
import FFmpegHandles
import Frames

extension PixelFormat {
  /// The RGB that swscale makes of what is no RGB, YCbCr or gray: of XYZ, and of a sensor's mosaic, which
  /// has whole groups of two by two.
  ///
  /// Nil for any other layout.
  init?(converted source: AVPixelFormat, width: Int, height: Int) {
    guard let descriptor = av_pix_fmt_desc_get(source)?.pointee else { return nil }
    if source == AV_PIX_FMT_XYZ12LE || source == AV_PIX_FMT_XYZ12BE {
      self = .gbrp16le
    } else if descriptor.flags & UInt64(AV_PIX_FMT_FLAG_BAYER) != 0, width % 2 == 0, height % 2 == 0
    {
      // A part's depth is that of the group.
      self = descriptor.comp.0.depth > 2 ? .gbrp16le : .rgb0
    } else {
      return nil
    }
  }

  /// The format that holds all that another layout does: the same model, alpha and bits, and chroma
  /// at least as fine.
  ///
  /// Gray with alpha becomes RGB with alpha, since no gray format of the GPU has any. Nil for layouts
  /// whose numbers no format holds: surfaces of hardware, and what `LightCopy` and
  /// `init(converted:width:height:)` are for (floating point, XYZ, sensor mosaics).
  init?(holding source: AVPixelFormat) {
    guard let descriptor = av_pix_fmt_desc_get(source)?.pointee,
      source != AV_PIX_FMT_XYZ12LE, source != AV_PIX_FMT_XYZ12BE
    else { return nil }
    func has(_ flag: Int32) -> Bool { descriptor.flags & UInt64(flag) != 0 }
    guard !has(AV_PIX_FMT_FLAG_HWACCEL), !has(AV_PIX_FMT_FLAG_FLOAT), !has(AV_PIX_FMT_FLAG_BAYER)
    else { return nil }
    let isPalette = has(AV_PIX_FMT_FLAG_PAL)
    let hasAlpha = has(AV_PIX_FMT_FLAG_ALPHA) || isPalette
    let depth = Int(max(descriptor.comp.0.depth, descriptor.comp.1.depth))
    let model: PixelLayout.Model =
      has(AV_PIX_FMT_FLAG_RGB) || isPalette || descriptor.nb_components == 2
      ? .rgb : descriptor.nb_components == 1 ? .gray : .yCbCr
    let factors = (1 << descriptor.log2_chroma_w, 1 << descriptor.log2_chroma_h)
    let candidates = PixelFormat.allCases.filter { format in
      let layout = format.layout
      guard layout.model == model, layout.depth >= depth else { return false }
      switch model {
      case .gray: return true
      case .rgb:
        // Planes for more than 8 bits without alpha, because only they come in each depth.
        if hasAlpha { return format == .rgba || format == .rgba64le }
        return depth <= 8 ? format == .rgb0 : layout.planes.count == 3
      case .yCbCr:
        let (x, y) = layout.chromaSubsampling
        return layout.planes.count == (hasAlpha ? 4 : 3) && x <= factors.0 && y <= factors.1
      }
    }
    // Bits first, then chroma that is not finer than it must be.
    func cost(_ format: PixelFormat) -> Int {
      let (x, y) = format.layout.chromaSubsampling
      return (format.layout.depth - depth) * 100 - x * y
    }
    guard let best = candidates.min(by: { cost($0) < cost($1) }) else { return nil }
    self = best
  }
}
