/// Finds the values of an effect's inputs from the command line and the defaults.
enum ParameterValues {
  /// Returns one track for each input, in the file's order.
  static func resolve(_ use: EffectSpec, for file: EffectFile) throws(EffectError)
    -> [ParameterTrack]
  {
    let inputs = file.header.inputs
    var values = inputs.map { ParameterTrack($0.defaultValue) }
    let places = Dictionary(inputs.enumerated().map { ($1.name, $0) }) { first, _ in first }
    for (name, text) in use.parameters {
      guard let index = places[name] else {
        throw .usage("effect '\(file.name)' has no parameter '\(name)'\(hint(name, inputs))")
      }
      values[index] = try track(text, of: inputs[index], effect: file.name)
    }
    return values
  }

  private static func track(
    _ text: String, of input: EffectInput, effect: String
  ) throws(EffectError) -> ParameterTrack {
    let subject = "effect '\(effect)': \(input.name)"
    switch input.imageRole {
    case .frame:
      throw .usage("\(subject) is the effect's input and takes no value")
    case .file:
      guard !text.isEmpty else { throw .usage("\(subject) must be \(input.allowed)") }
      return ParameterTrack([])
    case .audio:
      throw .usage("\(subject) is the source's audio and takes no value")
    case nil: break
    }
    if input.kind == .event {
      return try ParameterTrack(eventTimes: text, subject: subject, allowed: input.allowed)
    }
    guard !text.hasPrefix("@") else {
      throw .usage("\(subject) is not an event and takes a value: \(input.allowed)")
    }
    // Tries one value first, because a label may contain any characters.
    if let value = input.parse(text) { return ParameterTrack(value) }
    guard ParameterTrack.isNotation(text) else {
      throw .usage("\(subject) must be \(input.allowed), not '\(text)'")
    }
    return try ParameterTrack(
      parsing: text, subject: subject, allowed: input.allowed, isStepped: input.kind.isStepped,
      parse: input.parse)
  }

  private static func hint(_ name: String, _ inputs: [EffectInput]) -> String {
    let names = inputs.map(\.name)
    let near = NearNames.suggestion(name, in: names + ["mix", "from", "to"])
    guard near.isEmpty else { return near }
    return names.isEmpty ? "; it has none" : "; it has \(names.joined(separator: ", "))"
  }
}
