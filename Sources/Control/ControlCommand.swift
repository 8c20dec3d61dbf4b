package import Frames
package import ShaderEffects

/// The request in a line of text or in a control message.
package enum ControlCommand: Sendable, Equatable {
  /// A new value for a parameter; `glide` in seconds, nil for the usual one.
  case change(place: EffectPlace, parameter: String, value: GivenValue, glide: Rational?)
  /// The glide of the changes that follow, in seconds.
  case glide(Rational)

  /// The longest glide in milliseconds: an hour.
  package static let longestGlide = 3_600_000

  private static let usage =
    "write a line such as 'effect 1 amount 0.5', 'effect 1 amount 0.5 glide 200', 'amount,0.5' or 'glide 200'"

  static let glideMistake = ControlError(
    "glide takes milliseconds from 0 to \(longestGlide), such as 200")

  /// Reads a line without its end: `effect 1 center 0.5 0.25`, glslViewer's `center,0.5,0.25`, or `glide 200`.
  ///
  /// Returns nil for an empty line and a comment, which begins with `#`.
  package static func parse(_ line: String) throws(ControlError) -> ControlCommand? {
    let words = line.split(whereSeparator: isBlank).map(String.init)
    guard let first = words.first, !first.hasPrefix("#") else { return nil }
    switch first {
    case "effect": return try effect(words.dropFirst())
    case "glide" where words.count == 2: return .glide(try milliseconds(words[1]))
    default: return try list(line)
    }
  }

  private static func isBlank(_ character: Character) -> Bool {
    character == " " || character == "\t"
  }

  private static func effect(_ words: ArraySlice<String>) throws(ControlError) -> ControlCommand {
    guard words.count >= 2 else { throw ControlError(usage) }
    var values = words.dropFirst(2)
    var glide: Rational?
    if values.count >= 2, values[values.endIndex - 2] == "glide" {
      glide = try milliseconds(values[values.endIndex - 1])
      values = values.dropLast(2)
    }
    return .change(
      place: place(words[words.startIndex]), parameter: words[words.startIndex + 1],
      value: .text(values.joined(separator: "/")), glide: glide)
  }

  /// Reads `name,value,value`, as glslViewer does.
  private static func list(_ line: String) throws(ControlError) -> ControlCommand {
    let parts = line.split(separator: ",", omittingEmptySubsequences: false).map { part -> String in
      guard let end = part.lastIndex(where: { !isBlank($0) }) else { return "" }
      return String(part.prefix(through: end).drop(while: isBlank))
    }
    guard parts.count > 1, !parts[0].isEmpty, !parts[0].contains(where: isBlank) else {
      throw ControlError(usage)
    }
    return .change(
      place: .firstWithParameter, parameter: parts[0],
      value: .text(parts.dropFirst().joined(separator: "/")), glide: nil)
  }

  /// Reads which effect is meant: its number, or else its name.
  static func place(_ word: String) -> EffectPlace {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard !word.isEmpty, word.utf8.allSatisfy(digits.contains) else { return .name(word) }
    return .number(Int(word) ?? Int.max)
  }

  /// Returns a glide in seconds; nil if it is no allowed number.
  static func glide(milliseconds: Double) -> Rational? {
    guard milliseconds >= 0, milliseconds <= Double(longestGlide) else { return nil }
    return Rational(seconds: milliseconds / 1000, ticksPerSecond: 1_000_000)
  }

  private static func milliseconds(_ word: String) throws(ControlError) -> Rational {
    guard let number = Rational(clockTime: word), !word.contains(":"),
      number <= Rational(Int64(longestGlide))
    else { throw glideMistake }
    return number / Rational(1000)
  }
}

/// What is wrong with a line or a message of control, as a sentence.
package struct ControlError: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
