import CV4L2
public import Frames

/// Texts about cameras for messages.
public enum CameraText {
  /// Formats a frame rate: "30", "29.97".
  public static func rate(_ rate: Rational) -> String {
    let hundredths = (rate * Rational(100) + Rational(1, 2)).floor
    let (whole, rest) = (hundredths / 100, hundredths % 100)
    if rest == 0 { return "\(whole)" }
    return "\(whole)." + (rest % 10 == 0 ? "\(rest / 10)" : zeroPadded(rest, digits: 2))
  }

  static func mode(_ mode: CameraMode) -> String {
    "\(mode.code) \(mode.width)x\(mode.height)"
      + (mode.frameRate.map { " at \(rate($0)) frames per second" } ?? "")
  }
}

/// How the two fields of a frame lie in a buffer.
enum CameraField {
  /// Describes the interlacing; nil for progressive frames.
  static func interlacing(_ field: UInt32) -> String? {
    switch field {
    case V4L2_FIELD_ANY.rawValue, V4L2_FIELD_NONE.rawValue: nil
    case V4L2_FIELD_TOP.rawValue: "the top field alone"
    case V4L2_FIELD_BOTTOM.rawValue: "the bottom field alone"
    case V4L2_FIELD_SEQ_TB.rawValue, V4L2_FIELD_SEQ_BT.rawValue: "one field after the other"
    case V4L2_FIELD_ALTERNATE.rawValue: "a field in each buffer"
    default: "both fields in one frame"
    }
  }
}
