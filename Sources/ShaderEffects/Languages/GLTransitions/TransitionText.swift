import ShaderCompiler

extension ForeignFile {
  /// Reads a `transition` of gl-transitions: its uniforms are parameters, and the comment after each is
  /// its default.
  init(
    transition code: String, source: String, own: LocatedJSON?, path: String
  ) throws(LocatedError) {
    var inputs = EffectInput.transitionImageNames.map { HeaderText.image($0, "") }
    inputs.append(
      HeaderText.input(
        "progress", "float",
        [
          HeaderText.member("DEFAULT", HeaderText.numbers([0])),
          HeaderText.member("MIN", HeaderText.numbers([0])),
          HeaderText.member("MAX", HeaderText.numbers([1])),
        ]))
    var lead = """
      vec4 getFromColor(vec2 uv) { return IMG_NORM_PIXEL(startImage, uv); }
      vec4 getToColor(vec2 uv) { return IMG_NORM_PIXEL(endImage, uv); }
      """
    if ForeignRun.words(code).contains("ratio") {
      lead += "\nfloat ratio = RENDERSIZE.x / RENDERSIZE.y;"
    }
    var names: [String: String] = [:]
    let known = Set(
      own?.field("INPUTS")?.value.listed.compactMap { $0.field("NAME")?.value.text } ?? [])
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines {
      guard let uniform = TransitionUniform(line),
        !["progress", "ratio"].contains(uniform.name), !known.contains(uniform.name)
      else { continue }
      inputs.append(uniform.input)
      if let narrowed = uniform.narrowed {
        let name = uniform.name + "_narrowed"
        names[uniform.name] = name
        lead += "\n\(uniform.type) \(name) = \(narrowed);"
      }
    }
    self.init(
      isf: try ISFHeader(HeaderText.object(own, inputs: inputs)),
      runs: [
        ForeignRun(
          lead: lead, [.init(label: path, text: code)],
          tail: "void main() { gl_FragColor = transition(isf_FragNormCoord); }", names: names)
      ])
  }
}

/// A line such as `uniform vec2 direction; // = vec2(0.0, 1.0)`.
private struct TransitionUniform {
  let type: String
  let name: String
  private let defaults: [Double]

  init?(_ line: Substring) {
    let words = GLSLText.tokens(String(line))
    guard words.count > 3, words[0] == "uniform" else { return nil }
    let isPrecise = ["lowp", "mediump", "highp"].contains(words[1])
    type = String(words[isPrecise ? 2 : 1])
    name = String(words[isPrecise ? 3 : 2])
    var value = line.drop { $0 != "=" }.dropFirst()
    if let open = value.firstIndex(of: "(") { value = value[value.index(after: open)...] }
    value = value.prefix { !");*".contains($0) }
    defaults = value.split { ", \t".contains($0) }.compactMap { word in
      ["true": 1, "false": 0][word]
        ?? Double(plainDecimal: word.hasSuffix("f") ? word.dropLast() : word)
    }
  }

  /// The input that holds the uniform's value.
  var input: LocatedJSON {
    switch type {
    case "sampler2D": HeaderText.image(name, "")
    case "float":
      // The file does not state a range; this one is used because a float must have a range.
      HeaderText.input(name, "float", [start(1), limit("MIN", -1e6), limit("MAX", 1e6)])
    case "bool": HeaderText.input(name, "bool", [start(1)])
    case "int", "uint": HeaderText.input(name, "long", [start(1)])
    case "vec2", "ivec2": HeaderText.input(name, "point2D", [start(2)])
    default:
      // Default components outside 0 to 1 show that the value is not a colour.
      HeaderText.input(
        name, "color",
        [start(4)]
          + (defaults.allSatisfy { (0...1).contains($0) }
            ? [] : [limit("MIN", -1e6, parts: 4), limit("MAX", 1e6, parts: 4)]))
    }
  }

  /// The value in the uniform's type, made from the input's value; nil if the types are the same.
  var narrowed: String? {
    switch type {
    case "vec3": "\(name).rgb"
    case "ivec2": "ivec2(\(name))"
    case "uint": "uint(\(name))"
    default: nil
    }
  }

  private func limit(_ key: String, _ number: Double, parts: Int = 1) -> LocatedJSON.Member {
    HeaderText.member(key, HeaderText.numbers(Array(repeating: number, count: parts)))
  }

  /// Returns the DEFAULT member; one number stands for all components, as in `vec2(1.0)`.
  private func start(_ count: Int) -> LocatedJSON.Member {
    var numbers = defaults.count == 1 ? Array(repeating: defaults[0], count: count) : defaults
    while numbers.count < count { numbers.append(count == 4 && numbers.count == 3 ? 1 : 0) }
    return HeaderText.member("DEFAULT", HeaderText.numbers(Array(numbers.prefix(count))))
  }
}
