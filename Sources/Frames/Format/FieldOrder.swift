/// Which field of an interlaced frame is shown first; the frame holds both fields, in alternate lines.
public enum FieldOrder: Hashable, Sendable {
  /// The field with lines 0, 2, 4 ... is first.
  case topFirst
  case bottomFirst

  /// The other order, which results from an odd number of lines added above, or from a vertical flip.
  public var opposite: FieldOrder { self == .topFirst ? .bottomFirst : .topFirst }

  /// "top" or "bottom", for messages.
  public var firstField: String { self == .topFirst ? "top" : "bottom" }
}
