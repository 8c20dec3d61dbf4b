/// How an image is fitted into a frame with another aspect ratio.
public enum ScaleMode: String, Sendable, CaseIterable {
  /// Distorts the image to fill the frame.
  case stretch
  /// Shows the whole image, with black bars.
  case fit
  /// Fills the frame and crops the rest.
  case fill
}
