import Frames

/// A checked parameter that an effect declares.
struct EffectInput: Sendable, Equatable {
  enum Kind: String, Sendable, CaseIterable {
    case float, bool, long, point2D, color, image, event, audio, audioFFT, text, font

    /// The GLSL type of its values; nil for an image, audio or text, which functions read, and for a font.
    var glsl: GLSLType? {
      switch self {
      case .float: .float
      case .bool, .event: .bool
      case .long: .int
      case .point2D: .vec2
      case .color: .vec4
      case .image, .audio, .audioFFT, .text, .font: nil
      }
    }

    /// True for an audio texture.
    var isAudio: Bool { self == .audio || self == .audioFFT }

    /// True if its value is words: a text, or the name of a font.
    var isWords: Bool { self == .text || self == .font }

    /// True if functions read it, as they read an image.
    var isImage: Bool { glsl == nil && self != .font }

    /// True if values cannot be interpolated.
    var isStepped: Bool { self == .bool || self == .long }

    /// The number of components of a value; allocates nothing.
    var partCount: Int {
      switch self {
      case .image, .audio, .audioFFT, .text, .font: 0
      case .float, .bool, .long, .event: 1
      case .point2D: 2
      case .color: 4
      }
    }

    /// The suffixes of the components' names in an expression (`.x` and so on); `""` for a single one.
    var componentSuffixes: [String] {
      switch self {
      case .float, .bool, .long, .event: [""]
      case .point2D: [".x", ".y"]
      case .color: [".r", ".g", ".b", ".a"]
      case .image, .audio, .audioFFT, .text, .font: []
      }
    }
  }

  let name: String
  /// The place of the name, in bytes from the start of the file.
  let nameOffset: Int
  let kind: Kind
  /// The components of the default; 0 or 1 for a bool.
  var defaultValue: [Double]
  /// The value at which the input does nothing, if the header gives one.
  let identity: [Double]?
  /// The smallest and largest value of each component; nil for no limit.
  let minimum: [Double]?
  let maximum: [Double]?
  /// The menu of a `long`; empty if any whole number in its range is allowed.
  let choices: [MenuChoice]
  /// The text that people read instead of the name.
  let label: String
  let description: String
  /// True for an image that may be missing without a warning.
  var isOptional = false
  /// True for an image that the effect cannot work without.
  var isRequired = false
  /// The number of columns of an audio texture.
  var columns = EffectInput.usualColumns
  /// The default of a text or a font.
  var words = ""
  /// Other names that the command line accepts, such as names of earlier versions.
  var aliases: [String] = []
  /// For a colour, the point input that takes a place in the picture from which the colour is picked.
  var picker: String?

  static let usualColumns = 256
  /// The allowed values of MAX of an audio input.
  static let columnLimits = 1...8192

  /// Returns a value as a user would type it.
  func text(of value: [Double]) -> String {
    switch kind {
    case .bool: return value == [0] ? "false" : "true"
    case .long: return choices.first { [$0.value] == value }?.label ?? value[0].plainText
    case .event, .audio, .audioFFT: return ""
    case .text, .font: return words
    case .float, .point2D, .color, .image:
      return value.map(\.plainText).joined(separator: "/")
    }
  }

  /// The allowed values, in words that end a sentence.
  var allowed: String {
    let range = minimum.flatMap { low in
      maximum.map { high in " from \(text(of: low)) to \(text(of: high))" }
    }
    switch kind {
    case .float: return "a number\(range ?? "")"
    case .bool: return "true or false"
    case .long where !choices.isEmpty:
      return "one of \(choices.map(\.label).joined(separator: ", "))"
    case .long: return "a whole number\(range ?? "")"
    case .point2D: return "two numbers x/y\(range ?? "")"
    case .image: return "the path of an image or video"
    case .audio, .audioFFT: return "nothing"
    case .text: return "words"
    case .font: return "the name of a font or the path of a font file"
    case .event: return "the times at which it fires, such as \(name)@2 or \(name)@2@5.5"
    case .color where picker != nil:
      return
        "a colour such as red, ff8000 or 1/0.5/0, or a place in the picture that has it, such as @0.1/0.2"
    case .color where minimum == [0, 0, 0, 0] && maximum == [1, 1, 1, 1]:
      return "a colour such as red, ff8000, ff8000c0 or 1/0.5/0/1, each part from 0 to 1"
    case .color: return "four numbers such as 1/0.5/0/1\(range ?? "")"
    }
  }

