import ShaderCompiler

extension EffectShader {
  /// Rewrites diagnostics about values that only kfrec sets in the author's terms: the compiler names
  /// only the uniform block that holds them.
  func aboutWrittenParameters(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    // A value passed to an `out` parameter has a second message.
    func isHandedOver(_ index: Int) -> Bool {
      index + 1 < diagnostics.count
        && diagnostics[index + 1].message.contains("Non-L-value cannot be passed")
        && isAboutBlock(diagnostics[index])
    }
    return diagnostics.indices.compactMap { index in
      if index > 0, isHandedOver(index - 1) { return nil }
      return aboutWrittenParameter(diagnostics[index], isAssignment: !isHandedOver(index))
    }
  }

  private func isAboutBlock(_ diagnostic: Diagnostic) -> Bool {
    diagnostic.message.contains("l-value required") && diagnostic.message.contains("kf_Uniforms")
  }

  private func aboutWrittenParameter(_ diagnostic: Diagnostic, isAssignment: Bool) -> Diagnostic {
    guard isAboutBlock(diagnostic) else { return diagnostic }
    var diagnostic = diagnostic
    let what = "cannot be written to; copy it to your own variable first"
    guard let excerpt = diagnostic.excerpt, let place = written(in: String(excerpt), isAssignment)
    else {
      diagnostic.message = "a parameter \(what)"
      return diagnostic
    }
    let isParameter = file.header.inputs.contains { $0.name == place.name }
    diagnostic.message = (isParameter ? "the parameter " : "") + "'\(place.name)' \(what)"
    diagnostic.column = SourceText(String(excerpt)).position(utf8Offset: place.offset).column
    return diagnostic
  }

  /// Returns the value that a line writes to, and its offset: the only one before an assignment sign,
  /// or the only other one; nil if that is not clear.
  private func written(in line: String, _ isAssignment: Bool) -> (name: String, offset: Int)? {
    let values = Set(
      file.header.inputs.map(\.name) + file.header.constants.map(\.name)
        + EffectNames.builtIns.map(\.name))
    let code = GLSLText.withoutComments(line)
    let tokens = GLSLText.tokens(code)
    let named = tokens.indices.filter {
      values.contains(String(tokens[$0])) && ($0 == 0 || tokens[$0 - 1] != ".")
    }
    let assigned = named.filter { Self.isAssigned($0, tokens) }
    let candidates =
      isAssignment && !assigned.isEmpty ? assigned : named.filter { !assigned.contains($0) }
    guard let first = candidates.first, Set(candidates.map { tokens[$0] }).count == 1 else {
      return nil
    }
    let offset = code.utf8.distance(from: code.startIndex, to: tokens[first].startIndex)
    return (String(tokens[first]), offset)
  }

  /// Returns whether `=`, `+=`, `++` or similar follows a name and its components, or `++` precedes it.
  private static func isAssigned(_ index: Int, _ tokens: [Substring]) -> Bool {
    let before = tokens[..<index].suffix(2)
    if before.elementsEqual(["+", "+"]) || before.elementsEqual(["-", "-"]) { return true }
    var rest = tokens[(index + 1)...]
    while rest.first == "." { rest = rest.dropFirst(2) }
    if rest.first == "[" { rest = rest.drop { $0 != "]" }.dropFirst() }
    let signs = Array(rest.prefix(3))
    guard let first = signs.first, signs.count > 1 else { return false }
    if first == "=" { return signs[1] != "=" }
    if "+-".contains(first), signs[1] == first { return true }
    if "+-*/%&|^".contains(first) { return signs[1] == "=" }
    return "<>".contains(first) && signs[1] == first && signs.last == "="
  }
}
