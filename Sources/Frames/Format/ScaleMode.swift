/// How a picture of one shape is put into another.
package enum ScaleMode: String, Sendable, CaseIterable {
  /// Distorted to fill it.
  case stretch
  /// Whole, with black bars.
  case fit
  /// Filling it, with what hangs over cropped.
  case fill
}
