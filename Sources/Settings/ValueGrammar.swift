package import Frames

/// The syntax of an option's value: its name in the help, the allowed values, and the parser.
package struct ValueGrammar<Value: Sendable>: Sendable {
  /// The name of the value in the help ("WxH").
  package let name: String
  /// The allowed values, as the end of the sentence "--option takes ...".
  package let expected: String
  /// What the value names.
  package let kind: ValueKind
  /// The allowed words, if they can be listed (for completions).
  package let choices: [String]
  /// Parses a word; nil if it is not allowed, or an error with its own sentence.
  package let parse: @Sendable (String) throws -> Value?

  package init(
    name: String, expected: String, kind: ValueKind = .word, choices: [String] = [],
    parse: @escaping @Sendable (String) throws -> Value?
  ) {
    (self.name, self.expected, self.kind, self.choices) = (name, expected, kind, choices)
    self.parse = parse
  }

  /// Parses a value, or throws an error that says what the option takes.
  func value(of text: String, for option: String) throws -> Value {
    guard let value = try parse(text) else {
      throw CommandLineError("\(option) takes \(expected), not \"\(text)\"")
    }
    return value
  }
}

/// What the value of an option names: completions offer it, and presets move its paths.
package enum ValueKind: Sendable {
  case word, file, folder, effect, source, output, encoder, encoderPreset, color, microphone
  /// A file with audio or subtitles, with what `-i` takes behind its name.
  case media
}

extension ValueGrammar where Value == String {
  /// Any text that is not empty.
  package static func text(_ name: String, _ kind: ValueKind = .word, expected: String) -> Self {
    Self(name: name, expected: expected, kind: kind) { $0.isEmpty ? nil : $0 }
  }

  package static func file(expected: String = "a file's name") -> Self {
    text("FILE", .file, expected: expected)
  }

  package static func folder(expected: String = "a folder") -> Self {
    text("DIR", .folder, expected: expected)
  }
}

