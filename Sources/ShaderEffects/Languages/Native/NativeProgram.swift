import GPU
import ShaderCompiler

/// An effect in kfrec's own language: a header in a comment, then Vulkan GLSL.
struct NativeProgram: EffectProgram {
  let header: EffectHeader
  let source: String

  var texts: [String] { [source] }
  var usesVocabulary: Bool { true }

  var role: EffectRole {
    if header.isGenerator { return .generator }
    let images = header.inputs.filter { $0.kind == .image }.map(\.name)
    return Set(images).isSuperset(of: EffectInput.HostImage.ofTransition) ? .transition : .filter
  }

  func glslName(ofInput name: String) -> String { name }

  func explain(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    NativeHints(header).explain(diagnostics)
  }

  init(_ text: EffectText) throws(LocatedError) {
    source = text.source
    header = try Self.header(of: text.source)
  }

  /// Parses the object in the comment that the file begins with; an empty header if there is none.
  private static func header(of source: String) throws(LocatedError) -> EffectHeader {
    guard let start = headerStart(of: source) else { return EffectHeader() }
    let (json, end) = try LocatedJSONParser.parse(source, at: start)
    let rest = source.utf8.dropFirst(end).drop { " \t\r\n".utf8.contains($0) }
    guard rest.starts(with: "*/".utf8) else {
      throw LocatedError(
        offset: source.utf8.distance(from: source.startIndex, to: rest.startIndex),
        message: "the header's comment must end with */ after the closing }")
    }
    return try EffectHeader(json)
  }

  /// Returns the offset of the `{` of the first comment that begins with one; only comments, blanks and
  /// `#version` may come before it.
  static func headerStart(of source: String) -> Int? {
    let bytes = Array(source.utf8)
    var at = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    func isBlank(_ index: Int) -> Bool {
      index < bytes.count && " \t\r\n".utf8.contains(bytes[index])
    }
    while at < bytes.count {
      if isBlank(at) {
        at += 1
      } else if bytes[at...].starts(with: "/*".utf8) {
        at += 2
        var first = at
        while isBlank(first) { first += 1 }
        if first < bytes.count, bytes[first] == UInt8(ascii: "{") { return first }
        while at < bytes.count, !bytes[at...].starts(with: "*/".utf8) { at += 1 }
        at += 2
      } else if bytes[at...].starts(with: "//".utf8) || bytes[at...].starts(with: "#version".utf8) {
        while at < bytes.count, bytes[at] != UInt8(ascii: "\n") { at += 1 }
      } else {
        return nil
      }
    }
    return nil
  }

  func glsl(path: String) throws(EffectError) -> EffectGLSL {
    let quoted = EffectShader.quoted(path)
    let hoisted = HoistedText(source, path: quoted)
    let code = GLSLText.withoutComments(source)
    let tokens = GLSLText.tokens(code)
    let hasOwnMain = Self.defines(["void", "main", "("], in: tokens)
    if let language = Self.otherLanguage(
      tokens, hasOwnMain: hasOwnMain, hasHeader: Self.headerStart(of: source) != nil)
    {
      let name = EffectFile.name(ofPath: path) + language.suffix
      throw EffectError(
        file: path,
        "is written for \(language.name), and .comp is kfrec's own language; copy it to \(name), and use that"
      )
    }
    guard hasOwnMain || Self.defines(["vec4", "effect", "("], in: tokens) else {
      throw EffectError(
        file: path,
        "defines neither 'vec4 effect(vec2 uv)' nor 'void main()'; add one of them")
    }
    guard !hasOwnMain || tokens.contains("local_size_x") else {
      throw EffectError(
        file: path,
        "has its own main and must say the size of its work group; "
          + "add 'layout(local_size_x = 16, local_size_y = 8) in;'")
    }
    if hasOwnMain, let refusal = Derivatives.refusal(in: code, path: path, source: source) {
      throw EffectError(refusal)
    }
    let replaced = ReplacedFunctions(tokens)
    var glsl = EffectGLSL(
      extensions: hoisted.extensions,
      body: """
        \(replaced.before)
        #line 1 "\(quoted)"
        \(hoisted.body)
        #line 1 "\(EffectShader.quoted(GeneratedText.name(after: path)))"
        \(replaced.after)
        """,
      spokenNames: Derivatives.spokenNames.merging(replaced.spokenNames) { first, _ in first },
      traits: EffectTraits(tokens: byOneName(tokens), hasOwnMain: hasOwnMain),
      derivatives: hasOwnMain
        ? .none
        : GLSLText.line(ofDirective: "include", in: code) == nil
          ? Derivatives(in: [code]) : Derivatives(beforeIncludesOf: code),
      quads: .fromTop, readsOwnResult: Self.readsOwnResult(code, tokens),
      namingTexts: [code, replaced.functions])
    settleTraits(of: &glsl, [code])
    return glsl
  }

