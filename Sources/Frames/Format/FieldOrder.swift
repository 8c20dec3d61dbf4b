/// Which field of an interlaced picture is shown first; its two fields are woven into one, line by
/// line.
package enum FieldOrder: Hashable, Sendable {
  /// The field of the lines 0, 2, 4 ...
  case topFirst
  case bottomFirst

  /// The other one: what an odd number of lines above, or lines in the other order, make of it.
  package var opposite: FieldOrder { self == .topFirst ? .bottomFirst : .topFirst }

  /// "top" or "bottom", for messages.
  package var firstField: String { self == .topFirst ? "top" : "bottom" }
}
