/// A language in which effects are written: its files, and how one is read.
///
/// Whatever reads an effect's file asks this table; behind it there is an `EffectProgram`, and nothing
/// asks for the language. A new language is a row here and a program of its own.
struct EffectLanguage: Sendable {
  /// How the name of such a file ends.
  let suffix: String
  /// Whether a text is an effect, where files of other uses have the same ending; nil where none have.
  var recognizes: (@Sendable (_ text: String) -> Bool)?
  /// Whether lines may end in other ways than with a line feed alone.
  var hasOtherLineEnds = true
  /// Where a second file of the effect may be: the first that is there belongs to it.
  var companions: @Sendable (_ path: String) -> [String] = { _ in [] }
  /// Understands an effect; an error's place is in the text of the file.
  let read: @Sendable (EffectText) throws(LocatedError) -> any EffectProgram

  /// In the order in which a name without an ending is looked for.
  static let all = [native, isf, shadertoy, function, shadertoyExport]

  /// Vulkan GLSL with kfrec's own functions.
  private static let native = EffectLanguage(
    suffix: ".comp", hasOtherLineEnds: false,
    read: { text throws(LocatedError) in try NativeProgram(text) })

  /// The Interactive Shader Format: a fragment shader, with a vertex shader beside it or none.
  private static let isf = EffectLanguage(
    suffix: ".fs",
    companions: { path in [".vs", ".vert"].map { path.dropLast(".fs".count) + $0 } },
    read: { text throws(LocatedError) in try ISFFile(text) })

  /// A function `mainImage`, as on shadertoy.com.
  private static let shadertoy = EffectLanguage(suffix: ".frag") { text throws(LocatedError) in
    try ForeignFile(function: text.plainSource, path: text.path)
  }

  /// The same, or a function `transition` as in gl-transitions.
  private static let function = EffectLanguage(
    suffix: ".glsl",
    recognizes: { $0.contains("mainImage") || $0.contains("transition") },
    read: { text throws(LocatedError) in
      try ForeignFile(function: text.plainSource, path: text.path)
    })

  /// A shader of several passes, as shadertoy.com exports it.
  private static let shadertoyExport = EffectLanguage(
    suffix: ".json", recognizes: { $0.contains("\"renderpass\"") },
    read: { text throws(LocatedError) in
      try ForeignFile(export: text.plainSource, path: text.path)
    })

  /// The text in which places of errors count.
  func places(in text: EffectText) -> String { hasOtherLineEnds ? text.plainSource : text.source }

  /// The language of a file, by its name; nil for one that is no effect.
  static func ofFile(_ path: String) -> EffectLanguage? {
    guard !path.hasSuffix(".golden.json") else { return nil }
    return all.first { path.hasSuffix($0.suffix) }
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
