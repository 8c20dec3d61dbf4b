/// A parameter of a running effect as a person sees it: its name, its newest value, and what it takes.
package struct ListedParameter: Sendable, Equatable {
  /// The effect's place in the chain; 1 for the first one.
  package let effect: Int
  package let effectName: String
  package let name: String
  /// The components of the newest value; those of a glide are its end.
  package let value: [Double]
  private let input: EffectInput

  init(effect: Int, of effectName: String, _ input: EffectInput, value: [Double]) {
    (self.effect, self.effectName, name) = (effect, effectName, input.name)
    (self.value, self.input) = (value, input)
  }

  /// The components' names: one empty name, or x and y, or r, g, b and a.
  package var parts: [String] { input.kind.componentSuffixes.map { String($0.dropFirst()) } }

  /// A component of the value for people: a number, the label of a menu, or on and off.
  package func text(ofPart part: Int) -> String {
    switch input.kind {
    case .bool: value[part] == 0 ? "off" : "on"
    case .event: "fire"
    case .long: input.choices.first { $0.value == value[part] }?.label ?? value[part].plainText
    default: ((value[part] * 1000).rounded() / 1000).plainText
    }
  }

  /// The values that a component takes, for people; empty if there is no limit.
  package func range(ofPart part: Int) -> String {
    if !input.choices.isEmpty { return "\(input.choices.count) choices" }
    guard input.kind != .bool, input.kind != .event else { return "" }
    guard let least = input.minimum?[part], let most = input.maximum?[part] else { return "" }
    return "\(least.plainText) to \(most.plainText)"
  }

  /// The value that the effect's file gives.
  package var usual: [Double] { input.defaultValue }

  /// Returns the value after a component was moved by so many steps: a hundredth of its range, the next
  /// entry of a menu, the other state of a switch; an event fires.
  package func moved(part: Int, by steps: Int) -> [Double] {
    var moved = value
    switch input.kind {
    case .bool: moved[part] = value[part] == 0 ? 1 : 0
    case .event: moved[part] = 1
    case .long where !input.choices.isEmpty:
      let index = input.choices.firstIndex { $0.value == value[part] } ?? 0
      let next = min(max(index + steps, 0), input.choices.count - 1)
      moved[part] = input.choices[next].value
    default:
      let least = input.minimum?[part]
      let most = input.maximum?[part]
      let isWhole = input.kind == .long
      var step = isWhole ? 1 : 0.01
      if !isWhole, let least, let most { step = (most - least) / 100 }
      let next = value[part] + Double(steps) * step
      moved[part] = min(max(next, least ?? -.infinity), most ?? .infinity)
    }
    return moved
  }
}
