/// An image that comes with an effect: one entry of a header's IMPORTED.
struct EffectImport: Sendable, Equatable {
  let name: String
  /// The place of the name, in bytes from the start of the file.
  let nameOffset: Int
  /// The path as written, relative to the folder of the effect's file.
  let path: String
  let pathOffset: Int

  /// The names of the functions with which the shader reads the image.
  var names: [String] { ImageReading.names(name) }

  /// Reads the entries, written as `{"NAME": {"PATH": ...}}` or `[{"NAME": ..., "PATH": ...}]`.
  static func all(
    _ json: LocatedJSON, _ rules: HeaderRules
  ) throws(LocatedError) -> [EffectImport] {
    var imports: [EffectImport] = []
    if case .object(let members) = json.value {
      for member in members {
        let name = LocatedJSON(value: .string(member.key), offset: member.keyOffset)
        imports.append(try EffectImport(name: name, member.value, rules))
      }
    } else {
      for item in try json.items("IMPORTED") {
        guard let name = try item.members("an import").first(where: { $0.key == "NAME" }) else {
          throw item.mistake("an import needs NAME")
        }
        imports.append(try EffectImport(name: name.value, item, rules))
      }
    }
    return imports
  }

  private init(
    name json: LocatedJSON, _ entry: LocatedJSON, _ rules: HeaderRules
  ) throws(LocatedError) {
    name = try rules.name(json)
    nameOffset = json.offset
    let members = try entry.members("the import '\(name)'")
    guard let path = members.first(where: { $0.key == "PATH" }) else {
      throw entry.mistake("the import '\(name)' needs PATH")
    }
    self.path = try path.value.string("PATH of the import '\(name)'")
    pathOffset = path.value.offset
    for member in members where !["NAME", "PATH", "TYPE", "DESCRIPTION"].contains(member.key) {
      throw member.mistake("the import '\(name)': unknown key \(member.key); it has NAME and PATH")
    }
    guard !self.path.isEmpty else {
      throw LocatedError(
        offset: pathOffset, message: "PATH of the import '\(name)' must name a file")
    }
  }
}