  /// Returns the language of a fragment shader in a file with the ending of kfrec's own; nil if it is in kfrec's own.
  private static func otherLanguage(
    _ tokens: [Substring], hasOwnMain: Bool, hasHeader: Bool
  ) -> (name: String, suffix: String)? {
    guard !tokens.contains("local_size_x"), !defines(["vec4", "effect", "("], in: tokens) else {
      return nil
    }
    if defines(["void", "mainImage", "("], in: tokens) { return ("Shadertoy", ".glsl") }
    if defines(["vec4", "transition", "("], in: tokens) { return ("gl-transitions", ".glsl") }
    guard hasOwnMain,
      tokens.contains("gl_FragColor") || tokens.contains("out") && !tokens.contains("store")
    else { return nil }
    return hasHeader ? ("ISF", ".fs") : ("glslViewer", ".frag")
  }

  func glsl(_ known: EffectGLSL, including included: [IncludedFile]) -> EffectGLSL {
    var glsl = known
    let texts = ([source] + included.map(\.text)).map(GLSLText.withoutComments)
    glsl.traits = EffectTraits(
      tokens: byOneName(texts.flatMap { GLSLText.tokens($0) }),
      hasOwnMain: known.traits.hasOwnMain)
    if !glsl.traits.hasOwnMain { glsl.derivatives = Derivatives(in: texts) }
    settleTraits(of: &glsl, texts)
    glsl.namingTexts = texts + [ReplacedFunctions(GLSLText.tokens(texts[0])).functions]
    return glsl
  }

  /// `texts` are those of the effect, without comments.
  private func settleTraits(of glsl: inout EffectGLSL, _ texts: [String]) {
    glsl.traits = glsl.traits.with(glsl.derivatives)
    let isFresh = GlobalNames(texts: texts).hasInitializedVariables
    if isFresh { glsl.traits = glsl.traits.onePixelEach() }
    guard !header.passes.isEmpty || header.history != nil || glsl.readsOwnResult else { return }
    let keepsResult = glsl.readsOwnResult || header.passes.last?.name != nil
    glsl.traits = glsl.traits.alone(
      passes: max(header.passes.count, 1), copiesInput: header.history != nil,
      lastPass: keepsResult ? nil : LastPass(of: texts, header: header))
  }

  /// Returns the tokens with the frame's input names replaced by kfrec's own names for the frame.
  private func byOneName(_ tokens: [Substring]) -> [Substring] {
    let names = Dictionary(
      header.inputs.filter { $0.imageRole == .frame }
        .flatMap { Array(zip($0.names, ImageReading.names("frame"))) }
    ) { first, _ in first }
    return names.isEmpty ? tokens : tokens.map { names[String($0)].map { $0[...] } ?? $0 }
  }

  /// Returns whether the text calls `previous` or `previousPixel` and does not define it.
  private static func readsOwnResult(_ code: String, _ tokens: [Substring]) -> Bool {
    let own = GlobalNames(texts: [code])
    return ["previous", "previousPixel"].contains { name in
      defines([Substring(name), "("], in: tokens) && !own.defines(name)
    }
  }

  /// Returns whether the words occur one after another in a text.
  private static func defines(_ words: [Substring], in tokens: [Substring]) -> Bool {
    tokens.firstRange(of: words) != nil
  }
}
