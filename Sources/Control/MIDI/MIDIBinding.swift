package import ShaderEffects

/// A line of a map: what a source of MIDI changes.
package struct MIDIBinding: Sendable, Equatable {
  let source: MIDISource
  let target: MIDITarget
  /// The values at the two ends of the source; nil for the parameter's own range.
  let range: ClosedEnds?

  /// Two ends, of which the first may be the larger one.
  struct ClosedEnds: Sendable, Equatable {
    let low: Double
    let high: Double
  }

  private static let usage =
    "write a line such as 'cc 1/21 -> effect 1 amount' or 'note 10/36 -> effect bloom flash'"

  init(source: MIDISource, target: MIDITarget, range: ClosedEnds? = nil) {
    (self.source, self.target, self.range) = (source, target, range)
  }

  /// Reads a line; nil for an empty line and a comment.
  init?(parsing line: String) throws(ControlError) {
    let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" })
      .map(String.init)
    guard let first = words.first, !first.hasPrefix("#") else { return nil }
    guard words.count == 6 || words.count == 8, words[2] == "->", words[3] == "effect" else {
      throw ControlError(Self.usage)
    }
    source = try MIDISource(words[0], words[1])
    target = MIDITarget(place: ControlCommand.place(words[4]), name: words[5])
    guard words.count == 8 else {
      range = nil
      return
    }
    guard let low = Double(words[6]), let high = Double(words[7]), low.isFinite, high.isFinite
    else {
      throw ControlError("the values at the two ends must be numbers, such as 0.2 0.8")
    }
    range = ClosedEnds(low: low, high: high)
  }

  /// The binding, as map files write it.
  package var text: String {
    source.text + " -> " + target.text + (range.map { " \($0.low) \($0.high)" } ?? "")
  }

  /// Finds the new components of a parameter after a movement of a source that was at `previous`, from 0 to 1; nil if
  /// component `part` does not change.
  func value(
    of parameter: SteeredEffect.Parameter, part: Int, after move: MIDIMove, previous: Double
  ) -> [Double]? {
    var value = parameter.value
    guard value.indices.contains(part) else { return nil }
    let isNote = source.kind == .note
    // A key has an effect when it is pressed, a knob when it passes its middle.
    let isPressed = isNote ? move.value > 0 : move.value >= 0.5 && previous < 0.5
    let (low, high) = (
      range?.low ?? parameter.minimum?[part] ?? 0, range?.high ?? parameter.maximum?[part] ?? 1
    )
    switch parameter.type {
    case "event": return isPressed || move.program != nil ? [1] : nil
    case "bool" where isNote:
      guard isPressed else { return nil }
      value[part] = value[part] == 0 ? 1 : 0
    case "bool": value[part] = move.value >= 0.5 ? 1 : 0
    case "long" where !parameter.choices.isEmpty:
      guard let choice = choice(of: parameter, value[part], move) else { return nil }
      value[part] = choice
    case "long":
      value[part] = move.program.map(Double.init) ?? (low + move.value * (high - low)).rounded()
    default: value[part] = low + move.value * (high - low)
    }
    // The ends of a line may lie outside.
    value[part] = min(
      max(value[part], parameter.minimum?[part] ?? -.infinity),
      parameter.maximum?[part] ?? .infinity)
    return value
  }

  /// Returns the value of the entry of a menu that a movement means; nil if it means none.
  private func choice(
    of parameter: SteeredEffect.Parameter, _ present: Double, _ move: MIDIMove
  ) -> Double? {
    let choices = parameter.choices
    if let program = move.program {
      return choices.indices.contains(program) ? choices[program].value : nil
    }
    if source.kind == .note {
      guard move.value > 0 else { return nil }
      let index = choices.firstIndex { $0.value == present } ?? -1
      return choices[(index + 1) % choices.count].value
    }
    return choices[min(Int(move.value * Double(choices.count)), choices.count - 1)].value
  }
}

/// A component of a parameter of an effect in the chain.
package struct MIDITarget: Sendable, Hashable {
  /// The position of the effect from 1, or nil.
  let number: Int?
  /// The name of the effect if there is no position.
  let effect: String
  package let parameter: String
  /// The component's name, such as x or r; empty for a parameter with one component.
  let part: String

  /// Makes the target of a row of a list.
  package init(_ row: ListedParameter, part: Int) {
    (number, effect, parameter) = (row.effect, "", row.parameter.name)
    self.part = row.parts[part]
  }

  /// Makes the target of the words `effect PLACE NAME`, in which NAME may be `center.x`.
  init(place: EffectPlace, name: String) {
    switch place {
    case .number(let place): (number, effect) = (place, "")
    case .name(let name): (number, effect) = (nil, name)
    // Lines never name an effect by its tag.
    case .firstWithParameter, .tag: (number, effect) = (nil, "")
    }
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    parameter = String(parts[0])
    part = parts.count > 1 ? String(parts[1]) : ""
  }

  /// The parameter, as map files write it.
  package var text: String { "effect \(number.map(String.init) ?? effect) \(name)" }

  /// The parameter with its component, such as `center.x`.
  var name: String { parameter + (part.isEmpty ? "" : "." + part) }

  /// Returns the parameter and the index of the component in a list; nil if the chain has no such one.
  func find(in rows: [ListedParameter]) -> (row: ListedParameter, part: Int)? {
    for row in rows
    where (row.parameter.name == parameter || row.parameter.aliases.contains(parameter))
      && (number.map { $0 == row.effect } ?? (row.effectName == effect))
    {
      return row.parts.firstIndex(of: part).map { (row, $0) }
    }
    return nil
  }
}
