import ShaderCompiler

/// A line such as `uniform vec2 direction; // = vec2(0.0, 1.0)`.
///
/// It becomes a parameter, because no host sets it here.
struct ForeignUniform {
  let type: String
  let name: String
  /// The components of its default; empty if the file says none.
  private var defaults: [Double]

  /// Finds the uniforms of a text that have no meaning to a host.
  ///
  /// - Parameters:
  ///   - source: The text with its comments, which may hold defaults.
  ///   - code: The text without comments.
  ///   - known: Names that have a meaning.
  /// - Returns: Those that become parameters, of GLSL's plain types and images; and those that cannot.
  static func all(
    in source: String, code: String, besides known: Set<String>
  ) -> (parameters: [ForeignUniform], others: [ISFVariable]) {
    var written: [String: ForeignUniform] = [:]
    for line in source.split(separator: "\n") {
      if let uniform = ForeignUniform(line) { written[uniform.name] = uniform }
    }
    var parameters: [ForeignUniform] = []
    var others: [ISFVariable] = []
    for variable in ISFDeclarations(ISFToken.tokens(code), isVertexStage: false).variables
    where variable.storage == .uniform && !known.contains(variable.name) {
      guard types.contains(variable.type), variable.array.isEmpty else {
        others.append(variable)
        continue
      }
      var uniform = ForeignUniform(type: variable.type, name: variable.name, defaults: [])
      if let own = written[variable.name], own.type == variable.type {
        uniform.defaults = own.defaults
      }
      if uniform.defaults.isEmpty { uniform.defaults = seen[variable.type] ?? [0.5] }
      parameters.append(uniform)
    }
    return (parameters, others)
  }

  private static let types: Set<String> = [
    "float", "int", "uint", "bool", "vec2", "vec3", "vec4", "ivec2", "sampler2D",
  ]

  /// Defaults of which something is seen, where the file says none: 0 would hide most looks.
  private static let seen: [String: [Double]] = [
    "int": [1], "uint": [1], "bool": [1], "ivec2": [1, 1], "vec3": [0.5, 0.5, 0.5, 1],
    "vec4": [0.5, 0.5, 0.5, 1],
  ]

  private init(type: String, name: String, defaults: [Double]) {
    (self.type, self.name, self.defaults) = (type, name, defaults)
  }

  /// What stands before the text, and the word in its place, if it needs another type than the parameter's.
  var typed: (declaration: String, name: String)? {
    narrowed.map { ("\(type) \(name)_narrowed = \($0);", "\(name)_narrowed") }
  }

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
  private var narrowed: String? {
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
