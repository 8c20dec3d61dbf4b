import ShaderCompiler

extension ForeignFile {
  /// Reads a `transition` of gl-transitions: its uniforms are parameters, and the comment after each is
  /// its default.
  init(
    transition code: String, source: String, own: LocatedJSON?, path: String
  ) throws(LocatedError) {
    var inputs =
      EffectInput.HostImage.ofTransition.map { HeaderText.image($0) }
      + [HeaderText.input("progress", "float", ["DEFAULT": 0, "MIN": 0, "MAX": 1])]
    var lead = """
      vec4 getFromColor(vec2 uv) { return IMG_NORM_PIXEL(startImage, uv); }
      vec4 getToColor(vec2 uv) { return IMG_NORM_PIXEL(endImage, uv); }
      """
    if ForeignRun.words(code).contains("ratio") {
      lead += "\nfloat ratio = RENDERSIZE.x / RENDERSIZE.y;"
    }
    let uniforms = Self.parameters(
      of: source, code: code, own: own,
      besides: Set(EffectInput.HostImage.ofTransition + ["progress", "ratio"]))
    inputs += uniforms.inputs
    for declaration in uniforms.lead { lead += "\n" + declaration }
    self.init(
      isf: try ISFHeader(HeaderText.object(own, inputs: inputs)),
      runs: [
        ForeignRun(
          lead: lead, [.init(label: path, text: code)],
          tail: "void main() { gl_FragColor = transition(isf_FragNormCoord); }",
          names: uniforms.names)
      ])
    warnings = uniforms.warnings
  }
}
