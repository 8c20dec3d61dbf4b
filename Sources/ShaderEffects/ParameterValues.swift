/// The values of an effect's inputs, from the words of the command line and the defaults.
enum ParameterValues {
  /// One value for each input, in the file's order.
  static func resolve(_ use: EffectUse, for file: EffectFile) throws(EffectError) -> [[Double]] {
    let inputs = file.header.inputs
    var values = inputs.map(\.defaultValue)
    for (name, text) in use.parameters {
      guard let index = inputs.firstIndex(where: { $0.name == name }) else {
        throw .usage("effect '\(file.name)' has no parameter '\(name)'\(hint(name, inputs))")
      }
      guard let value = inputs[index].parse(text) else {
        throw .usage(
          "effect '\(file.name)': \(name) must be \(inputs[index].allowed), not '\(text)'")
      }
      values[index] = value
    }
    return values
  }

  private static func hint(_ name: String, _ inputs: [EffectInput]) -> String {
    let names = inputs.map(\.name)
    let near = NearNames.suggestion(name, in: names + ["mix", "from", "to"])
    guard near.isEmpty else { return near }
    return names.isEmpty ? "; it has none" : "; it has \(names.joined(separator: ", "))"
  }
}
