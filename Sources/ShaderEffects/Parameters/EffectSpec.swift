public import Frames

/// An effect as given on the command line, `NAME[:param=value,...]`, before it is checked against the
/// effect's own declarations.
public struct EffectSpec: Sendable, Equatable {
  /// A name to search for, or a path.
  public var name: String
  /// The effect's own parameters in the order typed; values as typed, with escapes resolved.
  public var parameters: [(name: String, value: String)]
  /// How much of the effect is blended over its input, 0 to 1; a number literal is a constant.
  public var mix: ParameterTrack
  /// The limits in seconds of the effect time in which the effect acts; outside them frames pass
  /// unchanged.
  public var from: Rational?
  public var to: Rational?
  /// Tells the effects of a chain that changes while it runs from one another, so that what was changed of an
  /// effect stays with it in another place; 0 in a chain that never changes.
  public var tag = 0
  /// Whether a file of the effect gives the parameters, as its golden file does: its pictures and its font must then lie
  /// where the effect's own files do.
  public var isOfEffect = false

  public init(
    name: String, parameters: [(name: String, value: String)] = [], mix: ParameterTrack = 1,
    from: Rational? = nil, to: Rational? = nil
  ) {
    self.name = name
    self.parameters = parameters
    self.mix = mix
    self.from = from
    self.to = to
  }

  /// Returns the effect with the names of its inputs in place of aliases, and with places from which colours are picked
  /// (`key=@0.1/0.2`) as values of the inputs that take them.
  ///
  /// - Throws: A usage error if an input is given by two names.
  func renamed(for file: EffectFile) throws(EffectError) -> EffectSpec {
    var renamed = self
    var given: [String: String] = [:]
    for (index, parameter) in parameters.enumerated() {
      var name = file.header.inputName(parameter.name)
      if parameter.value.hasPrefix("@"),
        let picker = file.header.inputs.first(where: { $0.name == name })?.picker
      {
        name = picker
        renamed.parameters[index].value.removeFirst()
      }
      if let other = given.updateValue(parameter.name, forKey: name) {
        throw .usage(
          "effect '\(file.name)': '\(other)' and '\(parameter.name)' are the same parameter; keep one"
        )
      }
      renamed.parameters[index].name = name
    }
    return renamed
  }

  /// Whether a value may be a formula that needs the audio, as far as the words show it.
  public var mayHear: Bool {
    mix.formulas.contains(where: \.hears)
      || parameters.contains { parameter in
        ((try? ExpressionLexer.tokens(parameter.value)) ?? []).contains { item in
          if case .name(let name) = item.token { AudioLevels.names.contains(name) } else { false }
        }
      }
  }

  /// Compares what was asked for; tags are no part of it.
  public static func == (a: EffectSpec, b: EffectSpec) -> Bool {
    a.name == b.name && a.mix == b.mix && a.from == b.from && a.to == b.to
      && a.parameters.elementsEqual(b.parameters, by: ==)
  }
}
