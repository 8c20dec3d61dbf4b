package import Frames

/// An effect as asked for on the command line, `NAME[:param=value,...]`, in words not yet checked
/// against the effect's own declarations.
package struct EffectSpec: Sendable, Equatable {
  /// A name to search for, or a path.
  package var name: String
  /// The effect's own parameters in the order typed, values as typed (escapes resolved).
  package var parameters: [(name: String, value: String)]
  /// How much of the effect is blended over its input, 0 to 1; a number stands for one that stays.
  package var mix: ParameterTrack
  /// Seconds of effect time in which it acts; outside the picture passes untouched.
  package var from: Rational?
  package var to: Rational?

  package init(
    name: String, parameters: [(name: String, value: String)] = [], mix: ParameterTrack = 1,
    from: Rational? = nil, to: Rational? = nil
  ) {
    self.name = name
    self.parameters = parameters
    self.mix = mix
    self.from = from
    self.to = to
  }

  package static func == (a: EffectSpec, b: EffectSpec) -> Bool {
    a.name == b.name && a.mix == b.mix && a.from == b.from && a.to == b.to
      && a.parameters.elementsEqual(b.parameters, by: ==)
  }
}
