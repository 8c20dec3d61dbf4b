import CFFmpeg
public import Frames

extension ColorDescription {
  /// Returns the chromaticities of white, red, green and blue, x before y, of H.273's primaries; nil for numbers without a meaning.
  public static func chromaticities(ofPrimaries number: UInt8) -> [Double]? {
    guard let found = av_csp_primaries_desc_from_id(AVColorPrimaries(UInt32(number))) else {
      return nil
    }
    let (white, colors) = (found.pointee.wp, found.pointee.prim)
    return [
      white.x, white.y, colors.r.x, colors.r.y, colors.g.x, colors.g.y, colors.b.x, colors.b.y,
    ].map { av_q2d($0) }
  }
}
