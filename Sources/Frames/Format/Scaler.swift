/// The filter that resizes an image.
///
/// All but `nearest` become wider as an image is reduced, so that every source pixel counts and nothing aliases.
public enum Scaler: String, Sendable, CaseIterable {
  /// A sinc with three lobes: the sharpest.
  case lanczos
  /// Keys' cubic, also called Catmull-Rom.
  case bicubic
  /// Mitchell and Netravali's cubic: softer, with hardly a halo.
  case mitchell
  /// The mean of neighbours by their distance: soft.
  case bilinear
  /// The mean of the area that a pixel covers; enlarged pixels stay squares, with smooth edges.
  case area
  /// The pixel that is next, unchanged.
  case nearest
}
