import CV4L2
import Frames

extension v4l2_pix_format {
  /// Describes what the pixel values mean, for readers that ask.
  mutating func setColors(_ color: ColorDescription) {
    let isHD = color.primaries == 1 && color.transfer != 13
    colorspace =
      switch color.primaries {
      case 9: V4L2_COLORSPACE_BT2020.rawValue
      case 5, 6: V4L2_COLORSPACE_SMPTE170M.rawValue
      default: isHD ? V4L2_COLORSPACE_REC709.rawValue : V4L2_COLORSPACE_SRGB.rawValue
      }
    ycbcr_enc =
      switch color.matrix {
      case .bt709: V4L2_YCBCR_ENC_709.rawValue
      case .bt2020NonConstant: V4L2_YCBCR_ENC_BT2020.rawValue
      case .smpte240m: V4L2_YCBCR_ENC_SMPTE240M.rawValue
      default: V4L2_YCBCR_ENC_601.rawValue
      }
    quantization =
      color.range == .full
      ? V4L2_QUANTIZATION_FULL_RANGE.rawValue : V4L2_QUANTIZATION_LIM_RANGE.rawValue
  }
}
