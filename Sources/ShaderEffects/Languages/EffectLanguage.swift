/// A language of effects: which files are written in it, and how a file is read.
///
/// Code that reads an effect's file asks this table, which gives an `EffectProgram`; no other code asks
/// for the language. A new language needs a row here and its own program.
struct EffectLanguage: Sendable {
  /// The name that people use.
  let name: String
  /// The extension of the language's files.
  let suffix: String
  /// Returns whether a text is in the language, if its extension has other uses too; nil if the
  /// language takes every text that no earlier language takes.
  var recognizes: (@Sendable (_ text: String) -> Bool)?
  /// True if lines may end with something other than a line feed.
  var hasOtherLineEnds = true
  /// Returns the paths where a second file of the effect may be; the first that exists belongs to the
  /// effect.
  var companionFiles: @Sendable (_ path: String) -> [String] = { _ in [] }
  /// Parses an effect; the offset of an error refers to the text of the file.
  let read: @Sendable (EffectText) throws(LocatedError) -> any EffectProgram

  /// The languages, in the order in which a name without an extension is searched, and in which
  /// languages with the same extension are asked.
  static let all = [native, isf, glslViewer, shadertoy, function, shadertoyExport]

  /// Vulkan GLSL with kfrec's own functions.
  private static let native = EffectLanguage(
    name: "kfrec", suffix: ".comp", hasOtherLineEnds: false,
    read: { text throws(LocatedError) in try NativeProgram(text) })

  /// The Interactive Shader Format: a fragment shader, with or without a vertex shader beside it.
  private static let isf = EffectLanguage(
    name: "ISF", suffix: ".fs",
    companionFiles: { path in [".vs", ".vert"].map { path.dropLast(".fs".count) + $0 } },
    read: { text throws(LocatedError) in try ISFFile(text) })

  /// A fragment shader with a `main`, for glslViewer.
  private static let glslViewer = EffectLanguage(
    name: "glslViewer", suffix: ".frag", recognizes: GLSLViewer.recognizes,
    read: { text throws(LocatedError) in
      try ForeignFile(glslViewer: text.plainSource, path: text.path)
    })

  /// A function `mainImage`, as on shadertoy.com.
  private static let shadertoy = EffectLanguage(
    name: "Shadertoy", suffix: ".frag",
    read: { text throws(LocatedError) in
      try ForeignFile(function: text.plainSource, path: text.path)
    })

  /// A function `mainImage`, or a function `transition` as in gl-transitions.
  private static let function = EffectLanguage(
    name: "Shadertoy or gl-transitions", suffix: ".glsl",
    recognizes: { $0.contains("mainImage") || $0.contains("transition") },
    read: { text throws(LocatedError) in
      try ForeignFile(function: text.plainSource, path: text.path)
    })

  /// A shader of several passes, as shadertoy.com exports it.
  private static let shadertoyExport = EffectLanguage(
    name: "Shadertoy export", suffix: ".json", recognizes: { $0.contains("\"renderpass\"") },
    read: { text throws(LocatedError) in
      try ForeignFile(export: text.plainSource, path: text.path)
    })

  /// Returns the text to which the offsets of errors refer.
  func places(in text: EffectText) -> String { hasOtherLineEnds ? text.plainSource : text.source }

  /// Returns the first language that matches a file's name; nil if the file is not an effect.
  static func ofFile(_ path: String) -> EffectLanguage? { candidates(path).first }

  /// Returns the language of a file with this text.
  static func ofFile(_ path: String, text: String) -> EffectLanguage? {
    let candidates = candidates(path)
    return candidates.first { $0.recognizes?(text) ?? true } ?? candidates.last
  }

  /// Returns whether a file is an effect; calls `text` only if the name alone does not decide.
  static func isEffect(_ path: String, text: () -> String?) -> Bool {
    let candidates = candidates(path)
    guard !candidates.isEmpty, candidates.allSatisfy({ $0.recognizes != nil }) else {
      return !candidates.isEmpty
    }
    // A file whose name is not UTF-8 cannot be read; it is listed so that the user sees the error.
    guard let text = text() else { return path.unicodeScalars.contains("\u{FFFD}") }
    return candidates.contains { $0.recognizes?(text) ?? true }
  }

  /// Returns the languages that match a file's name.
  private static func candidates(_ path: String) -> [EffectLanguage] {
    path.hasSuffix(".golden.json") ? [] : all.filter { path.hasSuffix($0.suffix) }
  }

  /// The language of a file without a known extension.
  static var usual: EffectLanguage { native }
}

/// The text of an effect's file, and of its companion file.
struct EffectText: Sendable {
  let path: String
  /// The text as it stands in the file.
  let source: String
  var companion: (path: String, source: String)?

  /// The text with line feeds only; in other hosts' formats a line may end with a carriage return.
  var plainSource: String { ISFFile.withPlainLineEnds(source) }
}
