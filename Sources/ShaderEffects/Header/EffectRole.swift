/// What an effect makes its image from.
public enum EffectRole: String, Sendable, Encodable {
  /// From its input frame.
  case filter
  /// From no input.
  case generator
  /// From the frames of two clips, on the way from one to the other.
  case transition
}
