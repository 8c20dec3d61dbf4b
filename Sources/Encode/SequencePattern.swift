/// A file name with a number in it, as `shot-%04d.png`: printf's `%d`, `%4d` or `%04d`, once, and
/// `%%` for a percent sign.
///
/// A width always means leading zeros, as in FFmpeg's image sequences.
struct SequencePattern: Hashable, Sendable {
  private(set) var prefix: String
  let suffix: String
  let width: Int

  /// Nil when the path holds no number, or more than one.
  init?(_ path: String) {
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
  func path(_ number: Int) -> String {
    let digits = String(number)
    return prefix + String(repeating: "0", count: max(width - digits.count, 0)) + digits + suffix
  }

  /// Whether the path is one that this pattern makes.
  func makes(_ path: String) -> Bool {
    guard path.hasPrefix(prefix), path.hasSuffix(suffix),
      path.utf8.count > prefix.utf8.count + suffix.utf8.count
    else { return false }
    let digits = path.dropFirst(prefix.count).dropLast(suffix.count)
    guard let number = Int(digits), number > 0 else { return false }
    return self.path(number) == path
  }

  /// The same with its folder's links and dots resolved.
  var absolute: SequencePattern {
    var pattern = self
    // A digit's place, so that the last part of the path is never empty.
    pattern.prefix = String(OutputPath.absolute(prefix + "0").dropLast())
    return pattern
  }

  /// Some numbers give both patterns the same path.
  func meets(_ other: SequencePattern) -> Bool {
    prefix == other.prefix && suffix == other.suffix
  }
}
