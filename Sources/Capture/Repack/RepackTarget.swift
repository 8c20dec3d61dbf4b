import CFFmpeg
import FFmpegHandles
import Frames

extension PixelFormat {
  /// Finds the RGB format that swscale makes from XYZ, and from a sensor's mosaic of whole 2x2 groups.
  ///
  /// nil for any other layout.
  init?(converted source: AVPixelFormat, width: Int, height: Int) {
    guard let descriptor = av_pix_fmt_desc_get(source)?.pointee else { return nil }
    if source == AV_PIX_FMT_XYZ12LE || source == AV_PIX_FMT_XYZ12BE {
      self = .gbrp16le
    } else if descriptor.flags & UInt64(AV_PIX_FMT_FLAG_BAYER) != 0, width % 2 == 0, height % 2 == 0
    {
      // FFmpeg spreads a component's bits over the pixels of the group: 8-bit red has a depth of 2.
      self = descriptor.comp.0.depth > 2 ? .gbrp16le : .rgb0
    } else {
      return nil
    }
  }

  /// Finds the format that holds all values of another layout: same model, alpha and bits, chroma at
  /// least as fine.
  ///
  /// Gray with alpha becomes RGB with alpha, because the GPU has no gray format with alpha. nil for
  /// layouts whose numbers no format holds: hardware surfaces, and the layouts that `LightCopy` and
  /// `init(converted:width:height:)` convert (floating point, XYZ, sensor mosaics).
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
      guard layout.model == model, layout.depth >= depth, !format.isForResultsOnly
      else { return false }
      switch model {
      case .gray: return true
      case .rgb:
        // More than 8 bits without alpha need planes, because only planar formats come in each depth.
        if hasAlpha { return format == .rgba || format == .rgba64le }
        return depth <= 8 ? format == .rgb0 : layout.planes.count == 3
      case .yCbCr:
        let (x, y) = layout.chromaSubsampling
        return layout.planes.count == (hasAlpha ? 4 : 3) && x <= factors.0 && y <= factors.1
      }
    }
    // Bits first, then chroma that is not finer than necessary.
    func cost(_ format: PixelFormat) -> Int {
      let (x, y) = format.layout.chromaSubsampling
      return (format.layout.depth - depth) * 100 - x * y
    }
    guard let best = candidates.min(by: { cost($0) < cost($1) }) else { return nil }
    self = best
  }
}
