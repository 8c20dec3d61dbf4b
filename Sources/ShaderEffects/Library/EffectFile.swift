import ShaderCompiler

/// An effect as it stands in its file, understood by its language.
struct EffectFile: Sendable {
  /// As searched for; messages use it.
  let path: String
  let program: any EffectProgram
  /// All that it was made from, itself and what stands beside it, each as it was read: texts are
  /// compared with these and with none that was worked on.
  let files: [IncludedFile]
  /// Where no file is yet, and one would belong to the effect.
  let awaited: [String]

  var header: EffectHeader { program.header }
  var role: EffectRole { program.role }
  /// The text in which the places of the header count.
  var source: String { program.source }

  /// What an input's value is called in GLSL.
  func glslName(of input: EffectInput) -> String { program.glslName(ofInput: input.name) }

  /// The file's name without folder and ending.
  var name: String { Self.name(ofPath: path) }

  static func name(ofPath path: String) -> String {
    let file = path.split(separator: "/").last ?? path[...]
    let suffix = EffectLanguage.ofFile(path)?.suffix ?? ""
    return String(file.dropLast(suffix.count))
  }

  init(path: String) throws(EffectError) {
    let source = try Self.read(path)
    let companion = EffectLanguage.ofFile(path, text: source)?.bestEffort(path).first {
      SourceFile.canonical($0) != nil
    }
    try self.init(
      path: path, source: source,
      companion: try companion.map { path throws(EffectError) in (path, try Self.read(path)) })
  }

  private static func read(_ path: String) throws(EffectError) -> String {
    do {
      return try SourceFile.read(path)
    } catch {
      // Names of a folder's files are text here, in which bytes that are no UTF-8 became this sign.
      let isMended = path.unicodeScalars.contains("\u{FFFD}") && SourceFile.canonical(path) == nil
      throw EffectError(
        file: path,
        "cannot be read as an effect: "
          + (isMended ? "its name is not UTF-8; rename the file" : error.reason))
    }
  }

  /// `companion` is the second file of an effect that has one, such as ISF's vertex shader.
  init(
    path: String, source: String, companion: (path: String, source: String)? = nil
  ) throws(EffectError) {
    self.path = path
    let language = EffectLanguage.ofFile(path, text: source) ?? .usual
    let text = EffectText(path: path, source: source, companion: companion)
    do {
      program = try language.read(text)
    } catch {
      throw EffectError(
        Diagnostic(
          file: path, source: SourceText(language.places(in: text)), utf8Offset: error.offset,
          message: error.message))
    }
    files =
      [IncludedFile(path: path, text: source)]
      + [companion.map { IncludedFile(path: $0.path, text: $0.source) }].compactMap(\.self)
      + program.otherFiles
    awaited = companion == nil ? language.bestEffort(path) : []
  }
}
