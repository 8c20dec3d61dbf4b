package import Frames
package import ShaderEffects

/// Mutes effects by hand, and gives each the `mix` again that it had.
package struct MutedEffects {
  private var mixes: [Int: [Double]] = [:]

  package init() {}

  /// Throws if the effect is not in the chain any more, or if its `mix` cannot change.
  package mutating func mute(
    _ id: EffectID, isOn: Bool, inbox: ParameterInbox, glide: Rational
  ) throws {
    let effects = inbox.effects.enumerated()
    guard let (_, effect) = effects.first(where: { EffectID($1, place: $0) == id }),
      let mix = effect.mix?.value
    else { throw ControlError("this effect is not in the chain any more") }
    guard isOn != (mix == [0]) else { return }
    if isOn { mixes[id.number] = mix }
    let value = isOn ? [0] : mixes[id.number] ?? [1]
    try inbox.give(.numbers(value), to: "mix", of: id.place, glide: glide)
  }
}

/// How an effect of a chain is named from outside: by its tag, or by its place where the chain never changes.
package struct EffectID: Equatable, Sendable {
  /// Above 0 a tag, below 0 a place, counted from -1.
  package let number: Int

  package init(_ effect: SteeredEffect, place: Int) {
    number = effect.tag > 0 ? effect.tag : -(place + 1)
  }

  package init(_ number: Int) { self.number = number }

  package var place: EffectPlace { number > 0 ? .tag(number) : .number(-number) }
}

extension SteeredEffect {
  /// The share of the effect that is blended over its input.
  package var mix: Parameter? { parameters.last { $0.name == "mix" } }
}
