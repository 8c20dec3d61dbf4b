package import Frames
package import ShaderEffects

/// One line of control: what it asks for.
package enum ControlCommand: Sendable, Equatable {
  /// A new value for a parameter; `glide` in seconds, nil for the usual one.
  case change(place: EffectPlace, parameter: String, value: String, glide: Rational?)
  /// The glide of the changes that follow, in seconds.
  case glide(Rational)

  /// The longest glide in milliseconds: an hour.
  package static let longestGlide = 3_600_000

  private static let usage =
    "write a line such as 'effect 1 amount 0.5', 'effect 1 amount 0.5 glide 200', 'amount,0.5' or 'glide 200'"

  /// Reads a line: `effect 1 center 0.5 0.25`, glslViewer's `center,0.5,0.25`, or `glide 200`.
  ///
  /// - Parameter line: The line without its end.
  /// - Returns: The command; nil for an empty line and a comment, which begins with `#`.
  /// - Throws: What is wrong.
  package static func parse(_ line: String) throws(ControlError) -> ControlCommand? {
    let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
    guard let first = words.first, !first.hasPrefix("#") else { return nil }
    switch first {
    case "effect": return try effect(words.dropFirst())
    case "glide" where words.count == 2 && !first.contains(","):
      return .glide(try milliseconds(words[1]))
    default: return try list(line)
    }
  }

  private static func effect(_ words: ArraySlice<String>) throws(ControlError) -> ControlCommand {
    guard words.count >= 2 else { throw ControlError(usage) }
    let (effect, parameter) = (words[words.startIndex], words[words.startIndex + 1])
    var values = words.dropFirst(2)
    var glide: Rational?
    if values.count >= 2, values[values.endIndex - 2] == "glide" {
      glide = try milliseconds(values[values.endIndex - 1])
      values = values.dropLast(2)
    }
    let isNumber = effect.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let place: EffectPlace =
      isNumber ? .number(Int(effect) ?? Int.max) : .name(effect)
    return .change(
      place: place, parameter: parameter, value: values.joined(separator: "/"), glide: glide)
  }

  /// Reads `name,value,value`, as glslViewer does.
  private static func list(_ line: String) throws(ControlError) -> ControlCommand {
    let parts = line.split(separator: ",", omittingEmptySubsequences: false).map { part in
      String(
        part.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed()
      )
    }
    guard parts.count > 1, !parts[0].isEmpty, !parts[0].contains(" ") else {
      throw ControlError(usage)
    }
    return .change(
      place: .firstWithParameter, parameter: parts[0],
      value: parts.dropFirst().joined(separator: "/"), glide: nil)
  }

  private static func milliseconds(_ word: String) throws(ControlError) -> Rational {
    guard let seconds = Rational(clockTime: word), !word.contains(":"),
      seconds <= Rational(Int64(longestGlide))
    else {
      throw ControlError("glide takes milliseconds from 0 to \(longestGlide), such as 200")
    }
    return seconds / Rational(1000)
  }
}

/// What is wrong with a line of control, as a sentence.
package struct ControlError: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