  /// Returns whether every component is within its limits, and the value is in the menu if there is
  /// one.
  func isInRange(_ value: [Double]) -> Bool {
    if let minimum, zip(value, minimum).contains(where: { $0 < $1 }) { return false }
    if let maximum, zip(value, maximum).contains(where: { $0 > $1 }) { return false }
    return choices.isEmpty || choices.contains { [$0.value] == value }
  }

  /// Parses a value from the command line; nil if it is of another kind or out of range.
  func parse(_ text: String) -> [Double]? {
    let value: [Double]?
    switch kind {
    case .float: value = number(text).map { [$0] }
    case .bool: value = Self.bools[text.lowercased()].map { [$0] }
    case .long: value = long(text).map { [$0] }
    case .point2D: value = Self.parts(text, counts: 2...2)
    case .color: value = Self.color(text)
    case .image, .event, .audio, .audioFFT, .text, .font: value = nil
    }
    return value.flatMap { isInRange($0) ? $0 : nil }
  }

  /// Whether a percentage has one meaning: the range is 0 to 1.
  private var takesPercent: Bool { kind == .float && minimum == [0] && maximum == [1] }

  private func number(_ text: String) -> Double? {
    guard takesPercent, text.last == "%" else { return Double(plainDecimal: text) }
    return Double(plainDecimal: text.dropLast()).map { $0 / 100 }
  }

  private static let bools: [String: Double] = [
    "true": 1, "yes": 1, "on": 1, "1": 1, "false": 0, "no": 0, "off": 0, "0": 0,
  ]

  private func long(_ text: String) -> Double? {
    if let choice = choices.first(where: { $0.label.lowercased() == text.lowercased() }) {
      return choice.value
    }
    return Int32(text).map(Double.init)
  }

  private static func parts(_ text: String, counts: ClosedRange<Int>) -> [Double]? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double(plainDecimal: $0) }
    return numbers.count == parts.count && counts.contains(parts.count) ? numbers : nil
  }

  private static func color(_ text: String) -> [Double]? {
    guard !text.contains("/") else {
      return parts(text, counts: 3...4).map { $0.count == 3 ? $0 + [1] : $0 }
    }
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    guard digits.utf8.count == 6 || digits.utf8.count == 8,
      digits.allSatisfy(\.isHexDigit), let number = UInt32(digits, radix: 16)
    else {
      return namedColor(text).map { [$0.x, $0.y, $0.z, 255].map { Double($0) / 255 } }
    }
    let rgba = digits.utf8.count == 6 ? number << 8 | 0xFF : number
    return [24, 16, 8, 0].map { Double(rgba >> $0 & 0xFF) / 255 }
  }
}

extension EffectInput {
  /// The images that hosts of ISF give to inputs of these names.
  enum HostImage: String {
    /// The frame that a filter works on.
    case frame = "inputImage"
    /// The frame of the clip that a transition leaves.
    case start = "startImage"
    /// The frame of the clip that a transition leads to; a file may take its place.
    case end = "endImage"

    /// The names that make an effect a transition.
    static let ofTransition = [start.rawValue, end.rawValue]
  }

  /// The content of an input that is read as an image.
  enum ImageRole {
    /// The image of a file, or nothing.
    case file
    /// The effect's input frame, as ISF names it.
    case frame
    /// The audio of the source.
    case audio
    /// Words that kfrec draws.
    case text
  }

  /// The role of an image or audio input; nil for any other input.
  var imageRole: ImageRole? {
    switch kind {
    case .audio, .audioFFT: .audio
    case .text: .text
    case .image: [.frame, .start].contains(HostImage(rawValue: name)) ? .frame : .file
    case .float, .bool, .long, .point2D, .color, .event, .font: nil
    }
  }

  /// True for ISF's input for the progress of a transition.
  var isProgress: Bool { name == "progress" && kind == .float }

  /// The names that the input takes in the shader.
  var names: [String] { kind.isImage ? ImageReading.names(name) : [name] }
}

/// One entry of the menu of a `long`.
public struct MenuChoice: Sendable, Equatable {
  public let value: Double
  public let label: String
}
