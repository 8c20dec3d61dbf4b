/// A language in which effects are written: its files, and how one is read.
///
/// Whatever reads an effect's file asks this table; behind it there is an `EffectProgram`, and nothing
/// asks for the language. A new language is a row here and a program of its own.
struct EffectLanguage: Sendable {
  /// As people call it.
  let name: String
  /// How the name of such a file ends.
  let suffix: String
  /// Whether a text is in the language, where files of other languages or uses have the same ending; nil
  /// for one that takes all that no language before it does.
  var recognizes: (@Sendable (_ text: String) -> Bool)?
  /// Whether lines may end in other ways than with a line feed alone.
  var hasOtherLineEnds = true
  /// Where a second file of the effect may be: the first that is there belongs to it.
  var bestEffort: @Sendable (_ path: String) -> [String] = { _ in [] }
  /// Understands an effect; an error's place is in the text of the file.
  let read: @Sendable (EffectText) throws(LocatedError) -> any EffectProgram

  /// In the order in which a name without an ending is looked for, and in which languages with the same
  /// ending are asked.
  static let all = [native, isf, glslViewer, shadertoy, function, shadertoyExport]

  /// Vulkan GLSL with kfrec's own functions.
  private static let native = EffectLanguage(
    name: "kfrec", suffix: ".comp", hasOtherLineEnds: false,
    read: { text throws(LocatedError) in try NativeProgram(text) })

  /// The Interactive Shader Format: a fragment shader, with a vertex shader beside it or none.
  private static let isf = EffectLanguage(
    name: "ISF", suffix: ".fs",
    bestEffort: { path in [".vs", ".vert"].map { path.dropLast(".fs".count) + $0 } },
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

  /// The same, or a function `transition` as in gl-transitions.
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

  /// The text in which places of errors count.
  func places(in text: EffectText) -> String { hasOtherLineEnds ? text.plainSource : text.source }

  /// The first language of a file, by its name; nil for one that is no effect.
  static func ofFile(_ path: String) -> EffectLanguage? { candidates(path).first }

  /// The language of a file with a text.
  static func ofFile(_ path: String, text: String) -> EffectLanguage? {
    let candidates = candidates(path)
    return candidates.first { $0.recognizes?(text) ?? true } ?? candidates.last
  }

  /// Whether a file is an effect; `text` is asked for where the name alone does not tell.
  static func isEffect(_ path: String, text: () -> String?) -> Bool {
    let candidates = candidates(path)
    guard !candidates.isEmpty, candidates.allSatisfy({ $0.recognizes != nil }) else {
      return !candidates.isEmpty
    }
    // One whose name is no UTF-8 cannot be read, and is listed so that this is told.
    guard let text = text() else { return path.unicodeScalars.contains("\u{FFFD}") }
    return candidates.contains { $0.recognizes?(text) ?? true }
  }

  /// The languages whose files have such a name.
  private static func candidates(_ path: String) -> [EffectLanguage] {
    path.hasSuffix(".golden.json") ? [] : all.filter { path.hasSuffix($0.suffix) }
  }

  /// What a file without the ending of any language is read as.
  static var usual: EffectLanguage { native }
}

/// The text of an effect's file, and of the one that belongs to it.
struct EffectText: Sendable {
  let path: String
  /// As it stands in the file.
  let source: String
  var companion: (path: String, source: String)?

  /// With line feeds alone: other hosts' formats came from a time and a place in which a line could
  /// end with a carriage return.
  var plainSource: String { ISFFile.withPlainLineEnds(source) }
}
