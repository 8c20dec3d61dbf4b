/// A picture that an effect brings along: one entry of a header's IMPORTED.
struct EffectImport: Sendable, Equatable {
  let name: String
  /// Where it stands, in bytes from the start of the file.
  let nameOffset: Int
  /// As written: from the folder of the effect's file.
  let path: String
  let pathOffset: Int

  /// The names that the shader reads it by.
  var names: [String] { ImageReading.names(name) }

  /// Reads the entries, of `{"NAME": {"PATH": ...}}` or `[{"NAME": ..., "PATH": ...}]`.
  static func all(
    _ json: LocatedJSON, isForeign: Bool
  ) throws(LocatedError) -> [EffectImport] {
    var imports: [EffectImport] = []
    if case .object(let members) = json.value {
      for member in members {
        let name = LocatedJSON(value: .string(member.key), offset: member.keyOffset)
        imports.append(try EffectImport(name: name, member.value, isForeign))
      }
    } else {
      for item in try json.items("IMPORTED") {
        guard let name = try item.members("an import").first(where: { $0.key == "NAME" }) else {
          throw LocatedError(offset: item.offset, message: "an import needs NAME")
        }
        imports.append(try EffectImport(name: name.value, item, isForeign))
      }
    }
    return imports
  }

  private init(
    name json: LocatedJSON, _ entry: LocatedJSON, _ isForeign: Bool
  ) throws(LocatedError) {
    name = try EffectNames.check(json, isForeign: isForeign)
    nameOffset = json.offset
    let members = try entry.members("the import '\(name)'")
    guard let path = members.first(where: { $0.key == "PATH" }) else {
      throw LocatedError(offset: entry.offset, message: "the import '\(name)' needs PATH")
    }
    self.path = try path.value.string("PATH of the import '\(name)'")
    pathOffset = path.value.offset
    for member in members where !["NAME", "PATH", "TYPE", "DESCRIPTION"].contains(member.key) {
      throw LocatedError(
        offset: member.keyOffset,
        message: "the import '\(name)': unknown key \(member.key); it has NAME and PATH")
    }
    guard !self.path.isEmpty else {
      throw LocatedError(
        offset: pathOffset, message: "PATH of the import '\(name)' must name a file")
    }
  }
}

extension EffectInput {
  /// What it is where it stands for a picture.
  enum ImageRole {
    /// The picture of a file, or nothing.
    case file
    /// The effect's input itself, as ISF names it.
    case frame
    /// The sound of the source.
    case sound
  }

  /// Nil for what is no picture.
  var imageRole: ImageRole? {
    if kind.isSound { return .sound }
    guard kind == .image else { return nil }
    return Self.frameNames.contains(name) ? .frame : .file
  }

  /// ISF's words for the frame of a filter, and for that of the clip that a transition leads away from.
  private static let frameNames = ["inputImage", "startImage"]
  /// ISF's word for the clip that a transition leads to.
  static let nextImageName = "endImage"
  /// The images that make an effect a transition.
  static let transitionImageNames = ["startImage", nextImageName]

  /// ISF's word for how far a transition is.
  var isProgress: Bool { name == "progress" && kind == .float }

  /// The names that it takes in the shader.
  var names: [String] { kind.isPicture ? ImageReading.names(name) : [name] }
}
