/// A file name with a number in it, as `shot-%04d.png`: printf's `%d`, `%4d` or `%04d`, once, and
/// `%%` for a percent sign.
///
/// A width always means leading zeros, as in FFmpeg's image sequences.
package struct SequencePattern: Hashable, Sendable {
  /// What is before the number, with the folder, and behind it.
  package var prefix: String
  package let suffix: String
  let width: Int

  /// Nil when the path holds no number, or more than one.
  package init?(_ path: String) {
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
    // A number in a folder's name would need folders made on the way.
    guard parts.count == 2, !parts[1].contains("/") else { return nil }
    prefix = parts[0]
    suffix = parts[1]
    self.width = width
  }

  /// The path of a picture.
  package func path(_ number: Int) -> String {
    let digits = String(number)
    return prefix + String(repeating: "0", count: max(width - digits.count, 0)) + digits + suffix
  }

  /// The number in a path that this pattern makes; nil in another path.
  package func number(in path: String) -> Int? {
    guard path.hasPrefix(prefix), path.hasSuffix(suffix),
      path.utf8.count > prefix.utf8.count + suffix.utf8.count
    else { return nil }
    let digits = path.dropFirst(prefix.count).dropLast(suffix.count)
    guard let number = Int(digits), number >= 0, self.path(number) == path else { return nil }
    return number
  }

  /// Whether an output of this pattern writes a path; it begins with 1.
  package func makes(_ path: String) -> Bool { number(in: path).map { $0 > 0 } ?? false }

  /// Some numbers give both patterns the same path.
  package func meets(_ other: SequencePattern) -> Bool {
    prefix == other.prefix && suffix == other.suffix
  }
}
