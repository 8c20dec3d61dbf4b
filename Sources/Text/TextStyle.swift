/// How text is drawn; lengths are in pixels.
package struct TextStyle: Sendable, Equatable {
  package var font: TextFont
  /// The height of a line.
  package var size: Double
  /// The width of the outline round the letters.
  package var outline: Double
  /// The width at which lines are broken.
  package var width: Int
  /// 0, 1 or 2: lines begin at the left, lie in the middle, or end at the right.
  package var alignment: Int

  package init(font: TextFont, size: Double, outline: Double, width: Int, alignment: Int) {
    (self.font, self.size, self.outline) = (font, size, outline)
    (self.width, self.alignment) = (width, alignment)
  }

  /// Pixels beside the lines, for outlines and for glyphs that overhang their line.
  package var margin: Int { Int((outline + 0.1 * size).rounded(.up)) }
}

/// A size in pixels.
package struct TextExtent: Sendable, Equatable {
  package var width: Int
  package var height: Int

  package init(width: Int = 0, height: Int = 0) { (self.width, self.height) = (width, height) }
}
