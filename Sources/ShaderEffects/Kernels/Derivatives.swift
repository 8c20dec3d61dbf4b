import GPU
import ShaderCompiler

/// The GLSL derivative functions that an effect calls: `dFdx`, `dFdy`, `fwidth`.
///
/// They need kernels whose invocations form squares of pixels (`PixelQuads`).
struct Derivatives: Sendable, Equatable {
  /// The functions that the text names and does not define.
  let names: [String]

  static let none = Derivatives(names: [])

  private init(names: [String]) { self.names = names }

  /// Finds the derivatives in texts without comments.
  init(in texts: [String]) {
    let words = Set(texts.flatMap { GLSLText.tokens($0) })
    let named = PixelQuads.functions.filter { words.contains($0[...]) }
    let own = named.isEmpty ? GlobalNames() : GlobalNames(texts: texts)
    names = named.filter { !own.defines($0) }
  }

  /// Assumes every derivative that a text does not define itself, because its includes are not known
  /// yet.
  init(beforeIncludesOf text: String) {
    let own = GlobalNames(texts: [text])
    names = PixelQuads.functions.filter { !own.defines($0) }
  }

  /// The `#define`s to put before the text.
  var definitions: [(String, String)] { names.map { ($0, "kf_\($0)") } }

  /// The author's names, by the names that messages may contain.
  static let spokenNames = Dictionary(
    uniqueKeysWithValues: PixelQuads.functions.map { ("kf_\($0)", $0) })

  /// Returns the error for derivatives in the author's own `main`; nil if there are none.
  static func refusal(in code: String, path: String, source: String) -> Diagnostic? {
    guard let name = Derivatives(in: [code]).names.first else { return nil }
    var offset = 0
    for token in ISFToken.tokens(code) where offset >= 0 {
      if token.kind == .word, token.text == name { break }
      offset += token.text.utf8.count
    }
    return Diagnostic(
      file: path, source: SourceText(source), utf8Offset: offset,
      message: "'\(name)': an effect with its own main has no derivatives; "
        + "define 'vec4 effect(vec2 uv)' instead, or read the neighbour pixels")
  }
}

extension EffectShader {
  /// Throws an error that names what the GPU lacks for the effect's derivatives.
  func check(hasQuads: Bool, gpu: String) throws(EffectError) {
    guard !hasQuads, let name = derivatives.names.first else { return }
    throw EffectError(
      file: file.path,
      "effect '\(file.name)' uses \(name), and the GPU \(gpu) has no quad operations in compute "
        + "shaders; update its driver, or use the software driver with --gpu llvmpipe")
  }
}
