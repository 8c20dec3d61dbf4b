import GPU
import ShaderCompiler

/// An effect as its language understands it.
protocol EffectProgram: Sendable {
  /// In kfrec's own form.
  var header: EffectHeader { get }
  var role: EffectRole { get }
  /// The texts that it was read from besides its own file and its companion, as they were read.
  var otherFiles: [IncludedFile] { get }
  /// The GLSL of its files, for what its words tell.
  var texts: [String] { get }
  /// The file's text in which the places of its header count.
  var source: String { get }
  /// What is not as it would be where the effect comes from, one sentence each.
  var warnings: [String] { get }

  /// What an input's value is called in the GLSL.
  func glslName(ofInput name: String) -> String

  /// Translates the effect, as far as its own files tell.
  ///
  /// - Parameter path: What messages call the file.
  /// - Returns: Its GLSL.
  /// - Throws: What is wrong with its text.
  func glsl(path: String) throws(EffectError) -> EffectGLSL

  /// The same once it is known what the text includes; traits may change, the text does not.
  func glsl(_ known: EffectGLSL, including included: [IncludedFile]) -> EffectGLSL

  /// What the compiler says, with what is known of the language.
  func explain(_ diagnostics: [Diagnostic]) -> [Diagnostic]
}

extension EffectProgram {
  var otherFiles: [IncludedFile] { [] }
  var warnings: [String] { [] }
  func glslName(ofInput name: String) -> String { ISFNames.glslName(ofInput: name) }
  func glsl(_ known: EffectGLSL, including included: [IncludedFile]) -> EffectGLSL { known }

  func explain(_ diagnostics: [Diagnostic]) -> [Diagnostic] { ForeignHints.explain(diagnostics) }
}

/// GLSL that defines `vec4 effect(vec2 uv)` or a `main` of its own, and what the making of kernels
/// needs to know of it.
struct EffectGLSL: Sendable {
  /// Its `#extension` lines, which must come before everything else.
  var extensions = ""
  /// With the author's own line numbers under the paths of the files.
  var body: String
  /// The texts of its other files, by the names that messages have for them.
  var otherSources: [String: String] = [:]
  /// What was meant by names of the text that messages may speak of.
  var spokenNames: [String: String] = [:]
  var traits: EffectTraits
  /// Of its values from pixel to pixel.
  var derivatives: Derivatives
  /// Where the rows of the squares of pixels are counted from, in which derivatives are taken.
  var quads = PixelQuads.fromBottom
  /// It reads what it made of the frame before.
  var readsOwnResult = false
  /// The texts that define names which are its own and may be another effect's too.
  var namingTexts: [String]
  /// The numbers of the pictures that it reads by number, by their names.
  var pictureNumbers: [String: Int] = [:]

  /// What the functions that read a picture are called.
  func pictureName(_ name: String) -> String {
    pictureNumbers[name].map { "kf_img\($0)" } ?? name
  }
}
