import ShaderCompiler

/// A foreign shader translated to GLSL that defines `vec4 effect(vec2 uv)`.
struct ForeignShader: Sendable {
  let text: String
  /// The author's words, by the names that messages may contain.
  let spokenNames: [String: String]

  init(_ file: ForeignFile) {
    let translations = file.runs.map {
      ISFTranslation($0.text, header: file.isf, isVertexStage: false)
    }
    let images = ISFImages(file.isf, translations, isMoved: false, isAlone: true)
    spokenNames = translations.reduce(into: [:]) { names, translation in
      names.merge(translation.spokenNames) { first, _ in first }
    }
    let isOne = file.runs.count == 1
    let runs = zip(file.runs, translations).enumerated().map { number, run in
      """
      \(isOne ? "" : "#\(number == 0 ? "if" : "elif") PASSINDEX == \(number)")
      \(Self.declarations(run.0, run.1))
      \(run.1.passing)
      \(run.0.translated(run.1))
      """
    }
    let macros = Set(translations.flatMap(\.macros)).sorted()
    text = """
      \(ISFShader.place(isAlone: true))
      float kf_rate = FRAMERATE;
      \(images.glsl)
      \(ISFPower.glsl(for: translations.flatMap { [$0.text, $0.passing] }))
      vec4 kf_FragColor;
      float kf_FragDepth;
      bool kf_discarded;
      \(runs.joined(separator: "\n"))
      \(isOne ? "" : "#endif")
      #line 1 "\(EffectShader.quoted(GeneratedText.name(after: file.runs.last?.label ?? "")))"
      \(macros.map { "#undef \($0)" }.joined(separator: "\n"))
      \(ISFShader.effect(isAlone: true, before: "", after: ""))
      """
  }

  /// Returns the variables that the author declares for a host, and that kfrec does not set.
  private static func declarations(_ run: ForeignRun, _ translation: ISFTranslation) -> String {
    let known = run.ownNames.union(ShadertoyPrelude.names)
    return ISFShader.declarations(translation, besides: known)
  }
}
