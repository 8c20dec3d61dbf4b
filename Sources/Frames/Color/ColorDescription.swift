/// How pixel values encode colours: matrix, range, primaries, transfer and chroma siting, each one
/// known (never "unspecified").
///
/// The raw values are the code points of ITU-T H.273, which FFmpeg and H.264's VUI also use.
public struct ColorDescription: Hashable, Sendable {
  public var matrix: ColorMatrix
  public var range: ColorRange
  public var primaries: UInt8
  public var transfer: UInt8
  public var chromaSiting: ChromaSiting
  /// What an HDR stream says about its light; nil if it says nothing, and in the standard range.
  public var hdr: HDRMetadata?

  public init(
    matrix: ColorMatrix, range: ColorRange, primaries: UInt8, transfer: UInt8,
    chromaSiting: ChromaSiting = .left
  ) {
    self.matrix = matrix
    self.range = range
    self.primaries = primaries
    self.transfer = transfer
    self.chromaSiting = chromaSiting
  }

  /// 8-bit RGB images without tags: BT.709 primaries, sRGB transfer, full range.
  public static let sRGB = ColorDescription(
    matrix: .rgb, range: .full, primaries: 1, transfer: 13, chromaSiting: .left)

  /// The transfer is PQ (16) or HLG (18), beyond the standard dynamic range.
  public var isHighDynamicRange: Bool { transfer == 16 || transfer == 18 }
}

/// The equation between RGB and luma with colour differences (H.273 MatrixCoefficients).
public enum ColorMatrix: UInt8, Hashable, Sendable, CaseIterable {
  case rgb = 0
  case bt709 = 1
  case fcc = 4
  case bt470bg = 5
  case smpte170m = 6
  case smpte240m = 7
  /// Luma and two colour differences, green and orange: sums without weights.
  case yCgCo = 8
  case bt2020NonConstant = 9

  /// The weights of red and blue in luma; green has the rest.
  ///
  /// H.273 table 4; BT.601-7 2.5.1, BT.709-6 3.2, BT.2020-2 table 4. Nil for RGB and YCgCo.
  public var lumaWeights: (red: Double, blue: Double)? {
    switch self {
    case .rgb, .yCgCo: nil
    case .bt709: (0.2126, 0.0722)
    case .fcc: (0.30, 0.11)
    case .bt470bg, .smpte170m: (0.299, 0.114)
    case .smpte240m: (0.212, 0.087)
    case .bt2020NonConstant: (0.2627, 0.0593)
    }
  }

  /// The primaries of the matrix's own standard (H.273 table 2).
  public var primaries: UInt8 {
    switch self {
    case .rgb, .yCgCo: 1
    // The tables of both have the same numbers.
    default: rawValue
    }
  }

  /// The transfer of the matrix's own standard (H.273 table 3): BT.601 has one for both line counts,
  /// and BT.2020 uses its 10-bit one.
  public var transfer: UInt8 {
    switch self {
    case .rgb, .yCgCo: 13
    case .bt470bg: 6
    case .bt2020NonConstant: 14
    default: rawValue
    }
  }

  /// The matrix of a source without a tag, by its size: BT.709 from width 1280 or height above 576,
  /// else BT.601.
  public static func assumed(width: Int, height: Int) -> ColorMatrix {
    // SMPTE 356M (D-10) has 32 lines of the vertical interval above the picture.
    let lines = (width, height) == (720, 608) ? 576 : height
    return width >= 1280 || lines > 576 ? .bt709 : lines == 576 ? .bt470bg : .smpte170m
  }
}

/// Whether codes use all values of their bits (full) or the studio range (limited).
public enum ColorRange: UInt8, Hashable, Sendable {
  case limited = 1
  case full = 2

  /// The range of samples that are not RGB, where nothing states it.
  public static func assumed(isGray: Bool) -> ColorRange { isGray ? .full : .limited }
}

/// The position of a subsampled chroma sample among the luma samples that it covers (FFmpeg's
/// AVChromaLocation values; H.264's chroma_sample_loc_type plus one).
public enum ChromaSiting: UInt8, Hashable, Sendable {
  case left = 1
  case center = 2
  case topLeft = 3
  case top = 4
  case bottomLeft = 5
  case bottom = 6

  /// The position of a chroma sample, horizontally and vertically: 0 is the first luma sample that it
  /// covers, 1 is the last.
  public var position: (x: Double, y: Double) {
    switch self {
    case .left: (0, 0.5)
    case .center: (0.5, 0.5)
    case .topLeft: (0, 0)
    case .top: (0.5, 0)
    case .bottomLeft: (0, 1)
    case .bottom: (0.5, 1)
    }
  }
}
