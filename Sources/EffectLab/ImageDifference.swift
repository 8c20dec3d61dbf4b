import ShaderEffects

/// The difference between a rendered image and its golden image.
package struct ImageDifference: Sendable {
  package let expected: RGBAImage
  package let actual: RGBAImage
  /// The largest difference of a channel, 0 to 255, and the pixel that has it.
  package let maximum: Int
  package let worst: (x: Int, y: Int)
  /// The root mean square difference over all channels of all pixels.
  package let rootMeanSquare: Double

  /// Compares two images; nil if their sizes differ.
  package init?(_ expected: RGBAImage, _ actual: RGBAImage) {
    guard (expected.width, expected.height) == (actual.width, actual.height) else { return nil }
    var maximum = 0
    var worst = (x: 0, y: 0)
    var squares = 0
    for (index, (a, b)) in zip(expected.bytes, actual.bytes).enumerated() where a != b {
      let difference = abs(Int(a) - Int(b))
      squares += difference * difference
      if difference > maximum {
        maximum = difference
        worst = (index / 4 % expected.width, index / 4 / expected.width)
      }
    }
    (self.expected, self.actual, self.maximum, self.worst) = (expected, actual, maximum, worst)
    rootMeanSquare = (Double(squares) / Double(expected.bytes.count)).squareRoot()
  }

  /// Whether the images count as the same.
  func isWithin(_ limit: GoldenLimit) -> Bool {
    Double(maximum) <= limit.maximum && rootMeanSquare <= limit.rootMeanSquare
  }

  /// The colour differences times eight, on black; white where only alpha differs.
  package var image: RGBAImage {
    RGBAImage(width: expected.width, height: expected.height) { x, y in
      let apart = zip(expected.parts(x: x, y: y), actual.parts(x: x, y: y)).map {
        abs(Int($0) - Int($1))
      }
      if apart[..<3].allSatisfy({ $0 == 0 }), apart[3] > 0 { return (255, 255, 255, 255) }
      let strong = apart.map { UInt8(min(8 * $0, 255)) }
      return (strong[0], strong[1], strong[2], 255)
    }
  }
}

extension ImageDifference: CustomStringConvertible {
  /// The size of the difference, and the pixel where it is largest.
  package var description: String {
    let rounded = (rootMeanSquare * 1000).rounded() / 1000
    let (x, y) = worst
    return """
      off by \(maximum) at most and by \(rounded) root mean square; worst at x \(x), y \(y): \
      \(actual.parts(x: x, y: y)) where \(expected.parts(x: x, y: y)) is expected
      """
  }
}
