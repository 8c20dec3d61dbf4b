import CV4L2
import Frames

extension ColorDescription {
  /// Reads V4L2's four colour fields, with V4L2's own defaults for unset fields; fails for an unknown matrix.
  ///
  /// Unlike a file's defaults, these do not depend on the size (videodev2.h, V4L2_MAP_..._DEFAULT).
  /// Chroma samples lie between the luma samples, as V4L2 defines it.
  init(
    _ fields: CameraColorFields, format: CameraFormat, overrides: ColorTags, name: String
  ) throws(CaptureError) {
    let space =
      fields.colorspace == V4L2_COLORSPACE_DEFAULT.rawValue
      ? V4L2_COLORSPACE_SRGB.rawValue : fields.colorspace
    let isJPEG = space == V4L2_COLORSPACE_JPEG.rawValue
    let stated: ColorMatrix
    if format.isRGB {
      stated = .rgb
    } else if let matrix = ColorMatrix(encoding: fields.encoding, space: space) {
      stated = matrix
    } else if overrides.matrix != nil {
      stated = .smpte170m
    } else {
      throw CaptureError(
        """
        \(name) codes its colours as BT.2020 with constant luminance, which kfrec does not convert; if \
        that is wrong, give the right matrix with --input-matrix
        """)
    }
    let isFull =
      switch fields.quantization {
      case V4L2_QUANTIZATION_FULL_RANGE.rawValue: true
      case V4L2_QUANTIZATION_LIM_RANGE.rawValue: false
      // For gray, both drivers and programs use the full range.
      default: format.isRGB || !format.isColor || isJPEG
      }
    self.init(
      matrix: format.isRGB ? .rgb : overrides.matrix ?? stated,
      range: overrides.range ?? (isFull ? .full : .limited),
      primaries: overrides.primaries ?? ColorDescription.primaries(of: space),
      transfer: overrides.transfer ?? ColorDescription.transfer(fields.transfer, of: space),
      chromaSiting: overrides.chromaSiting ?? .center)
  }

  private static func primaries(of space: UInt32) -> UInt8 {
    switch space {
    case V4L2_COLORSPACE_SMPTE170M.rawValue: 6
    case V4L2_COLORSPACE_SMPTE240M.rawValue: 7
    case V4L2_COLORSPACE_470_SYSTEM_M.rawValue: 4
    case V4L2_COLORSPACE_470_SYSTEM_BG.rawValue: 5
    case V4L2_COLORSPACE_BT2020.rawValue: 9
    case V4L2_COLORSPACE_DCI_P3.rawValue: 11
    // H.273 has no number for opRGB; BT.709's primaries, which are also sRGB's, are the nearest.
    default: 1
    }
  }

  private static func transfer(_ function: UInt32, of space: UInt32) -> UInt8 {
    switch function {
    case V4L2_XFER_FUNC_709.rawValue: return 1
    case V4L2_XFER_FUNC_SRGB.rawValue: return 13
    case V4L2_XFER_FUNC_OPRGB.rawValue: return 4
    case V4L2_XFER_FUNC_SMPTE240M.rawValue: return 7
    case V4L2_XFER_FUNC_NONE.rawValue: return 8
    case V4L2_XFER_FUNC_DCI_P3.rawValue: return 17
    case V4L2_XFER_FUNC_SMPTE2084.rawValue: return 16
    default:
      return switch space {
      case V4L2_COLORSPACE_SRGB.rawValue, V4L2_COLORSPACE_JPEG.rawValue: 13
      case V4L2_COLORSPACE_OPRGB.rawValue: 4
      case V4L2_COLORSPACE_SMPTE240M.rawValue: 7
      case V4L2_COLORSPACE_DCI_P3.rawValue: 17
      case V4L2_COLORSPACE_RAW.rawValue: 8
      // The same curve, under the number that matches the primaries.
      case V4L2_COLORSPACE_SMPTE170M.rawValue: 6
      default: 1
      }
    }
  }
}

/// The colour fields of a V4L2 format.
struct CameraColorFields: Hashable, Sendable {
  var colorspace: UInt32 = 0
  var encoding: UInt32 = 0
  var quantization: UInt32 = 0
  var transfer: UInt32 = 0
}

extension ColorMatrix {
  /// nil for BT.2020 with constant luminance.
  fileprivate init?(encoding: UInt32, space: UInt32) {
    switch encoding {
    case V4L2_YCBCR_ENC_601.rawValue, V4L2_YCBCR_ENC_XV601.rawValue,
      V4L2_YCBCR_ENC_SYCC.rawValue:
      self = .smpte170m
    case V4L2_YCBCR_ENC_709.rawValue, V4L2_YCBCR_ENC_XV709.rawValue: self = .bt709
    case V4L2_YCBCR_ENC_BT2020.rawValue: self = .bt2020NonConstant
    case V4L2_YCBCR_ENC_BT2020_CONST_LUM.rawValue: return nil
    case V4L2_YCBCR_ENC_SMPTE240M.rawValue: self = .smpte240m
    default:
      switch space {
      case V4L2_COLORSPACE_REC709.rawValue, V4L2_COLORSPACE_DCI_P3.rawValue: self = .bt709
      case V4L2_COLORSPACE_BT2020.rawValue: self = .bt2020NonConstant
      case V4L2_COLORSPACE_SMPTE240M.rawValue: self = .smpte240m
      default: self = .smpte170m
      }
    }
  }
}
