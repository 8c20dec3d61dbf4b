import GPU
import ShaderCompiler

/// An effect after its language has parsed it.
protocol EffectProgram: Sendable {
  /// The header in kfrec's own form.
  var header: EffectHeader { get }
  var role: EffectRole { get }
  /// The texts of further files besides the effect's own file and its companion, as they were read.
  var otherFiles: [IncludedFile] { get }
  /// The GLSL of the effect's files, for searches of its words.
  var texts: [String] { get }
  /// The text of the file to which the offsets in its header refer.
  var source: String { get }
  /// Differences from the effect's original host, one sentence each.
  var warnings: [String] { get }
  /// True if names, units and categories of the header should be those of kfrec's own effects.
  var usesVocabulary: Bool { get }

  /// Returns the GLSL name of an input's value.
  func glslName(ofInput name: String) -> String

  /// Translates the effect, as far as its own files allow; messages call the file `path`.
  ///
  /// - Throws: `EffectError` for a mistake in the text.
  func glsl(path: String) throws(EffectError) -> EffectGLSL

  /// Updates the translation with the included texts; the traits may change, the text does not.
  func glsl(_ known: EffectGLSL, including included: [IncludedFile]) -> EffectGLSL

  /// Returns the compiler's messages, explained with knowledge of the language.
  func explain(_ diagnostics: [Diagnostic]) -> [Diagnostic]
}

extension EffectProgram {
  var otherFiles: [IncludedFile] { [] }
  var warnings: [String] { [] }
}

/// GLSL that defines `vec4 effect(vec2 uv)` or its own `main`, with the facts that are needed to make
/// kernels.
struct EffectGLSL: Sendable {
  /// The `#extension` lines, which must come before all other code.
  var extensions = ""
  /// The text, with the author's line numbers under the paths of the files.
  var body: String
  /// The texts of the other files, by their names in messages.
  var otherSources: [String: String] = [:]
  /// The author's names, by the names that messages may contain.
  var spokenNames: [String: String] = [:]
  var traits: EffectTraits
  /// The derivatives that the text takes.
  var derivatives: Derivatives
  /// The edge from which the rows of pixel squares are counted, for derivatives.
  var quads = PixelQuads.fromBottom
  /// True if the effect reads its own result of the previous frame.
  var readsOwnResult = false
  /// The texts that define the effect's own names, which another effect may define too.
  var namingTexts: [String]
  /// The numbers of the images that the text reads by number, by their names.
  var imageNumbers: [String: Int] = [:]

  /// Returns the base name of the functions that read an image.
  func imageName(_ name: String) -> String {
    imageNumbers[name].map(ISFImageCall.imageName) ?? name
  }
}
