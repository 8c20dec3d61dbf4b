/// The pixel formats that the GPU reads directly; raw values are FFmpeg's names.
///
/// The capture stage repacks all other formats into one of these, never with a change of matrix or
/// range.
public enum PixelFormat: String, Hashable, Sendable, CaseIterable {
  case yuv420p, yuv422p, yuv444p, yuv410p, yuv411p, yuv440p
  case yuva420p, yuva422p, yuva444p
  case nv12, nv21, nv16, nv24, nv42
  case yuyv422, uyvy422, yvyu422
  case rgba, bgra, argb, abgr, rgb0, bgr0
  case gbrp, gbrap
  case gray
  case yuv420p10le, yuv422p10le, yuv444p10le, yuva420p10le, yuva422p10le, yuva444p10le
  case yuv420p12le, yuv422p12le, yuv444p12le, yuva422p12le, yuva444p12le
  case yuv420p16le, yuv422p16le, yuv444p16le, yuva420p16le, yuva422p16le, yuva444p16le
  case p010le, p016le
  case gbrp10le, gbrp12le, gbrp16le, gbrap10le, gbrap12le, gbrap16le
  case gray10le, gray12le, gray16le
  case rgba64le
  /// Packed 8-bit RGB: for results only (PNG), because GPU texels hold 1, 2 or 4 channels.
  case rgb24
  /// 16 bits with the higher byte first: for results only (PNG), because the GPU's texels have the lower byte first.
  case rgb48be, rgba64be, gray16be

  /// The capture stage gives no frames in this format; it is only made for outputs.
  public var isForResultsOnly: Bool { [.rgb24, .rgb48be, .rgba64be, .gray16be].contains(self) }

  /// The same samples with both parts of chroma in one plane, as hardware has them; nil if hardware has them otherwise.
  public var semiPlanar: PixelFormat? {
    switch self {
    case .yuv420p: .nv12
    case .yuv420p10le: .p010le
    default: nil
    }
  }

  /// The same samples with a plane for each part of chroma; nil if they are so already.
  public var planar: PixelFormat? {
    switch self {
    case .nv12: .yuv420p
    case .p010le: .yuv420p10le
    default: nil
    }
  }

  public var layout: PixelLayout {
    switch self {
    case .yuv420p: .planar(subsampling: (2, 2))
    case .yuv422p: .planar(subsampling: (2, 1))
    case .yuv444p: .planar(subsampling: (1, 1))
    case .yuv410p: .planar(subsampling: (4, 4))
    case .yuv411p: .planar(subsampling: (4, 1))
    case .yuv440p: .planar(subsampling: (1, 2))
    case .yuva420p: .planar(subsampling: (2, 2), alpha: true)
    case .yuva422p: .planar(subsampling: (2, 1), alpha: true)
    case .yuva444p: .planar(subsampling: (1, 1), alpha: true)
    case .nv12: .semiPlanar(subsampling: (2, 2))
    case .nv21: .semiPlanar(subsampling: (2, 2), redFirst: true)
    case .nv16: .semiPlanar(subsampling: (2, 1))
    case .nv24: .semiPlanar(subsampling: (1, 1))
    case .nv42: .semiPlanar(subsampling: (1, 1), redFirst: true)
    case .yuyv422: .packed422(luma: (0, 2), blue: 1, red: 3)
    case .uyvy422: .packed422(luma: (1, 3), blue: 0, red: 2)
    case .yvyu422: .packed422(luma: (0, 2), blue: 3, red: 1)
    case .rgba: .packedRGB(red: 0, green: 1, blue: 2, alpha: 3)
    case .bgra: .packedRGB(red: 2, green: 1, blue: 0, alpha: 3)
    case .argb: .packedRGB(red: 1, green: 2, blue: 3, alpha: 0)
    case .abgr: .packedRGB(red: 3, green: 2, blue: 1, alpha: 0)
    case .rgb0: .packedRGB(red: 0, green: 1, blue: 2)
    case .bgr0: .packedRGB(red: 2, green: 1, blue: 0)
    case .rgba64le: .packedRGB(red: 0, green: 1, blue: 2, alpha: 3, depth: 16)
    case .gbrp: .planarRGB()
    case .gbrap: .planarRGB(alpha: true)
    case .gbrp10le: .planarRGB(depth: 10)
    case .gbrp12le: .planarRGB(depth: 12)
    case .gbrp16le: .planarRGB(depth: 16)
    case .gbrap10le: .planarRGB(alpha: true, depth: 10)
    case .gbrap12le: .planarRGB(alpha: true, depth: 12)
    case .gbrap16le: .planarRGB(alpha: true, depth: 16)
    case .gray: .gray()
    case .gray10le: .gray(depth: 10)
    case .gray12le: .gray(depth: 12)
    case .gray16le: .gray(depth: 16)
    case .gray16be: .gray(depth: 16, isBigEndian: true)
    case .yuv420p10le: .planar(subsampling: (2, 2), depth: 10)
    case .yuv422p10le: .planar(subsampling: (2, 1), depth: 10)
    case .yuv444p10le: .planar(subsampling: (1, 1), depth: 10)
    case .yuva420p10le: .planar(subsampling: (2, 2), alpha: true, depth: 10)
    case .yuva422p10le: .planar(subsampling: (2, 1), alpha: true, depth: 10)
    case .yuva444p10le: .planar(subsampling: (1, 1), alpha: true, depth: 10)
    case .yuv420p12le: .planar(subsampling: (2, 2), depth: 12)
    case .yuv422p12le: .planar(subsampling: (2, 1), depth: 12)
    case .yuv444p12le: .planar(subsampling: (1, 1), depth: 12)
    case .yuva422p12le: .planar(subsampling: (2, 1), alpha: true, depth: 12)
    case .yuva444p12le: .planar(subsampling: (1, 1), alpha: true, depth: 12)
    case .yuv420p16le: .planar(subsampling: (2, 2), depth: 16)
    case .yuv422p16le: .planar(subsampling: (2, 1), depth: 16)
    case .yuv444p16le: .planar(subsampling: (1, 1), depth: 16)
    case .yuva420p16le: .planar(subsampling: (2, 2), alpha: true, depth: 16)
    case .yuva422p16le: .planar(subsampling: (2, 1), alpha: true, depth: 16)
    case .yuva444p16le: .planar(subsampling: (1, 1), alpha: true, depth: 16)
    case .p010le: .semiPlanar(subsampling: (2, 2), depth: 10, shift: 6)
    case .p016le: .semiPlanar(subsampling: (2, 2), depth: 16)
    case .rgb24: .packedRGB(red: 0, green: 1, blue: 2, channels: 3)
    case .rgb48be: .packedRGB(red: 0, green: 1, blue: 2, channels: 3, depth: 16, isBigEndian: true)
    case .rgba64be: .packedRGB(red: 0, green: 1, blue: 2, alpha: 3, depth: 16, isBigEndian: true)
    }
  }
}
