import Frames
import GPU
import TestSupport
import Testing

import EffectLab
import Render

extension FusionPolicy {
  /// The policies that must all give the same pixels.
  static let all = [
    FusionPolicy.plain,
    FusionPolicy(storage: .images, packsWords: false, fuses: true),
    FusionPolicy(storage: .buffers, packsWords: true, fuses: true),
  ]
}

extension RGBAImage {
  /// Returns an image without symmetry, in which every pixel has another colour.
  static func unlike(width: Int, height: Int) -> RGBAImage {
    RGBAImage(width: width, height: height) { x, y in
      (UInt8(13 * x), UInt8(30 * y + 5), UInt8((x * 7 + y * 19) % 256), 255)
    }
  }
}

/// Expects each pixel's colour, to within one code.
func expect(
  _ picture: RGBAImage, _ comment: Comment? = nil,
  is color: (_ x: Int, _ y: Int) -> (Int, Int, Int),
  sourceLocation: SourceLocation = #_sourceLocation
) {
  var worst = 0
  for y in 0..<picture.height {
    for x in 0..<picture.width {
      let (r, g, b) = color(x, y)
      for (part, wanted) in [r, g, b].enumerated() {
        worst = max(worst, abs(Int(picture.channel(part, x: x, y: y)) - wanted))
      }
    }
  }
  #expect(worst <= 1, comment, sourceLocation: sourceLocation)
}
