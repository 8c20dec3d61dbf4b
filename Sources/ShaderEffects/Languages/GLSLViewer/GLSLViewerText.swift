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
}

extension ForeignFile {
  /// Reads a shader for glslViewer: image 0 is the frame, the others are images that the user may give.
  init(glslViewer source: String, path: String) throws(LocatedError) {
    let code = GLSLText.withoutComments(source)
    let words = ForeignRun.words(code)
    var lead = GLSLViewer.values.filter { words.contains($0.0) }.map(\.1)
    var names: [String: String] = [:]
    var inputs: [LocatedJSON] = []
    for number in GLSLViewer.imageNumbers {
      let (own, size) = ("u_tex\(number)", "u_tex\(number)Resolution")
      guard words.contains(own) || words.contains(size) else { continue }
      let picture = number == 0 ? ISFHeader.frameName : own
      inputs.append(HeaderText.image(picture, ""))
      names[own] = picture
      if words.contains(size) { lead.append("vec2 \(size) = IMG_SIZE(\(picture));") }
    }
    let output = ISFDeclarations(ISFToken.tokens(code), isVertexStage: false).variables.first {
      $0.storage == .outside && $0.type == "vec4"
    }
    var tail = ""
    if let output, !words.contains("gl_FragColor") {
      names["main"] = "main_glslViewer"
      tail = "void main() { main_glslViewer(); gl_FragColor = \(output.name); }"
    }
    let own = try Self.header(of: source)
    self.init(
      isf: try ISFHeader(HeaderText.object(own, inputs: inputs)),
      runs: [
        ForeignRun(
          lead: lead.joined(separator: "\n"), [.init(label: path, text: code)], tail: tail,
          names: names)
      ])
    self.source = source
  }
}
