import Frames

/// How interlaced frames are processed.
public struct Deinterlacing: Sendable, Equatable {
  public enum Mode: Sendable {
    /// Each interlaced frame becomes one progressive frame, which shows its first field.
    case auto
    /// Each becomes two, one for each field.
    case bob
    /// They stay woven.
    case off
  }

  /// How the fields of all frames lie, whatever the file says.
  public enum Order: Sendable {
    case top, bottom, progressive

    var fieldOrder: FieldOrder? {
      switch self {
      case .top: .topFirst
      case .bottom: .bottomFirst
      case .progressive: nil
      }
    }
  }

  public var mode: Mode
  /// Replaces the field order of the file; nil if the file is right.
  public var order: Order?

  public init(_ mode: Mode, order: Order? = nil) { (self.mode, self.order) = (mode, order) }

  public static let off = Deinterlacing(.off)
}
