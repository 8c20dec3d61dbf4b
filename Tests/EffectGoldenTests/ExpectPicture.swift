import EffectLab
import Testing

/// Expects a result to equal an image, with no component off by more than `limit`; a failure reports
/// the pixel with the largest difference.
func expect(
  _ actual: RGBAImage, is expected: RGBAImage, within limit: Int = 0, _ comment: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard actual != expected else { return }
  let difference = ImageDifference(expected, actual)
  if let difference, difference.maximum <= limit { return }
  let complaint = difference.map(\.description) ?? "of another size"
  Issue.record(
    "\(comment.isEmpty ? "" : comment + ": ")\(complaint)", sourceLocation: sourceLocation)
}
