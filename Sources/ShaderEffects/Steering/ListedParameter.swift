/// A parameter of a running effect in a list that people look at and change step by step.
public struct ListedParameter: Sendable, Equatable {
  /// The effect's place in the chain; 1 for the first one.
  public let effect: Int
  public let effectName: String
  public let parameter: SteeredEffect.Parameter

  /// Lists the parameters of a chain, in the order of the chain and of the effects' files.
  public static func all(of effects: [SteeredEffect]) -> [ListedParameter] {
    effects.enumerated().flatMap { place, effect in
      effect.parameters.map {
        ListedParameter(effect: place + 1, effectName: effect.name, parameter: $0)
      }
    }
  }

  private var value: [Double] { parameter.value }
  private var kind: EffectInput.Kind? { EffectInput.Kind(rawValue: parameter.type) }

  /// The components' names: one empty name, or x and y, or r, g, b and a.
  public var parts: [String] { kind?.componentSuffixes.map { String($0.dropFirst()) } ?? [] }

  /// A component of the value for people: a number, the label of a menu, or on and off.
  public func text(ofPart part: Int) -> String {
    switch kind {
    case .bool: value[part] == 0 ? "off" : "on"
    case .event: "fire"
    case .long:
      parameter.choices.first { $0.value == value[part] }?.label ?? value[part].plainText
    default: ((value[part] * 1000).rounded() / 1000).plainText
    }
  }

  /// The values that a component takes, for people; empty if there is no limit.
  public func range(ofPart part: Int) -> String {
    if !parameter.choices.isEmpty { return "\(parameter.choices.count) choices" }
    guard kind != .bool, kind != .event, let least = parameter.minimum?[part],
      let most = parameter.maximum?[part]
    else { return "" }
    return "\(least.plainText) to \(most.plainText)"
  }

  /// Returns the value after a component was moved by this many steps: a hundredth of its range, the next
  /// entry of a menu, the other state of a switch; an event fires.
  public func moved(part: Int, by steps: Int) -> [Double] {
    var moved = value
    switch kind {
    case .bool: moved[part] = value[part] == 0 ? 1 : 0
    case .event: moved[part] = 1
    case .long where !parameter.choices.isEmpty:
      let index = parameter.choices.firstIndex { $0.value == value[part] } ?? 0
      let next = min(max(index + steps, 0), parameter.choices.count - 1)
      moved[part] = parameter.choices[next].value
    default:
      let (least, most) = (parameter.minimum?[part], parameter.maximum?[part])
      var step = kind == .long ? 1 : 0.01
      if kind != .long, let least, let most { step = (most - least) / 100 }
      let next = value[part] + Double(steps) * step
      moved[part] = min(max(next, least ?? -.infinity), most ?? .infinity)
    }
    return moved
  }
}
