import ShaderCompiler

/// Functions of an effect that have name and types of one of GLSL's own, which the compiler does not accept, though GLSL
/// allows it.
///
/// They get another name by a macro. One with other types than GLSL's own may stay beside these as it is.
struct ReplacedFunctions {
  /// The types of the parameters of all functions with a replaced name.
  private var defined: [String: [[String]]] = [:]

  /// Finds them in the tokens of the text without comments.
  init(_ tokens: [Substring]) {
    var depth = 0
    for (place, token) in tokens.enumerated() {
      if token == "{" { depth += 1 }
      if token == "}" { depth -= 1 }
      guard depth == 0, place > 0, place + 1 < tokens.count, tokens[place + 1] == "(",
        tokens[place - 1].first?.isLetter == true
      else { continue }
      let rest = tokens[(place + 2)...].prefix { $0 != ")" }
      guard !BuiltInFunctions.overloads(of: String(token)).isEmpty,
        ["{", ";"].contains(tokens[(place + 2)...].dropFirst(rest.count + 1).first ?? "")
      else { continue }
      let types = BuiltInFunctions.types(ofParameters: rest.map(String.init))
      defined[String(token), default: []].append(types)
    }
    defined = defined.filter { name, types in
      BuiltInFunctions.overloads(of: name).contains { types.contains($0.parameters) }
    }
  }

  private var names: [String] { defined.keys.sorted() }

  private static func replacement(_ name: String) -> String { "kf_own_\(name)" }

  /// GLSL's own functions under the new names, where the text defines none.
  var functions: String {
    names.map { BuiltInFunctions.passing($0, as: Self.replacement($0), besides: defined[$0] ?? []) }
      .joined(separator: "\n")
  }

  /// What stands before the text, and behind it.
  var before: String {
    names.isEmpty
      ? ""
      : """
      \(after)
      \(functions)
      \(names.map { "#define \($0) \(Self.replacement($0))" }.joined(separator: "\n"))
      """
  }

  var after: String { names.map { "#undef \($0)" }.joined(separator: "\n") }

  /// The author's names, by those of the kernel.
  var spokenNames: [String: String] {
    Dictionary(names.map { (Self.replacement($0), $0) }) { first, _ in first }
  }
}
