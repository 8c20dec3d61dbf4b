/// What is done with colours beyond the standard dynamic range.
public enum HDRRule: Sendable, Hashable {
  /// They become BT.709 colours of the standard range.
  case toneMap
  /// They keep their values and their tags.
  case keep
}

/// What a stream says once about the light of all its frames.
///
/// Luminances are in cd/m².
public struct HDRMetadata: Hashable, Sendable {
  /// CIE 1931 chromaticity coordinates.
  public struct Chromaticity: Hashable, Sendable {
    public var x: Rational
    public var y: Rational

    public init(x: Rational, y: Rational) { (self.x, self.y) = (x, y) }
  }

  /// The primaries and the white of a display.
  public struct Primaries: Hashable, Sendable {
    public var red: Chromaticity
    public var green: Chromaticity
    public var blue: Chromaticity
    public var white: Chromaticity

    public init(
      red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity
    ) {
      (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
    }
  }

  /// The brightest and the darkest light of a display.
  public struct Luminance: Hashable, Sendable {
    public var largest: Rational
    public var smallest: Rational

    public init(largest: Rational, smallest: Rational) {
      (self.largest, self.smallest) = (largest, smallest)
    }
  }

  /// The light of the pixels themselves (CTA-861.3): MaxCLL and MaxFALL; 0 if unknown.
  public struct Content: Hashable, Sendable {
    public var largest: Int
    public var largestMean: Int

    public init(largest: Int, largestMean: Int) {
      (self.largest, self.largestMean) = (largest, largestMean)
    }
  }

  /// The display on which the colours were chosen (SMPTE ST 2086); nil for what the stream does not say.
  public var displayPrimaries: Primaries?
  public var displayLuminance: Luminance?
  public var content: Content?

  public init(
    displayPrimaries: Primaries? = nil, displayLuminance: Luminance? = nil, content: Content? = nil
  ) {
    self.displayPrimaries = displayPrimaries
    self.displayLuminance = displayLuminance
    self.content = content
  }

  /// The brightest light that is to be expected, as the pixels' own data say, or else those of the display; nil if
  /// neither does.
  public var peak: Double? {
    if let content, content.largest > 0 { return Double(content.largest) }
    guard let largest = displayLuminance?.largest, largest > .zero else { return nil }
    return largest.doubleValue
  }
}

extension ColorDescription {
  /// The colours that the same picture has in the standard dynamic range: BT.709, with the same range and siting.
  ///
  /// RGB stays RGB.
  public var standardRange: ColorDescription {
    var color = self
    if color.matrix != .rgb { color.matrix = .bt709 }
    (color.primaries, color.transfer, color.hdr) = (1, 1, nil)
    return color
  }
}
