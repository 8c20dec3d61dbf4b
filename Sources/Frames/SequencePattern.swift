/// A file name with a number in it, such as `shot-%04d.png`: printf's `%d`, `%4d` or `%04d`, once, and
/// `%%` for a percent sign.
///
/// A width always means leading zeros, as in FFmpeg's image sequences.
public struct SequencePattern: Hashable, Sendable {
  /// The text before the number, with the folder; `suffix` is the text after it.
  public var prefix: String
  public let suffix: String
  let width: Int

  /// Parses a path; nil unless it has exactly one number, in the file name.
  public init?(_ path: String) {
    var parts = [""]
    var width = 0
    var rest = Substring(path)
    while let character = rest.popFirst() {
      guard character == "%" else {
        parts[parts.count - 1].append(character)
        continue
      }
      if rest.first == "%" {
        rest.removeFirst()
        parts[parts.count - 1].append("%")
        continue
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      guard rest.popFirst() == "d", digits.count <= 3 else { return nil }
      width = Int(digits) ?? 0
      parts.append("")
    }
    // A number in a folder's name would require creating folders.
    guard parts.count == 2, !parts[1].contains("/") else { return nil }
    prefix = parts[0]
    suffix = parts[1]
    self.width = width
  }

  /// Makes a pattern whose number has at least `width` digits.
  public init(prefix: String, suffix: String, width: Int) {
    (self.prefix, self.suffix, self.width) = (prefix, suffix, width)
  }

  /// The path of the image with a number.
  public func path(_ number: Int) -> String {
    prefix + zeroPadded(number, digits: width) + suffix
  }

  /// The number in a path of this pattern; nil for any other path.
  public func number(in path: String) -> Int? {
    guard path.hasPrefix(prefix), path.hasSuffix(suffix),
      path.utf8.count > prefix.utf8.count + suffix.utf8.count
    else { return nil }
    let digits = path.dropFirst(prefix.count).dropLast(suffix.count)
    guard let number = Int(digits), number >= 0, self.path(number) == path else { return nil }
    return number
  }

  /// Whether an output of this pattern writes a path; its numbers start at 1.
  public func makes(_ path: String) -> Bool { number(in: path).map { $0 > 0 } ?? false }

  /// Whether some numbers give both patterns the same path.
  public func meets(_ other: SequencePattern) -> Bool {
    prefix == other.prefix && suffix == other.suffix
  }
}
