import GPU
import ShaderCompiler

/// An effect's text with what the making of kernels needs to know of it.
struct EffectShader: Sendable {
  let file: EffectFile
  let layout: UniformLayout
  /// Where its `#include` may look.
  let includes: IncludeResolver
  /// It is laid over its input in part, so that the kernel must mix.
  let isMixed: Bool
  /// Its text and what that tells.
  private(set) var glsl: EffectGLSL
  /// The pictures that it reads beside its input.
  var images: [BoundImage] = []
  /// Names that are its own and may be another effect's too.
  private(set) var ownNames = GlobalNames()
  /// The files that its text includes, as they were.
  private(set) var included: [IncludedFile] = []

  var extensions: String { glsl.extensions }
  var body: String { glsl.body }
  var otherSources: [String: String] { glsl.otherSources }
  var spokenNames: [String: String] { glsl.spokenNames }
  var traits: EffectTraits { glsl.traits }
  var derivatives: Derivatives { glsl.derivatives }
  var readsOwnResult: Bool { glsl.readsOwnResult }

  /// - Throws: What is wrong with the text, as far as it tells before it is compiled.
  init(
    file: EffectFile, layout: UniformLayout, includes: IncludeResolver, isMixed: Bool
  ) throws(EffectError) {
    self.file = file
    self.layout = layout
    self.includes = includes
    self.isMixed = isMixed
    glsl = try file.program.glsl(path: file.path)
  }

  /// Other names of the frame and of derivatives, as `#define`s and `#undef`s.
  var otherNames: (define: String, undefine: String) {
    let frames = file.header.inputs.filter { $0.imageRole == .frame }.flatMap {
      Array(zip(ImageReading.names(pictureName($0.name)), ImageReading.names("frame")))
    }
    let names = frames + derivatives.definitions
    return (
      names.map { "#define \($0) \($1)" }.joined(separator: "\n"),
      names.map { "#undef \($0.0)" }.joined(separator: "\n")
    )
  }

  /// The squares of pixels that its kernels are to run in; nil where none are needed.
  var quads: PixelQuads? { derivatives.names.isEmpty ? nil : glsl.quads }

  /// Takes the included texts into account, once they are known.
  mutating func note(_ included: [IncludedFile]) {
    self.included = included
    glsl = file.program.glsl(glsl, including: included)
    ownNames = GlobalNames(texts: glsl.namingTexts)
    ownNames.add(layout.fields.map(\.name) + ["kf_clamp", "kf_input", "framePixel"])
    ownNames.add(images.flatMap { ImageReading.names(pictureName($0.name)) })
  }

  /// What the functions that read a picture are called.
  func pictureName(_ name: String) -> String { glsl.pictureName(name) }

  /// What the compiler says, with what is known of the effect's language.
  func explained(_ error: ShaderCompileError) -> EffectError {
    EffectError(
      ShaderCompileError(
        diagnostics: file.program.explain(aboutWrittenParameters(error.diagnostics))))
  }

  /// A path for a `#line` directive, which has no escapes.
  static func quoted(_ path: String) -> String {
    String(path.map { $0 == "\"" || $0.isNewline ? "_" : $0 })
  }

  /// The functions that kfrec's own text calls, and how an author writes each.
  static let entryPoints = [
    "effect": "vec4 effect(vec2 uv)", "main": "void main()",
    "transition": "vec4 transition(vec2 uv)",
    "mainImage": "void mainImage(out vec4 color, in vec2 place)",
  ]

  /// What the shader is called to the compiler: the same words as after `#line`.
  var compilerName: String { Self.quoted(file.path) }
}
