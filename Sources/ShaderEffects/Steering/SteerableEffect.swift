import Frames

/// What can change of an effect while it runs; checks the values that are given for it.
struct SteerableEffect: Sendable, Equatable {
  let name: String
  /// The tag of the effect's `EffectSpec`.
  let tag: Int
  let description: String
  /// Whether points are counted from the bottom of the picture, and not from its top.
  let countsFromBottom: Bool
  /// The inputs of the file in their order, and then `mix`.
  let inputs: [EffectInput]
  /// The inputs that cannot change, each with the reason as the end of a sentence.
  private let fixed: [String: String]

  /// The share of the effect that is blended over its input, as every effect has it.
  static let mix = EffectInput(
    name: "mix", nameOffset: 0, kind: .float, defaultValue: [1], identity: nil, minimum: [0],
    maximum: [1], choices: [], label: "mix",
    description: "how much of the effect is blended over its input")

  /// The longest part of a given word that messages repeat, in characters.
  private static let quoted = 60

  /// `followed` is the input that the timeline sets; nil if there is none.
  init(
    name: String, tag: Int = 0, header: EffectHeader, countsFromBottom: Bool = false,
    followed: String?
  ) {
    self.countsFromBottom = countsFromBottom
    (self.name, self.tag, description) = (name, tag, header.description)
    inputs = header.inputs + [SteerableEffect.mix]
    var fixed: [String: String] = [:]
    for input in header.inputs {
      fixed[input.name] =
        switch input.imageRole {
        case .frame: "is the effect's input and takes no value"
        case .file: "is an image, and an image cannot change while the effect runs"
        case .audio: "is the source's audio and takes no value"
        case .text: "is a text, and the words cannot change while the effect runs"
        case nil where input.kind == .font: "is a font, and cannot change while the effect runs"
        case nil: nil
        }
    }
    for input in header.sizingInputs where fixed[input] == nil {
      fixed[input] =
        "decides how large the effect's images are or how many it keeps, and cannot change while the effect "
        + "runs"
    }
    if let followed { fixed[followed] = "follows the transition between the inputs" }
    self.fixed = fixed
  }

  /// Returns whether a parameter exists that can change.
  func has(_ parameter: String) -> Bool {
    inputs.contains { fixed[$0.name] == nil && $0.isCalled(parameter) }
  }

  /// The names of the parameters that can change.
  var names: [String] { inputs.map(\.name).filter { fixed[$0] == nil } }

  /// Checks a value, and returns the index of the input, the components of the value, and whether they are others than given.
  ///
  /// With `clamps` numbers out of range become the nearest that are allowed.
  ///
  /// - Throws: A usage error that says what the parameter takes, or which names are near.
  func check(
    _ given: GivenValue, for parameter: String, clamps: Bool = false
  ) throws(EffectError) -> (index: Int, value: [Double], isClamped: Bool) {
    let subject = "effect '\(name)': \(parameter)"
    // The last one, because an effect may have its own input `mix`, which cannot be reached anywhere.
    guard let index = inputs.lastIndex(where: { $0.isCalled(parameter) }) else {
      if parameter == "from" || parameter == "to" {
        throw .usage("\(subject) cannot change while the effect runs; change mix instead")
      }
      throw .usage(
        "effect '\(name)' has no parameter '\(Self.short(parameter))'\(hint(parameter))")
    }
    if parameter != SteerableEffect.mix.name, let reason = fixed[inputs[index].name] {
      throw .usage("\(subject) \(reason)")
    }
    let input = inputs[index]
    guard let value = input.value(of: given) else {
      if clamps, let nearest = input.nearest(to: given) { return (index, nearest, true) }
      let allowed = input.kind == .event ? "nothing, as an event that fires, or 0" : input.allowed
      throw .usage("\(subject) must be \(allowed), not '\(Self.short(given.words))'")
    }
    return (index, value, false)
  }

  private func hint(_ parameter: String) -> String {
    let near = NearNames.suggestion(parameter, in: names)
    return near.isEmpty ? "; it has \(names.joined(separator: ", "))" : near
  }

  /// Returns the beginning of a text that a message quotes.
  static func short(_ text: String) -> String {
    text.count > quoted ? text.prefix(quoted) + "..." : text
  }
}

extension GivenValue {
  /// The value as a person would type it.
  fileprivate var words: String {
    switch self {
    case .text(let text): text
    case .numbers(let numbers): numbers.map(\.plainText).joined(separator: "/")
    }
  }
}

extension EffectInput {
  /// Returns whether a name or an alias is that of this input.
  func isCalled(_ word: String) -> Bool { name == word || aliases.contains(word) }

  private static let firing: Set<String> = ["", "1", "true", "yes", "on"]
  private static let resting: Set<String> = ["0", "false", "no", "off"]

  /// Returns the components of a given value; nil if it is of another kind or out of range.
  fileprivate func value(of given: GivenValue) -> [Double]? {
    switch given {
    case .text(let text) where kind == .event:
      let word = text.lowercased()
      return Self.firing.contains(word) ? [1] : Self.resting.contains(word) ? [0] : nil
    case .text(let text): return parse(text)
    case .numbers(let numbers):
      guard numbers.allSatisfy(\.isFinite) else { return nil }
      return value(of: numbers).flatMap { isInRange($0) ? $0 : nil }
    }
  }

  /// The nearest value within the range; nil if the numbers are of another kind, or there is a menu.
  fileprivate func nearest(to given: GivenValue) -> [Double]? {
    guard case .numbers(let numbers) = given, numbers.allSatisfy(\.isFinite), choices.isEmpty,
      var nearest = self.value(of: numbers)
    else { return nil }
    for place in nearest.indices {
      if let minimum { nearest[place] = max(nearest[place], minimum[place]) }
      if let maximum { nearest[place] = min(nearest[place], maximum[place]) }
    }
    return isInRange(nearest) ? nearest : nil
  }

  private func value(of numbers: [Double]) -> [Double]? {
    switch kind {
    case .event: return numbers.count <= 1 ? [(numbers.first ?? 1) > 0 ? 1 : 0] : nil
    case .bool: return numbers.count == 1 ? [numbers[0] != 0 ? 1 : 0] : nil
    case .long:
      return numbers.count == 1 && Int32(exactly: numbers[0]) != nil ? numbers : nil
    case .color where numbers.count == 3: return numbers + [1]
    case .float, .point2D, .color: return numbers.count == kind.partCount ? numbers : nil
    case .image, .audio, .audioFFT, .text, .font: return nil
    }
  }
}
