/// What an effect makes a picture of.
package enum EffectRole: String, Sendable, Encodable {
  /// Of the picture that it is given.
  case filter
  /// Of nothing.
  case generator
  /// Of two, on the way from one to the other.
  case transition
}
