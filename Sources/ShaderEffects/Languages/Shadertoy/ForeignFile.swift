import ShaderCompiler

/// The content of a file of Shadertoy, glslViewer or gl-transitions, converted to the terms of ISF.
struct ForeignFile: ISFProgram {
  var isf: ISFHeader
  /// The text of the file, with line feeds only.
  var source = ""
  /// The passes, in the order in which they run.
  var runs: [ForeignRun]
  /// The texts that messages quote, by their labels, if they are not the file itself.
  var sources: [String: String] = [:]
  /// The other files that passes come from, as they were read.
  var otherFiles: [IncludedFile] = []
  /// Differences from the original site, one sentence each.
  var warnings: [String] = []

  var texts: [String] {
    let shown = isf.views.values.flatMap { [$0.image, $0.above ?? ""] }
    return runs.map(\.text) + [shown.joined(separator: " ")]
  }

  func glsl(path: String) -> EffectGLSL {
    let shader = ForeignShader(self)
    let derivatives = Derivatives(in: runs.map(\.text))
    return EffectGLSL(
      body: shader.text, otherSources: sources, spokenNames: shader.spokenNames,
      traits: EffectTraits(hasOwnMain: false, isPerPixel: false, reads: 0, size: 0)
        .alone(passes: runs.count, copiesInput: false).with(derivatives).onePixelEach(),
      derivatives: derivatives, namingTexts: [shader.text], imageNumbers: isf.imageNumbers)
  }

  /// Reads a file that defines `mainImage` or `transition`; `source` has line feeds only.
  init(function source: String, path: String) throws(LocatedError) {
    let code = GLSLText.withoutComments(source)
    let words = ForeignRun.words(code)
    let own = try Self.header(of: source)
    let isTransition =
      words.contains("transition") && !words.isDisjoint(with: ["getFromColor", "getToColor"])
    if isTransition {
      try self.init(transition: code, source: source, own: own, path: path)
    } else if words.contains("mainImage") {
      try self.init(toy: code, source: source, words: words, own: own, path: path)
    } else if let (name, what) = Self.otherMains.first(where: { words.contains($0.name) }) {
      throw LocatedError(
        offset: 0,
        message: "has \(name), which makes \(what), and no mainImage; only images are made here")
    } else {
      throw LocatedError(
        offset: 0,
        message: "defines neither 'void mainImage(out vec4 color, in vec2 place)' nor "
          + "'vec4 transition(vec2 uv)' with getFromColor; add one of them")
    }
    self.source = source
  }

  /// The entry points of the site's other shaders, and what these make.
  private static let otherMains: [(name: String, what: String)] = [
    ("mainSound", "audio"), ("mainCubemap", "a cube map"),
    ("mainVR", "images for a headset"),
  ]

  init(isf: ISFHeader, runs: [ForeignRun]) {
    self.isf = isf
    self.runs = runs
  }

  /// Reads a `mainImage`: channel 0 is the frame, the others are images that the user may give.
  private init(
    toy code: String, source: String, words: Set<String>, own: LocatedJSON?, path: String
  ) throws(LocatedError) {
    var channels: [String?] = [nil, nil, nil, nil]
    var images: [String] = []
    var views: [String: TextureView] = [:]
    var names: [String: String] = [:]
    for number in 0..<4 where words.contains("iChannel\(number)") {
      let name = number == 0 ? ISFHeader.frameName : "iChannel\(number)"
      images.append(name)
      let view = number == 0 ? name : "\(name)_repeating"
      if number > 0 { views[view] = TextureView(image: name, isRepeating: true) }
      names["iChannel\(number)"] = view
      channels[number] = view
    }
    let uniforms = Self.parameters(
      of: source, code: code, own: own,
      besides: ShadertoyPrelude.names.union((0..<4).map { "iChannel\($0)" }))
    names.merge(uniforms.names) { first, _ in first }
    var header = try ISFHeader(
      HeaderText.object(
        own,
        inputs: images.map { HeaderText.image($0) } + PointerInput.inputs(for: words)
          + uniforms.inputs))
    header.add(views)
    let lead = [ShadertoyPrelude.text(words: words, channels: channels)] + uniforms.lead
    self.init(
      isf: header,
      runs: [
        ForeignRun(
          lead: lead.joined(separator: "\n"), [.init(label: path, text: code)],
          tail: ShadertoyPrelude.main(of: [code], isImage: true), names: names)
      ])
    warnings = uniforms.warnings
  }

  /// Parses the object of the comment that the file begins with; nil if there is none.
  static func header(of source: String) throws(LocatedError) -> LocatedJSON? {
    guard let start = NativeProgram.headerStart(of: source) else { return nil }
    return try LocatedJSONParser.parse(source, at: start, takesLast: true).value
  }
}
