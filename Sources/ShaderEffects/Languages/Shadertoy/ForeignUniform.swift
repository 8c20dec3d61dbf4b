import ShaderCompiler

/// A declaration such as `uniform vec2 direction; // = vec2(0.0, 1.0)`.
///
/// It becomes a parameter, because no host sets it here.
struct ForeignUniform {
  let type: String
  let name: String
  /// The components of its default; empty if the file says none.
  private var defaults: [Double]

  /// Finds the uniforms of a text that have no known meaning to a host: those that become parameters, of GLSL's plain types
  /// and images; and those that cannot.
  ///
  /// The comments of `source` may hold defaults; `code` is the text without them.
  static func all(
    in source: String, code: String, besides known: Set<String>
  ) -> (parameters: [ForeignUniform], others: [ISFVariable]) {
    let written = written(in: source, code: code)
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

  /// Returns the type and the default of each uniform for which a text says a default, by name.
  ///
  /// It stands between a declaration and the end of its last line or the next declaration, and holds for all of its names.
  /// `code` is the text with blanks in place of comments.
  private static func written(
    in source: String, code: String
  ) -> [String: (type: String, defaults: [Double])] {
    let (bytes, bare) = (Array(source.utf8), Array(code.utf8))
    guard bytes.count == bare.count else { return [:] }
    var starts: [Int] = []
    var offset = 0
    for token in ISFToken.tokens(code) {
      if token.kind == .word, token.text == "uniform" { starts.append(offset) }
      offset += token.text.utf8.count
    }
    var found: [String: (type: String, defaults: [Double])] = [:]
    for (start, next) in zip(starts, starts.dropFirst() + [bytes.count]) {
      let close = bare[start..<next].firstIndex(of: UInt8(ascii: ";")) ?? next
      let end = bare[close..<next].firstIndex(of: UInt8(ascii: "\n")) ?? next
      let defaults = components(in: String(decoding: bytes[start..<end], as: UTF8.self))
      let words = GLSLText.tokens(String(decoding: bare[start..<close], as: UTF8.self))
      let declared = words.dropFirst().drop { ["lowp", "mediump", "highp"].contains($0) }
        .prefix { $0 != "=" }
      guard let type = declared.first, !defaults.isEmpty else { continue }
      for name in declared.dropFirst().split(separator: ",").compactMap(\.first) {
        found[String(name)] = (String(type), defaults)
      }
    }
    return found
  }

  /// Returns the components of the value behind the first `=` of a text, as in `= vec2(0.5, 1.0/3.0)`.
  private static func components(in text: String) -> [Double] {
    var value = text.drop { $0 != "=" }.dropFirst().drop { $0.isWhitespace }
    // Behind a type a parenthesis holds the components, elsewhere words.
    let type = value.prefix { $0.isLetter || $0.isNumber }
    let rest = value.dropFirst(type.count).drop { $0.isWhitespace }
    if rest.first == "(", type.isEmpty || types.contains(String(type)) { value = rest.dropFirst() }
    return value.prefix { !"();*\n".contains($0) }.split(separator: ",").compactMap(number)
  }

  /// Returns the number that a text begins with, also as a quotient; nil if it begins with none.
  private static func number(_ text: Substring) -> Double? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map {
      part -> Double? in
      let word = part.split { $0.isWhitespace }.first ?? ""
      let truth: [Substring: Double] = ["true": 1, "false": 0]
      return truth[word] ?? Double(plainDecimal: word.hasSuffix("f") ? word.dropLast() : word)
    }
    guard let value = parts[0], parts.count > 1, let divisor = parts[1], divisor != 0 else {
      return parts[0]
    }
    return value / divisor
  }

  /// The input that holds the uniform's value.
  var input: LocatedJSON {
    switch type {
    case "sampler2D": HeaderText.image(name)
    case "float":
      // The file does not state a range; this one is used because a float must have a range.
      HeaderText.input(name, "float", ["DEFAULT": start(1), "MIN": -1e6, "MAX": 1e6])
    case "bool": HeaderText.input(name, "bool", ["DEFAULT": start(1)])
    case "int", "uint": HeaderText.input(name, "long", ["DEFAULT": start(1)])
    case "vec2", "ivec2": HeaderText.input(name, "point2D", ["DEFAULT": start(2)])
    case _ where defaults.allSatisfy({ (0...1).contains($0) }):
      HeaderText.input(name, "color", ["DEFAULT": start(4)])
    default:
      // Default components outside 0 to 1 show that the value is not a colour.
      HeaderText.input(
        name, "color",
        [
          "DEFAULT": start(4), "MIN": [-1e6, -1e6, -1e6, -1e6], "MAX": [1e6, 1e6, 1e6, 1e6],
        ])
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

  /// Returns the default; one number stands for all components, as in `vec2(1.0)`.
  private func start(_ count: Int) -> LocatedJSON {
    var numbers = defaults.count == 1 ? Array(repeating: defaults[0], count: count) : defaults
    while numbers.count < count { numbers.append(count == 4 && numbers.count == 3 ? 1 : 0) }
    return HeaderText.numbers(Array(numbers.prefix(count)))
  }
}
