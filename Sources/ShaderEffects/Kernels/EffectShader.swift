import GPU
import ShaderCompiler

/// An effect's text with the facts that are needed to make kernels.
struct EffectShader: Sendable {
  let file: EffectFile
  let layout: UniformLayout
  /// Finds the files for the text's `#include`.
  let includes: IncludeResolver
  /// True if `mix` is not always 1, so that the kernel must blend the result with the input.
  let isMixed: Bool
  /// The translated text and the facts found in it.
  private(set) var glsl: EffectGLSL
  /// The images that the effect reads besides its input.
  var images: [BoundImage] = []
  /// Names that the text defines and that another effect may define too.
  private(set) var ownNames = GlobalNames()
  /// The transfer of the frames (H.273 TransferCharacteristics); that of sRGB until the frames are known.
  var transfer: UInt8 = 13
  /// The files that the text includes, as they were read.
  private(set) var included: [IncludedFile] = []

  var traits: EffectTraits { glsl.traits }
  var derivatives: Derivatives { glsl.derivatives }

  /// - Throws: Mistakes in the text that are found before it is compiled.
  init(
    file: EffectFile, layout: UniformLayout, includes: IncludeResolver, isMixed: Bool
  ) throws(EffectError) {
    self.file = file
    self.layout = layout
    self.includes = includes
    self.isMixed = isMixed
    glsl = try file.program.glsl(path: file.path)
    // Included texts may define more names, which are known once it was compiled.
    ownNames = GlobalNames(texts: glsl.namingTexts)
  }

  /// The `#define`s and `#undef`s of other names for the frame and for derivatives.
  var otherNames: (define: String, undefine: String) {
    let frames = file.header.inputs.filter { $0.imageRole == .frame }.flatMap {
      Array(zip(ImageReading.names(glsl.imageName($0.name)), ImageReading.names("frame")))
    }
    let names = frames + derivatives.definitions
    return (
      names.map { "#define \($0) \($1)" }.joined(separator: "\n"),
      names.map { "#undef \($0.0)" }.joined(separator: "\n")
    )
  }

  /// The squares of pixels that its kernels must run in; nil if none are needed.
  var quads: PixelQuads? { derivatives.names.isEmpty ? nil : glsl.quads }

  /// Updates the shader with the included texts, once they are known.
  mutating func note(_ included: [IncludedFile]) {
    self.included = included
    glsl = file.program.glsl(glsl, including: included)
    ownNames = GlobalNames(texts: glsl.namingTexts)
    // Behind another effect `frame` is a name without a function: there is no frame but that effect's input.
    ownNames.add(layout.fields.map(\.name) + ["kf_clamp", "kf_input", "framePixel", "frame"])
    if file.header.seesLight { ownNames.add(["toLight", "toCoded"]) }
    ownNames.add(
      images.flatMap { image in
        let name = glsl.imageName(image.name)
        return ImageReading.names(name) + [BoundImage.aspectName(name), TextTexture.lineName(name)]
      })
  }

  /// Returns the compiler's errors, explained with knowledge of the effect's language.
  func explained(_ error: ShaderCompileError) -> EffectError {
    EffectError(
      ShaderCompileError(
        diagnostics: file.program.explain(aboutWrittenParameters(error.diagnostics))))
  }

  /// Returns a path for a `#line` directive, which has no escapes.
  static func quoted(_ path: String) -> String {
    String(path.map { $0 == "\"" || $0.isNewline ? "_" : $0 })
  }

  /// The functions that kfrec's own text calls, and how an author declares each.
  static let entryPoints = [
    "effect": "vec4 effect(vec2 uv)", "main": "void main()",
    "transition": "vec4 transition(vec2 uv)",
    "mainImage": "void mainImage(out vec4 color, in vec2 place)",
  ]

  /// The shader's name for the compiler: the same words as after `#line`.
  var compilerName: String { Self.quoted(file.path) }
}
