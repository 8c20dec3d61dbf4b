import ShaderCompiler

/// What glslViewer provides to a fragment shader with its own `main`.
enum GLSLViewer {
  /// Returns whether a text has its own `main` and a colour output, and no `mainImage`.
  static func recognizes(_ text: String) -> Bool {
    let words = ForeignRun.words(GLSLText.withoutComments(text))
    return words.contains("main") && !words.contains("mainImage")
      && !words.isDisjoint(with: ["gl_FragColor", "out"])
  }

  /// The values of glslViewer, as variables that are set before a pixel is shaded.
  fileprivate static let values = [
    ("u_time", "float u_time = TIME;"),
    ("u_delta", "float u_delta = TIMEDELTA;"),
    ("u_frame", "int u_frame = FRAMEINDEX;"),
    ("u_date", "vec4 u_date = DATE;"),
    ("u_resolution", "vec2 u_resolution = RENDERSIZE;"),
    ("u_mouse", "vec2 u_mouse = vec2(0.0);"),
    ("v_texcoord", "vec2 v_texcoord = isf_FragNormCoord;"),
  ]

  /// The numbers of the images that a shader may name.
  fileprivate static let imageNumbers = 0..<10

  /// The buffers of a text, in the order in which they are made: the macro that chooses the part of the text, and the name by
  /// which all parts read the buffer.
  fileprivate static func buffers(_ words: Set<String>) -> [(macro: String, name: String)] {
    let all =
      (0..<16).map { ("BUFFER_\($0)", "u_buffer\($0)") }
      + (0..<16).map { ("DOUBLE_BUFFER_\($0)", "u_doubleBuffer\($0)") }
    return all.filter { words.contains($0.0) }
  }

  /// The beginnings of words for what only glslViewer makes, and what it is.
  private static let otherParts = [
    ("CONVOLUTION_PYRAMID", "a pyramid of convolutions"),
    ("u_pyramid", "a pyramid of convolutions"),
    ("u_scene", "a scene in three dimensions"), ("u_flood", "a distance field"),
  ]
  /// Macros with which glslViewer asks for a part of the text.
  private static let otherMacros = ["BACKGROUND", "FLOOR", "POSTPROCESSING"]

  /// Returns a word for what only glslViewer makes, and what it is; nil if the text has none.
  fileprivate static func otherPart(_ words: Set<String>, _ code: String) -> (String, String)? {
    for (beginning, what) in otherParts {
      if let word = words.sorted().first(where: { $0.hasPrefix(beginning) }) { return (word, what) }
    }
    // The text may have such a name of its own.
    let asked = code.matches(of: /#[ \t]*(?:ifdef|if[ \t]+defined)[ \t(]+(\w+)/)
      .map { String($0.1) }
    let own = code.matches(of: /#[ \t]*define[ \t]+(\w+)/).map { String($0.1) }
    return otherMacros.first { asked.contains($0) && !own.contains($0) }
      .map { ($0, "a pass around a scene in three dimensions") }
  }
}

extension ForeignFile {
  /// Reads a shader for glslViewer: image 0 is the frame, the others are images that the user may give; its own uniforms are
  /// parameters, and its buffers are passes.
  init(glslViewer source: String, path: String) throws(LocatedError) {
    let code = GLSLText.withoutComments(source)
    let words = ForeignRun.words(code)
    if let (word, what) = GLSLViewer.otherPart(words, code) {
      throw LocatedError(
        offset: 0, message: "has \(word), \(what), which is not made here; buffers (BUFFER_0) are")
    }
    var lead = GLSLViewer.values.filter { words.contains($0.0) }.map(\.1)
    var names: [String: String] = [:]
    var inputs: [LocatedJSON] = []
    var known = Set(GLSLViewer.values.map(\.0))
    for number in GLSLViewer.imageNumbers {
      let (own, size) = ("u_tex\(number)", "u_tex\(number)Resolution")
      known.formUnion([own, size])
      guard words.contains(own) || words.contains(size) else { continue }
      let picture = number == 0 ? ISFHeader.frameName : own
      inputs.append(HeaderText.image(picture))
      names[own] = picture
      if words.contains(size) { lead.append("vec2 \(size) = IMG_SIZE(\(picture));") }
    }
    let buffers = GLSLViewer.buffers(words)
    known.formUnion(buffers.map(\.name))
    let own = try Self.header(of: source)
    let uniforms = Self.parameters(of: source, code: code, own: own, besides: known)
    inputs += uniforms.inputs
    lead += uniforms.lead
    names.merge(uniforms.names) { first, _ in first }
    let output = ISFDeclarations(ISFToken.tokens(code), isVertexStage: false).variables.first {
      $0.storage == .outside && $0.type == "vec4"
    }
    var tail = ""
    if let output, !words.contains("gl_FragColor") {
      names["main"] = "main_glslViewer"
      tail = "void main() { main_glslViewer(); gl_FragColor = \(output.name); }"
    }
    let passes = buffers.map { HeaderText.keptPass($0.name) } + [HeaderText.lastPass]
    self.init(
      isf: try ISFHeader(HeaderText.object(own, inputs: inputs, passes: passes)),
      runs: (buffers.map { ["#define \($0.macro)"] } + [[]]).map { part in
        ForeignRun(
          lead: (part + lead).joined(separator: "\n"), [.init(label: path, text: code)], tail: tail,
          names: names)
      })
    self.source = source
    warnings = uniforms.warnings
  }

  /// Returns the uniforms of a text that no host sets here, as parameters; with what stands before the text, the words that
  /// take another name, and a sentence for each that cannot be a parameter.
  static func parameters(
    of source: String, code: String, own: LocatedJSON?, besides known: Set<String>
  ) -> (inputs: [LocatedJSON], lead: [String], names: [String: String], warnings: [String]) {
    let declared =
      own?.field("INPUTS")?.value.listed.compactMap { $0.field("NAME")?.value.text } ?? []
    let (parameters, others) = ForeignUniform.all(
      in: source, code: code, besides: known.union(declared))
    let typed = parameters.compactMap { uniform in uniform.typed.map { (uniform.name, $0) } }
    return (
      parameters.map(\.input), typed.map(\.1.declaration),
      Dictionary(typed.map { ($0.0, $0.1.name) }) { first, _ in first },
      others.map {
        "nobody sets the uniform '\($0.name)' (\($0.type)\($0.array)) here, so it is zero"
      }
    )
  }
}
