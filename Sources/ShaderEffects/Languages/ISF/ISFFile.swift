import ShaderCompiler

/// An effect in the terms of ISF, whose words a translation renames.
protocol ISFProgram: EffectProgram {
  var isf: ISFHeader { get }
}

extension ISFProgram {
  var header: EffectHeader { isf.header }
  var role: EffectRole { isf.role }
  var usesVocabulary: Bool { false }

  func glslName(ofInput name: String) -> String { ISFNames.glslName(ofInput: name) }
  func glsl(_ known: EffectGLSL, including included: [IncludedFile]) -> EffectGLSL { known }
  func explain(_ diagnostics: [Diagnostic]) -> [Diagnostic] { ForeignHints.explain(diagnostics) }
}

/// The content of an ISF effect's files: the header, the fragment shader, and the vertex shader if
/// there is one.
struct ISFFile: ISFProgram {
  let isf: ISFHeader
  /// The text of the file, with line feeds only.
  let source: String
  /// The fragment shader, with blanks in place of comments and of everything up to the end of the
  /// header.
  let fragment: String
  /// The path of the vertex shader, and its text without comments; nil if the effect has none.
  let vertexPath: String?
  let vertex: String
  /// The vertex shader's text with comments, by the path after `#line`.
  let sources: [String: String]

  /// Returns a text with line feeds only; in ISF files a line may end with a carriage return.
  static func withPlainLineEnds(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\r")) else { return text }
    let bytes = Array(text.utf8)
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    for (at, byte) in bytes.enumerated() {
      if byte != UInt8(ascii: "\r") {
        plain.append(byte)
      } else if at + 1 == bytes.count || bytes[at + 1] != UInt8(ascii: "\n") {
        plain.append(UInt8(ascii: "\n"))
      }
    }
    return String(decoding: plain, as: UTF8.self)
  }

  var texts: [String] { [source, vertex] }

  init(_ text: EffectText) throws(LocatedError) {
    let source = text.plainSource
    let vertex = text.companion
    self.source = source
    let bytes = Array(source.utf8)
    func place(of mark: String, from start: Int) -> Int? {
      bytes[start...].firstRange(of: Array(mark.utf8))?.lowerBound
    }
    // Finds the first comment that begins with a brace; hosts take the first comment and fail
    // otherwise.
    var brace: Int?
    var comment = place(of: "/*", from: 0)
    while let start = comment, brace == nil {
      let first = bytes[(start + 2)...].firstIndex { !" \t\n*".utf8.contains($0) }
      if let first, bytes[first] == UInt8(ascii: "{") { brace = first }
      comment = place(of: "/*", from: start + 2)
    }
    guard let brace else {
      throw LocatedError(
        offset: 0,
        message: "an ISF file has a header: a comment /*{ ... }*/ with at least \"ISFVSN\": \"2\"")
    }
    let (json, end) = try LocatedJSONParser.parse(source, at: brace, takesLast: true)
    guard let close = place(of: "*/", from: end) else {
      throw LocatedError(offset: end, message: "the header's comment has no end; add */")
    }
    isf = try ISFHeader(json)
    let blank = bytes[..<(close + 2)].map {
      $0 == UInt8(ascii: "\n") ? $0 : UInt8(ascii: " ")
    }
    fragment = GLSLText.withoutComments(
      String(decoding: blank + bytes[(close + 2)...], as: UTF8.self))
    vertexPath = vertex?.path
    sources =
      vertex.map { [EffectShader.quoted($0.path): Self.withPlainLineEnds($0.source)] } ?? [:]
    self.vertex = vertex.map { GLSLText.withoutComments(Self.withPlainLineEnds($0.source)) } ?? ""
  }

  func glsl(path: String) -> EffectGLSL {
    let shader = ISFShader(self, path: path)
    let derivatives = Derivatives(in: [fragment])
    var traits = shader.traits.with(derivatives)
    if shader.isAlone {
      traits = traits.alone(passes: max(header.passes.count, 1), copiesInput: false)
        .onePixelEach()
    }
    return EffectGLSL(
      body: shader.text, otherSources: sources, spokenNames: shader.spokenNames, traits: traits,
      derivatives: derivatives, namingTexts: [shader.text], imageNumbers: isf.imageNumbers)
  }
}
