import ShaderCompiler

/// An effect as it stands in its file, parsed by its language.
struct EffectFile: Sendable {
  /// The path as it was found; messages use it.
  let path: String
  let program: any EffectProgram
  /// The effect's file and the files beside it, as they were read: the current texts are compared with
  /// these, not with processed texts.
  let files: [IncludedFile]
  /// The paths where no file is yet, but where a file would belong to the effect.
  let awaited: [String]
  /// The folders from which its files may come.
  let readable: ReadableFolders

  var header: EffectHeader { program.header }
  var role: EffectRole { program.role }
  /// The text to which the offsets in the header refer.
  var source: String { program.source }

  /// Returns a message about a place in the file, or about all of it.
  func diagnostic(
    _ message: String, at offset: Int?, severity: Diagnostic.Severity = .error
  ) -> Diagnostic {
    guard let offset else { return Diagnostic(file: path, severity: severity, message: message) }
    return Diagnostic(
      file: path, source: SourceText(source), utf8Offset: offset, severity: severity,
      message: message)
  }

  /// Returns the GLSL name of an input's value.
  func glslName(of input: EffectInput) -> String { program.glslName(ofInput: input.name) }

  /// The file's name without folder and extension.
  var name: String { Self.name(ofPath: path) }

  static func name(ofPath path: String) -> String {
    let file = path.split(separator: "/").last ?? path[...]
    let suffix = EffectLanguage.ofFile(path)?.suffix ?? ""
    return String(file.dropLast(suffix.count))
  }

  init(path: String, readable: ReadableFolders) throws(EffectError) {
    let source = try Self.read(path)
    let companion = EffectLanguage.ofFile(path, text: source)?.companionFiles(path).first {
      SourceFile.canonical($0) != nil
    }
    try self.init(
      path: path, source: source,
      companion: try companion.map { path throws(EffectError) in (path, try Self.read(path)) },
      readable: readable)
  }

  private static func read(_ path: String) throws(EffectError) -> String {
    do {
      return try SourceFile.read(path)
    } catch {
      // In names read from a folder, U+FFFD replaces bytes that are not UTF-8.
      let isMended = path.unicodeScalars.contains("\u{FFFD}") && SourceFile.canonical(path) == nil
      throw EffectError(
        file: path,
        "cannot be read as an effect: "
          + (isMended ? "its name is not UTF-8; rename the file" : error.reason))
    }
  }

  /// Parses an effect; `companion` is its second file, if it has one, such as ISF's vertex shader.
  ///
  /// - Throws: What is wrong with the text, or with a file of the effect, which may lie in the folders of `readable` only;
  ///   without these, in the effect's own.
  init(
    path: String, source: String, companion: (path: String, source: String)? = nil,
    readable: ReadableFolders? = nil
  ) throws(EffectError) {
    self.path = path
    self.readable = readable ?? ReadableFolders([SourceFile.folder(of: path)])
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
    awaited = companion == nil ? language.companionFiles(path) : []
    for other in files.dropFirst() where self.readable.refuses(other.path) {
      throw EffectError(file: path, "its file \(other.path) \(self.readable.refusal)")
    }
  }
}