extension ValueGrammar where Value == Int {
  /// A whole number in a range; an upper limit of `Int32.max` is not mentioned.
  package static func number(_ name: String = "N", in range: ClosedRange<Int>) -> Self {
    let limits =
      range.upperBound == Int(Int32.max)
      ? "of \(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
    return Self(name: name, expected: "a whole number \(limits)") { word in
      wholeNumber(word).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// Bits per second: a number with or without `k` or `M` (powers of ten).
  package static let bitrate = Self(
    name: "RATE", expected: "bits per second from 1k to 2000M, such as 8M, 1.5M or 900k"
  ) { word in
    let unit: Int64 =
      switch word.last {
      case "k", "K": 1000
      case "M": 1_000_000
      default: 1
      }
    guard let number = decimal(unit == 1 ? word : String(word.dropLast())),
      number <= Rational(2_000_000_000)
    else { return nil }
    let bits = (number * Rational(unit) + Rational(1, 2)).floor
    return (1000...2_000_000_000).contains(bits) ? Int(bits) : nil
  }
}

extension ValueGrammar where Value == Double {
  package static func number(_ name: String = "N", in range: ClosedRange<Int>) -> Self {
    Self(
      name: name, expected: "a number from \(range.lowerBound) to \(range.upperBound)"
    ) { word in
      guard let number = decimal(word), number >= Rational(Int64(range.lowerBound)),
        number <= Rational(Int64(range.upperBound))
      else { return nil }
      return number.doubleValue
    }
  }
}

extension ValueGrammar where Value == [Rational] {
  /// Times, separated by commas.
  package static let times = Self(
    name: "TIME,...", expected: "a time in seconds or HH:MM:SS, such as 2.5, or several as 2,0,0.5"
  ) { word in
    let times = word.split(separator: ",", omittingEmptySubsequences: false)
      .map { seconds(String($0)) }
    return times.contains(nil) ? nil : times.compactMap(\.self)
  }
}

extension ValueGrammar where Value == Rational {
  /// Seconds, `MM:SS` or `HH:MM:SS`, with decimals of the seconds if needed; kept exactly.
  package static func time(positive: Bool = false) -> Self {
    Self(
      name: "TIME",
      expected: "a time \(positive ? "above 0 " : "")in seconds or HH:MM:SS, "
        + "such as 2.5 or 00:01:30.5"
    ) { word in
      guard let time = seconds(word), !positive || time > .zero else { return nil }
      return time
    }
  }

  /// Frames per second, as a number or a fraction.
  package static let frameRate = Self(
    name: "RATE", expected: "frames per second from 1/1000 to 1000, such as 25, 29.97 or 30000/1001"
  ) { word in
    let parts = word.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let rate: Rational?
    if parts.count == 2 {
      rate = wholeNumber(parts[0]).flatMap { top in
        wholeNumber(parts[1]).flatMap { $0 > 0 ? Rational(Int64(top), Int64($0)) : nil }
      }
    } else {
      rate = decimal(word)
    }
    guard let rate, rate >= Rational(1, 1000), rate <= Rational(1000) else { return nil }
    return rate
  }
}

extension ValueGrammar where Value == ImageSize {
  package static let size = Self(
    name: "WxH",
    expected: "a width and a height from 1 to \(ImageSize.limit), such as 1280x720, "
      + "or 1280x or x720 to keep the aspect ratio"
  ) { word in
    let parts = word.split(separator: "x", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, word != "x" else { return nil }
    let numbers = parts.map { $0.isEmpty ? nil : wholeNumber($0) }
    for (part, number) in zip(parts, numbers) where !part.isEmpty {
      guard let number, (1...ImageSize.limit).contains(number) else { return nil }
    }
    return ImageSize(width: numbers[0], height: numbers[1])
  }
}

extension ValueGrammar where Value == ImageSize {
  /// Both sides, for cases without an aspect ratio to keep.
  package static let wholeSize = Self(
    name: "WxH", expected: "a width and a height from 1 to \(ImageSize.limit), such as 1280x720"
  ) { word in
    guard let size = try size.parse(word), size.width != nil, size.height != nil else { return nil }
    return size
  }
}

extension ValueGrammar {
  /// One of several words, which is itself the value.
  package static func oneOf(_ name: String, _ words: [String]) -> Self where Value == String {
    Self(name: name, expected: orList(words), choices: words) { words.contains($0) ? $0 : nil }
  }

  /// One of several words, each with its value.
  package static func oneOf(_ name: String, _ words: KeyValuePairs<String, Value>) -> Self {
    let choices = words.map(\.key)
    let pairs = words.map { ($0.key, $0.value) }
    return Self(name: name, expected: orList(choices), choices: choices) { word in
      // A value may be nil itself, which is not the nil of a word that is not allowed.
      guard let pair = pairs.first(where: { $0.0 == word }) else { return nil }
      return .some(pair.1)
    }
  }
}

/// A width and a height; one of them may be nil, to follow from the image's aspect ratio.
package struct ImageSize: Sendable, Equatable {
  /// The largest side that libx264 encodes.
  package static let limit = 16384

  package var width: Int?
  package var height: Int?

  package init(width: Int?, height: Int?) { (self.width, self.height) = (width, height) }
}

/// Joins words as "a, b or c".
package func orList(_ words: [String]) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " or " + last
}

package func wholeNumber(_ word: String) -> Int? {
  guard !word.isEmpty, word.utf8.count <= 10, word.utf8.allSatisfy({ 48...57 ~= $0 }) else {
    return nil
  }
  return Int(word).flatMap { $0 <= Int(Int32.max) ? $0 : nil }
}

/// Parses an exact decimal number without sign or exponent, with at most nine decimals.
package func decimal(_ word: String) -> Rational? {
  let parts = word.split(separator: ".", omittingEmptySubsequences: false)
  guard parts.count <= 2, word != ".", word != "" else { return nil }
  let digits = parts.joined()
  let decimals = parts.count == 2 ? parts[1].count : 0
  guard !digits.isEmpty, decimals <= 9, digits.utf8.count <= 18,
    digits.utf8.allSatisfy({ 48...57 ~= $0 }), let number = Int64(digits)
  else { return nil }
  return Rational(number, (0..<decimals).reduce(1) { power, _ in power * 10 })
}

/// Parses `SS.ms`, `MM:SS.ms` or `HH:MM:SS.ms`; minutes and seconds after a colon are below 60.
private func seconds(_ word: String) -> Rational? {
  let parts = word.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
  guard parts.count <= 3, let last = parts.last, let seconds = decimal(last),
    parts.count == 1 || seconds < Rational(60)
  else { return nil }
  var total = Rational.zero
  for (index, part) in parts.dropLast().enumerated() {
    guard let number = wholeNumber(part), index == 0 || number < 60 else { return nil }
    total = (total + Rational(Int64(number))) * Rational(60)
  }
  // More than a year is a typing mistake, and would exceed the range of a video file's timestamps.
  let time = total + seconds
  return time <= Rational(366 * 24 * 3600) ? time : nil
}
