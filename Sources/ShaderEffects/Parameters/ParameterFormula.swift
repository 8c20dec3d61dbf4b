import Frames

/// A formula of time that gives one component of a parameter, such as `0.5+0.5*sin(time*2)`.
struct ParameterFormula: Sendable, Equatable {
  private let expression: Expression
  private let limits: Limits

  /// What a parameter does with the values that a formula gives.
  struct Limits: Sendable, Equatable {
    /// The value where the formula gives no number.
    var fallback = 0.0
    /// Values beyond these are moved to them.
    var minimum: Double?
    var maximum: Double?
    /// True for whole numbers; others are rounded down.
    var isWhole = false
    /// The allowed values of a menu, of which the nearest is taken; empty for none.
    var choices: [Double] = []
    /// True if every value but 0 counts as 1.
    var isSwitch = false
  }

  /// The names that a formula may use, each with its slot.
  static let slots: [String: Int] = Dictionary(
    uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
  fileprivate static let names = ["time", "frame", "fps", "pi"] + AudioLevels.names

  init(_ expression: Expression, limits: Limits) {
    (self.expression, self.limits) = (expression, limits)
  }

  /// Whether the formula needs the audio.
  var hears: Bool { !expression.names.isDisjoint(with: AudioLevels.names) }

  /// Returns the value for a frame; allocates nothing.
  func value(at clock: EffectClock) -> Double {
    let sound = clock.sound
    // The order is that of `names`.
    let variables: InlineArray<10, Double> = [
      clock.time.doubleValue, Double(clock.frameIndex), clock.frameRate.doubleValue, .pi,
      sound.level, sound.low, sound.mid, sound.high, sound.onset, sound.beat,
    ]
    return limits.allowed(
      variables.span.withUnsafeBufferPointer { expression.evaluate($0) })
  }
}

extension ParameterFormula.Limits {
  /// The rules of one component of an input.
  init(_ input: EffectInput, part: Int) {
    fallback = input.defaultValue.indices.contains(part) ? input.defaultValue[part] : 0
    minimum = input.minimum?[part]
    maximum = input.maximum?[part]
    isWhole = input.kind == .long
    choices = input.choices.map(\.value)
    isSwitch = input.kind == .bool || input.kind == .event
  }

  /// Returns the allowed value for what a formula gave.
  fileprivate func allowed(_ value: Double) -> Double {
    guard value.isFinite else { return fallback }
    if isSwitch { return value != 0 ? 1 : 0 }
    var value = isWhole ? value.rounded(.down) : value
    if let minimum { value = max(value, minimum) }
    if let maximum { value = min(value, maximum) }
    guard var nearest = choices.first else { return value }
    for choice in choices where abs(choice - value) < abs(nearest - value) { nearest = choice }
    return nearest
  }
}

extension ParameterTrack {
  /// Reads one formula for each component, `0.5+0.1*sin(time)/0.5`; nil if the text has nothing of a formula.
  ///
  /// Where there are several components, a slash outside parentheses separates them. A single name such as `beat` is a
  /// formula if `takesName`; a menu may have entries of such names.
  ///
  /// - Throws: A usage error that says what is wrong with the formula.
  init?(
    formula text: String, limits: [ParameterFormula.Limits], subject: String, allowed: String,
    takesName: Bool = true
  ) throws(EffectError) {
    guard ParameterTrack.isFormula(text, takesName: takesName) else { return nil }
    let parts = limits.count == 1 ? [text[...]] : ParameterTrack.components(text)
    guard parts.count == limits.count else {
      throw .usage(
        "\(subject) must be \(allowed), or \(limits.count) formulas with '/' between two; divisions "
          + "are written in parentheses")
    }
    var formulas: [ParameterFormula] = []
    for (part, limits) in zip(parts, limits) {
      do {
        let expression = try Expression(String(part), slots: ParameterFormula.slots)
        formulas.append(ParameterFormula(expression, limits: limits))
      } catch {
        let words = SteerableEffect.short(String(part))
        // A name that is like none of them says nothing of which there are.
        let isStrange = error.message.hasPrefix("there is no value") && error.message.last == "'"
        let names =
          isStrange ? "; the values are \(ParameterFormula.names.joined(separator: ", "))" : ""
        throw .usage("\(subject): '\(words)' is no formula: \(error.message)\(names)")
      }
    }
    self.init(formulas: formulas, fallback: limits.map(\.fallback))
  }

  /// Returns whether a text is meant as a formula, and not as a mistyped value.
  private static func isFormula(_ text: String, takesName: Bool) -> Bool {
    guard let tokens = try? ExpressionLexer.tokens(text) else { return text.contains("(") }
    let names = tokens.compactMap { item -> String? in
      if case .name(let name) = item.token { name } else { nil }
    }
    // The last token is the end.
    if tokens.count > 2 || takesName, names.contains(where: { ParameterFormula.slots[$0] != nil }) {
      return true
    }
    return tokens.enumerated().contains { index, item in
      item.token == .sign("(")
        || index > 0 && !names.isEmpty && ["+", "*", "%", "?"].contains(item.token.text)
    }
  }

  private static func components(_ text: String) -> [Substring] {
    var depth = 0
    return text.split(omittingEmptySubsequences: false) { character in
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return character == "/" && depth == 0
    }
  }
}
