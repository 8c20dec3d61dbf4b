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
      // The textures are made before the first frame, and a formula may have any value later.
      if !values[index].formulas.isEmpty, file.header.sizingInputs.contains(name) {
        throw .usage(
          "effect '\(file.name)': \(name) decides how large the effect's images are or how many it keeps, and "
            + "takes no formula; it takes keyframes")
      }
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
    case .text: return ParameterTrack([])
    case nil where input.kind == .font: return ParameterTrack([])
    case nil: break
    }
    let text = text.trimmingBlanks
    if input.kind == .event, !text.hasPrefix("@"),
      let track = try formula(text, of: input, subject: subject)
    {
      return track
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
      if let track = try formula(text, of: input, subject: subject) { return track }
      throw .usage("\(subject) must be \(input.allowed), not '\(text)'")
    }
    return try ParameterTrack(
      parsing: text, subject: subject, allowed: input.allowed, isStepped: input.kind.isStepped,
      parse: input.parse)
  }

  /// Reads a formula; nil if the text is meant as something else.
  private static func formula(
    _ text: String, of input: EffectInput, subject: String
  ) throws(EffectError) -> ParameterTrack? {
    try ParameterTrack(
      formula: text,
      limits: (0..<input.kind.partCount).map { ParameterFormula.Limits(input, part: $0) },
      subject: subject, allowed: input.allowed,
      takesName: input.kind != .bool && input.choices.isEmpty)
  }

  private static func hint(_ name: String, _ inputs: [EffectInput]) -> String {
    let names = inputs.map(\.name)
    let near = NearNames.suggestion(name, in: names + ["mix", "from", "to"])
    guard near.isEmpty else { return near }
    return names.isEmpty ? "; it has none" : "; it has \(names.joined(separator: ", "))"
  }
}
