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
  /// It reads what it made of the frame before.
  let readsOwnResult: Bool
  /// Its `#extension` lines.
  let extensions: String
  /// Its GLSL, with the author's own line numbers under the paths of the files.
  let body: String
  /// The texts of its other files, by the names that messages have for them.
  let otherSources: [String: String]
  /// What was meant by names of the text that messages may speak of.
  let spokenNames: [String: String]
  private(set) var traits: EffectTraits
  /// Of the pictures of a file that is not native, by their names.
  private let pictureNumbers: [String: Int]
  /// Of its values from pixel to pixel.
  private(set) var derivatives: Derivatives
  /// The pictures that it reads beside its input.
  var images: [EffectImageUse] = []
  /// Names that are its own and may be another effect's too.
  private(set) var ownNames = GlobalNames()
  /// The files that its text includes, as they were.
  private(set) var included: [IncludedFile] = []

  /// - Throws: A diagnostic where the file defines neither `effect` nor `main`, or a `main` without
  ///   the size of its work group.
  init(
    file: EffectFile, layout: UniformLayout, includes: IncludeResolver, isMixed: Bool
  ) throws(EffectError) {
    self.file = file
    self.layout = layout
    self.includes = includes
    self.isMixed = isMixed
    pictureNumbers = file.foreignHeader?.pictureNumbers ?? [:]
    if let isf = file.isf {
      let shader = ISFShader(isf, path: file.path)
      extensions = ""
      body = shader.text
      otherSources = isf.sources
      spokenNames = shader.spokenNames
      readsOwnResult = false
      derivatives = Derivatives(in: [isf.fragment])
      traits = shader.traits.with(derivatives)
      if shader.isAlone {
        traits = traits.alone(passes: max(file.header.passes.count, 1), copiesInput: false)
      }
      return
    }
    if let foreign = file.foreign {
      let shader = ForeignShader(foreign)
      extensions = ""
      body = shader.text
      otherSources = foreign.sources
      spokenNames = shader.spokenNames
      readsOwnResult = false
      derivatives = Derivatives(in: foreign.runs.map(\.text))
      traits = EffectTraits(hasOwnMain: false, isPerPixel: false, reads: 0, size: 0)
        .alone(passes: foreign.runs.count, copiesInput: false).with(derivatives)
      return
    }
    let hoisted = HoistedText(file.source, path: Self.quoted(file.path))
    extensions = hoisted.extensions
    body = """
      #line 1 "\(Self.quoted(file.path))"
      \(hoisted.body)
      #line 1 "\(Self.quoted(GeneratedText.name(after: file.path)))"
      """
    otherSources = [:]
    spokenNames = Derivatives.spokenNames
    let code = GLSLText.withoutComments(file.source)
    let tokens = GLSLText.tokens(code)
    let hasOwnMain = Self.defines(["void", "main", "("], in: tokens)
    guard hasOwnMain || Self.defines(["vec4", "effect", "("], in: tokens) else {
      throw EffectError(
        file: file.path,
        "defines neither 'vec4 effect(vec2 uv)' nor 'void main()'; add one of them")
    }
    guard !hasOwnMain || tokens.contains("local_size_x") else {
      throw EffectError(
        file: file.path,
        "has its own main and must say the size of its work group; "
          + "add 'layout(local_size_x = 16, local_size_y = 16) in;'")
    }
    if hasOwnMain, let refusal = Derivatives.refusal(in: code, path: file.path, source: file.source)
    {
      throw EffectError(refusal)
    }
    derivatives =
      hasOwnMain
      ? .none
      : GLSLText.line(ofDirective: "include", in: code) == nil
        ? Derivatives(in: [code]) : Derivatives(beforeIncludesOf: code)
    readsOwnResult = Self.readsOwnResult(code, tokens)
    traits = EffectTraits(tokens: Self.byOneName(tokens, file), hasOwnMain: hasOwnMain)
    settleTraits()
  }

  /// Other names of the frame and of derivatives, as `#define`s and `#undef`s.
  var otherNames: (define: String, undefine: String) {
    let names = frameNamesOfFile + derivatives.definitions
    return (
      names.map { "#define \($0) \($1)" }.joined(separator: "\n"),
      names.map { "#undef \($0.0)" }.joined(separator: "\n")
    )
  }

  private var frameNamesOfFile: [(String, String)] {
    guard file.kind != .native else { return Self.frameNames(file) }
    return file.header.inputs.filter { $0.imageRole == .frame }.flatMap {
      Array(zip(PictureReading.names(pictureName($0.name)), PictureReading.names("frame")))
    }
  }

  private static func frameNames(_ file: EffectFile) -> [(String, String)] {
    file.header.inputs.filter { $0.imageRole == .frame }
      .flatMap { Array(zip($0.names, PictureReading.names("frame"))) }
  }

  /// The tokens with the frame under its own names.
  private static func byOneName(_ tokens: [Substring], _ file: EffectFile) -> [Substring] {
    let names = Dictionary(frameNames(file)) { first, _ in first }
    return names.isEmpty ? tokens : tokens.map { names[String($0)].map { $0[...] } ?? $0 }
  }

  /// Whether the text calls `previous` and has none of its own.
  private static func readsOwnResult(_ code: String, _ tokens: [Substring]) -> Bool {
    let own = GlobalNames(texts: [code])
    return ["previous", "previousPixel"].contains { name in
      defines([Substring(name), "("], in: tokens) && !own.names.contains(name)
        && !own.macros.contains(name)
    }
  }

  /// The squares of pixels that its kernels are to run in; nil where none are needed.
  var quads: PixelQuads? { derivatives.quads(for: file.kind) }

  private mutating func settleTraits() {
    let header = file.header
    traits = traits.with(derivatives)
    guard !header.passes.isEmpty || header.history != nil || readsOwnResult else { return }
    traits = traits.alone(
      passes: max(header.passes.count, 1), copiesInput: header.history != nil)
  }

  /// Takes the included texts into account, once they are known.
  mutating func note(_ included: [IncludedFile]) {
    self.included = included
    guard file.kind == .native else {
      ownNames = GlobalNames(texts: [body])
      ownNames.add(layout.fields.map(\.name) + ["kf_clamp", "kf_input", "framePixel"])
      ownNames.add(images.flatMap { PictureReading.names(pictureName($0.name)) })
      return
    }
    let texts = ([file.source] + included.map(\.text)).map(GLSLText.withoutComments)
    traits = EffectTraits(
      tokens: Self.byOneName(texts.flatMap { GLSLText.tokens($0) }, file),
      hasOwnMain: traits.hasOwnMain)
    if !traits.hasOwnMain { derivatives = Derivatives(in: texts) }
    settleTraits()
    ownNames = GlobalNames(texts: texts)
    ownNames.add(layout.fields.map(\.name) + ["kf_clamp", "kf_input", "framePixel"])
    ownNames.add(images.flatMap { PictureReading.names($0.name) })
  }

  /// Whether some words stand in a text one after the other.
  private static func defines(_ words: [Substring], in tokens: [Substring]) -> Bool {
    guard tokens.count >= words.count else { return false }
    return (0...tokens.count - words.count).contains { start in
      tokens[start..<start + words.count].elementsEqual(words)
    }
  }

  /// What the functions that read a picture are called.
  func pictureName(_ name: String) -> String {
    pictureNumbers[name].map { "kf_img\($0)" } ?? name
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
