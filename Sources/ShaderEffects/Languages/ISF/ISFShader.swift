import ShaderCompiler

/// An ISF effect translated to GLSL that defines `vec4 effect(vec2 uv)`.
struct ISFShader: Sendable {
  /// The text, with the author's line numbers under the files' paths.
  let text: String
  let traits: EffectTraits
  /// True if every pixel must have its own invocation.
  let isAlone: Bool
  /// The author's words, by the names that messages may contain.
  let spokenNames: [String: String]

  init(_ isf: ISFFile, path: String) {
    let header = isf.isf
    let fragment = ISFTranslation(isf.fragment, header: header, isVertexStage: false)
    let varyings = fragment.variables.filter { $0.storage == .varying }
    let vertex = isf.vertexPath.map { path in
      ISFVertexStage(
        ISFTranslation(isf.vertex, header: header, isVertexStage: true), path: path,
        wanted: varyings, names: fragment.names)
    }
    let translations = [fragment] + [vertex?.shader].compactMap(\.self)
    let hasTargets = !header.header.passes.isEmpty
    isAlone = hasTargets || fragment.hasOwnGlobals || vertex?.shader.hasOwnGlobals == true
    let images = ISFImages(
      header, translations, isMoved: vertex?.isMoving == true, isAlone: isAlone)
    spokenNames = translations.reduce(into: [:]) { names, translation in
      names.merge(translation.spokenNames) { first, _ in first }
    }
    // The number of iterations is unknown; a loop counts as sixteen.
    let often = fragment.words.contains { $0 == "for" || $0 == "while" } ? 16 : 1
    traits = EffectTraits(
      hasOwnMain: false,
      isPerPixel: !isAlone && vertex == nil && images.readsOwnPixelOnly
        && !fragment.words.contains("gl_FragCoord"),
      reads: fragment.readCount * often, size: fragment.words.count * often)
    let outputs = fragment.variables.filter { $0.storage == .outside }
    let makesOwn = !fragment.words.contains("gl_FragColor") && !outputs.isEmpty
    text = """
      \(Self.place(isAlone: isAlone))
      \(images.glsl)
      \(ISFPower.glsl(for: translations.flatMap { [$0.text, $0.passing] }))
      vec4 kf_FragColor;
      float kf_FragDepth;
      bool kf_discarded;
      \(Self.declarations(fragment))
      \(vertex?.glsl ?? "")
      \(fragment.passing)
      #line 1 "\(EffectShader.quoted(path))"
      \(fragment.text)
      #line 1 "\(EffectShader.quoted(GeneratedText.name(after: path)))"
      \(fragment.macros.map { "#undef \($0)" }.joined(separator: "\n"))
      \(Self.effect(
        isAlone: isAlone,
        before: vertex == nil ? "" : "if (!kf_blend(isf_FragNormCoord)) return vec4(0.0);",
        after: makesOwn ? "kf_FragColor = vec4(\(outputs[0].name));" : ""))
      """
  }

  /// Returns the function `effect`, which runs the text's own `main` for a pixel.
  static func effect(isAlone: Bool, before: String, after: String) -> String {
    """
    vec4 kf_limit(vec4 color) {
      color = mix(color, vec4(0.0), lessThan(color, vec4(0.0)));
      return mix(color, vec4(1.0), greaterThan(color, vec4(1.0)));
    }
    vec4 effect(vec2 uv) {
      kf_FragColor = vec4(0.0);
      kf_discarded = false;
      kf_FragCoord = vec4(vec2(PIXEL) + 0.5, 0.5, 1.0);
      kf_FragCoord.y = RENDERSIZE.y - kf_FragCoord.y;
      isf_FragNormCoord = kf_FragCoord.xy / RENDERSIZE;
      \(before)
      kf_main();
      \(after)
      if (kf_discarded) return vec4(0.0);
      return \(isAlone ? "kf_isFloat ? kf_FragColor : " : "")kf_limit(kf_FragColor);
    }
    """
  }

  /// Returns the variables with the pixel's coordinates, which the text's global variables may use.
  static func place(isAlone: Bool) -> String {
    guard isAlone else { return "vec2 isf_FragNormCoord;\nvec4 kf_FragCoord;" }
    return """
      vec4 kf_FragCoord = vec4(
        float(kf_invocation.x) + 0.5,
        RENDERSIZE.y - float(kf_invocation.y) - 0.5, 0.5, 1.0);
      vec2 isf_FragNormCoord = kf_FragCoord.xy / RENDERSIZE;
      """
  }

  /// Returns the variables that the text shares, as variables of the kernel.
  static func declarations(
    _ shader: ISFTranslation, besides known: Set<String> = []
  ) -> String {
    shader.variables.compactMap { variable in
      let name = variable.name
      guard !known.contains(name), shader.names.imageNumbers[name] == nil,
        !EffectNames.isBuiltIn(name),
        !["isf_FragNormCoord", "vv_FragNormCoord", "isf_FragCoord", "vv_FragCoord"].contains(name),
        !shader.names.isInput(name)
      else { return nil }
      if variable.type.hasPrefix("sampler") { return "const int \(name) = -1;" }
      return
        "\(variable.type) \(shader.names.name(for: name, isCalled: false) ?? name)\(variable.array);"
    }.joined(separator: "\n")
  }
}
