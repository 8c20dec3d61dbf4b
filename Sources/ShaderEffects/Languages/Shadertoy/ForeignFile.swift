import ShaderCompiler

/// What stands in a file of Shadertoy or gl-transitions, brought into the terms of ISF.
struct ForeignFile: EffectProgram {
  var isf: ISFHeader
  /// The file, with plain line ends.
  var source = ""
  /// One for each pass, in the order in which they run.
  var runs: [ForeignRun]
  /// The texts that messages quote, by their labels, where they are not the file itself.
  var sources: [String: String] = [:]
  /// The files beside it that passes come from, as they were read.
  var otherFiles: [IncludedFile] = []
  /// What is not as it would be on the site.
  var warnings: [String] = []

  var header: EffectHeader { isf.header }
  var role: EffectRole { isf.role }

  var texts: [String] {
    let shown = isf.views.values.flatMap { [$0.picture, $0.above ?? ""] }
    return runs.map(\.text) + [shown.joined(separator: " ")]
  }

  func glsl(path: String) -> EffectGLSL {
    let shader = ForeignShader(self)
    let derivatives = Derivatives(in: runs.map(\.text))
    return EffectGLSL(
      body: shader.text, otherSources: sources, spokenNames: shader.spokenNames,
      traits: EffectTraits(hasOwnMain: false, isPerPixel: false, reads: 0, size: 0)
        .alone(passes: runs.count, copiesInput: false).with(derivatives),
      derivatives: derivatives, namingTexts: [shader.text], pictureNumbers: isf.pictureNumbers)
  }

  /// A file that defines `mainImage` or `transition`; `source` has plain line ends.
  init(function source: String, path: String) throws(LocatedError) {
    let code = GLSLText.withoutComments(source)
    let words = ForeignRun.words(code)
    let own = try Self.header(of: source)
    let isTransition =
      words.contains("transition") && !words.isDisjoint(with: ["getFromColor", "getToColor"])
    if isTransition {
      try self.init(transition: code, source: source, own: own, path: path)
    } else if words.contains("mainImage") {
      try self.init(toy: code, words: words, own: own, path: path)
    } else if let (name, what) = Self.otherMains.first(where: { words.contains($0.name) }) {
      throw LocatedError(
        offset: 0,
        message: "has \(name), which makes \(what), and no mainImage; only pictures are made here")
    } else {
      throw LocatedError(
        offset: 0,
        message: "defines neither 'void mainImage(out vec4 color, in vec2 place)' nor "
          + "'vec4 transition(vec2 uv)' with getFromColor; add one of them")
    }
    self.source = source
  }

  /// What else the site's shaders make.
  private static let otherMains: [(name: String, what: String)] = [
    ("mainSound", "sound"), ("mainCubemap", "a cube map"),
    ("mainVR", "pictures for a headset"),
  ]

  init(isf: ISFHeader, runs: [ForeignRun]) {
    self.isf = isf
    self.runs = runs
  }

  /// A `mainImage`: channel 0 is the frame, the others are pictures that a person may give.
  private init(
    toy code: String, words: Set<String>, own: LocatedJSON?, path: String
  ) throws(LocatedError) {
    var channels: [ShadertoyChannel?] = [nil, nil, nil, nil]
    var pictures: [String] = []
    var views: [String: TextureView] = [:]
    var names: [String: String] = [:]
    for number in 0..<4 where words.contains("iChannel\(number)") {
      let name = number == 0 ? ISFHeader.frameName : "iChannel\(number)"
      pictures.append(name)
      let view = number == 0 ? name : "\(name)_repeating"
      if number > 0 { views[view] = TextureView(picture: name, isRepeating: true) }
      names["iChannel\(number)"] = view
      channels[number] = ShadertoyChannel(name: view)
    }
    var header = try ISFHeader(
      HeaderText.object(own, inputs: pictures.map { HeaderText.image($0, "") }))
    header.add(views)
    self.init(
      isf: header,
      runs: [
        ForeignRun(
          lead: ShadertoyPrelude.text(words: words, channels: channels),
          [.init(label: path, text: code)],
          tail: ShadertoyPrelude.main(of: [code], isImage: true), names: names)
      ])
  }

  /// The object of the comment that the file begins with; nil where there is none.
  static func header(of source: String) throws(LocatedError) -> LocatedJSON? {
    guard let start = NativeProgram.headerStart(of: source) else { return nil }
    return try LocatedJSONParser.parse(source, at: start, takesLast: true).value
  }
}
