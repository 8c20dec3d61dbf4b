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
  /// What an input that is read as an image stands for.
  enum ImageRole {
    /// The image of a file, or nothing.
    case file
    /// The effect's input frame, as ISF names it.
    case frame
    /// The audio of the source.
    case audio
    /// Words that kfrec draws.
    case text
  }

  /// The role of an image or audio input; nil for any other input.
  var imageRole: ImageRole? {
    if kind.isAudio { return .audio }
    if kind == .text { return .text }
    guard kind == .image else { return nil }
    return Self.frameNames.contains(name) ? .frame : .file
  }

  /// ISF's names for the frame of a filter, and for the frame of the clip that a transition leaves.
  private static let frameNames = ["inputImage", "startImage"]
  /// ISF's name for the clip that a transition leads to.
  static let nextImageName = "endImage"
  /// The image inputs that make an effect a transition.
  static let transitionImageNames = ["startImage", nextImageName]

  /// True for ISF's input for the progress of a transition.
  var isProgress: Bool { name == "progress" && kind == .float }

  /// The names that the input takes in the shader.
  var names: [String] { kind.isImage ? ImageReading.names(name) : [name] }
}
