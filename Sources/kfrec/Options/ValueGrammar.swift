import Capture
import Encode
import FFmpegHandles
import Frames
import ShaderEffects

/// The syntax of an option's value: its name in the help, the allowed values, and the parser.
struct ValueGrammar<Value: Sendable>: Sendable {
  /// The name of the value in the help ("WxH").
  let name: String
  /// The allowed values, as the end of the sentence "--option takes ...".
  let expected: String
  /// The allowed words, if they can be listed (for completions).
  var choices: [String] = []
  /// Parses a word; nil if it is not allowed, or an error with its own sentence.
  let parse: @Sendable (String) throws -> Value?
}

extension ValueGrammar where Value == String {
  /// Any text that is not empty.
  static func text(_ name: String, expected: String) -> Self {
    Self(name: name, expected: expected) { $0.isEmpty ? nil : $0 }
  }
}

extension ValueGrammar where Value == Int {
  /// A whole number in a range; an upper limit of `Int32.max` is not mentioned.
  static func number(_ name: String = "N", in range: ClosedRange<Int>) -> Self {
    let limits =
      range.upperBound == Int(Int32.max)
      ? "of \(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
    return Self(name: name, expected: "a whole number \(limits)") { word in
      wholeNumber(word).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// Bits per second: a number with or without `k` or `M` (powers of ten).
  static let bitrate = Self(
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
  static func number(_ name: String = "N", in range: ClosedRange<Int>) -> Self {
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

extension ValueGrammar where Value == FrameRange {
  /// Frame numbers from 0: the first and the last one, or a single one.
  static let frameRange = Self(
    name: "A-B", expected: "two frame numbers from 0 with a dash, such as 100-199"
  ) { word in
    let parts = word.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, let first = parts.first.flatMap(wholeNumber),
      let last = parts.last.flatMap(wholeNumber), first <= last, last < Int(Int32.max)
    else { return nil }
    return FrameRange(first: first, last: last)
  }
}

extension ValueGrammar where Value == [Rational] {
  /// Times, separated by commas.
  static let times = Self(
    name: "TIME,...", expected: "a time in seconds or HH:MM:SS, such as 2.5, or several as 2,0,0.5"
  ) { word in
    let times = word.split(separator: ",", omittingEmptySubsequences: false)
      .map { seconds(String($0)) }
    return times.contains(nil) ? nil : times.compactMap(\.self)
  }
}

extension ValueGrammar where Value == Rational {
  /// Seconds, `MM:SS` or `HH:MM:SS`, with decimals of the seconds if needed; kept exactly.
  static func time(positive: Bool = false) -> Self {
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
  static let frameRate = Self(
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
  static let size = Self(
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

extension ValueGrammar where Value == SIMD4<UInt8> {
  static let color = Self(
    name: "COLOR", expected: "a colour's name such as white, or #ff8000, or with alpha #ff800080"
  ) { parsedColor($0) }
}

extension ValueGrammar where Value == PictureCrop {
  /// A part of a picture; `auto` leaves out black bars.
  static let area = Self(
    name: "X,Y,W,H",
    expected:
      "the left and top edge, the width and the height in pixels, such as 0,140,1920,800, or auto"
  ) { word in
    if word == "auto" { return .withoutBars }
    var numbers = word.split(separator: ",", omittingEmptySubsequences: false)
      .map { wholeNumber(String($0)) }
    // As programs for X write it: 1920x800+0+140.
    let parts = word.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 3, let size = try ValueGrammar<ImageSize>.wholeSize.parse(parts[0]) {
      numbers = [wholeNumber(parts[1]), wholeNumber(parts[2]), size.width, size.height]
    }
    guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
      let height = numbers[3], [x, y].allSatisfy({ (0...ImageSize.limit).contains($0) }),
      [width, height].allSatisfy({ (1...ImageSize.limit).contains($0) })
    else { return nil }
    return .area(PixelArea(x: x, y: y, width: width, height: height))
  }
}

extension ValueGrammar where Value == Rational {
  /// The shape of a picture.
  static let shape = Self(
    name: "W:H", expected: "a width and a height from 1 to 1000, such as 16:9, or 2.39"
  ) { word in
    let parts = word.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, let width = parts.first.flatMap(decimal),
      let height = parts.count == 2 ? decimal(parts[1]) : .one,
      [width, height].allSatisfy({ $0 >= .one && $0 <= Rational(1000) })
    else { return nil }
    return width / height
  }
}

extension ValueGrammar where Value == ImageSize {
  /// Both sides, for cases without an aspect ratio to keep.
  static let wholeSize = Self(
    name: "WxH", expected: "a width and a height from 1 to \(ImageSize.limit), such as 1280x720"
  ) { word in
    guard let size = try size.parse(word), size.width != nil, size.height != nil else { return nil }
    return size
  }
}

extension ValueGrammar where Value == CameraControlWords {
  static let cameraControl = Self(
    name: "NAME=VALUE",
    expected:
      "a control's name and its value, such as brightness=128 (kfrec devices CAMERA lists them)"
  ) { word in
    guard let equal = word.firstIndex(of: "="), equal > word.startIndex else { return nil }
    let value = word[word.index(after: equal)...]
    return value.isEmpty
      ? nil : CameraControlWords(name: String(word[..<equal]), value: String(value))
  }
}

extension ValueGrammar where Value == EncoderOption {
  static let encoderOption = Self(
    name: "NAME=VALUE", expected: "an option's name and its value, such as tune=grain"
  ) { word in
    guard let equal = word.firstIndex(of: "="), equal > word.startIndex else { return nil }
    return EncoderOption(String(word[..<equal]), String(word[word.index(after: equal)...]))
  }
}

extension ValueGrammar where Value == EffectSpec {
  static let effect = Self(
    name: "EFFECT", expected: "an effect's name or path, such as separateRGB:amount=2"
  ) { word in
    word.isEmpty ? nil : try EffectSpec(parsing: word)
  }
}

extension ValueGrammar {
  /// One of several words, which is itself the value.
  static func oneOf(_ name: String, _ words: [String]) -> Self where Value == String {
    Self(name: name, expected: orList(words), choices: words) { words.contains($0) ? $0 : nil }
  }

  /// One of several words, each with its value.
  static func oneOf(_ name: String, _ words: KeyValuePairs<String, Value>) -> Self {
    let choices = words.map(\.key)
    let pairs = words.map { ($0.key, $0.value) }
    return Self(name: name, expected: orList(choices), choices: choices) { word in
      pairs.first { $0.0 == word }?.1
    }
  }
}

/// A width and a height; one of them may be nil, to follow from the image's aspect ratio.
struct ImageSize: Sendable, Equatable {
  /// The largest side that libx264 encodes.
  static let limit = 16384

  var width: Int?
  var height: Int?
}

/// Joins words as "a, b or c".
func orList(_ words: [String]) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " or " + last
}

func wholeNumber(_ word: String) -> Int? {
  guard !word.isEmpty, word.utf8.count <= 10, word.utf8.allSatisfy({ 48...57 ~= $0 }) else {
    return nil
  }
  return Int(word).flatMap { $0 <= Int(Int32.max) ? $0 : nil }
}

/// Parses an exact decimal number without sign or exponent, with at most nine decimals.
func decimal(_ word: String) -> Rational? {
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

extension ValueGrammar where Value == VideoChoice {
  /// One of several videos.
  static let variant = Self(
    name: "VARIANT", expected: "best, worst, a number from 1, or a width such as 1280x",
    choices: ["best", "worst"]
  ) { word in
    switch word {
    case "best": return .best
    case "worst": return .worst
    default:
      let isWidth = word.hasSuffix("x")
      guard let number = wholeNumber(isWidth ? String(word.dropLast()) : word),
        (1...Int(UInt16.max)).contains(number)
      else { return nil }
      return isWidth ? .width(number) : .number(number)
    }
  }
}
