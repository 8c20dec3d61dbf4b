/// The names in messages of the text that kfrec writes around an author's, set by `#line` directives.
public enum GeneratedText {
  public static let name = "kfrec"

  /// The name of the text that follows an author's: errors there are mistakes of that author.
  public static func name(after author: String) -> String { prefix + author }

  /// The author whose text comes before the text of this name.
  static func author(before name: String) -> String? {
    name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
  }

  private static let prefix = "\(name) after "
}

extension DiagnosticParser {
  /// The diagnostics, with those about kfrec's own text moved to a place in the author's text.
  ///
  /// Of several about the same part only the first stays: the others follow from it.
  func broughtBack(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    var reported = Set<String>()
    return diagnostics.compactMap { diagnostic in
      let before = GeneratedText.author(before: diagnostic.file)
      guard let author = before ?? (diagnostic.file == GeneratedText.name ? self.author : nil)
      else {
        let lineCount = sources[diagnostic.file]?.lineCount ?? .max
        return (diagnostic.line ?? 0) > lineCount
          ? atEnd(of: diagnostic.file, diagnostic) : diagnostic
      }
      guard reported.insert(diagnostic.file).inserted else { return nil }
      return calledFunction(by: author, diagnostic) ?? atEnd(of: author, diagnostic)
    }
  }

  /// The error for a function that kfrec's text calls and the author's text does not define correctly.
  private func calledFunction(by author: String, _ diagnostic: Diagnostic) -> Diagnostic? {
    guard diagnostic.message.hasSuffix("no matching overloaded function found"),
      let (name, form) = entryPoints.first(where: { diagnostic.message.hasPrefix("'\($0.key)'") })
    else { return nil }
    for file in [author] + sources.keys.sorted() {
      guard let source = sources[file], let offset = GLSLText.definition(of: name, in: source.text)
      else { continue }
      return Diagnostic(
        file: file, source: source, utf8Offset: offset, severity: diagnostic.severity,
        message: "'\(name)' must be defined as '\(form)'")
    }
    var missing = diagnostic
    missing.message = "'\(form)' is missing; add it"
    return atEnd(of: author, missing)
  }

  /// The diagnostic after the last character of a file, with the reason if it is known.
  private func atEnd(of file: String, _ diagnostic: Diagnostic) -> Diagnostic {
    var (file, message) = (file, diagnostic.message)
    if message.contains("missing #endif") {
      let open = ([file] + sources.keys.sorted()).lazy.compactMap { file in
        sources[file].flatMap { GLSLText.openConditional(in: $0.text) }.map { (file, $0) }
      }.first
      if let open {
        file = open.0
        message = "the file ends inside of the #if of line \(open.1): a #endif is missing"
      }
    } else if message.hasPrefix("syntax error"),
      let source = sources[file], GLSLText.endsInsideBlock(source.text)
    {
      message = "the file ends inside of a function or block: a } is missing"
    }
    guard let source = sources[file] else {
      return Diagnostic(file: file, severity: diagnostic.severity, message: message)
    }
    let end = source.text.utf8.lastIndex { !" \t\r\n".utf8.contains($0) }
    let length = end.map { source.text.utf8.distance(from: source.text.startIndex, to: $0) + 1 }
    return Diagnostic(
      file: file, source: source, utf8Offset: length ?? 0, severity: diagnostic.severity,
      message: message)
  }
}

extension GLSLText {
  /// The byte offset of a function's name in its definition or declaration.
  fileprivate static func definition(of name: String, in text: String) -> Int? {
    let code = withoutComments(text)
    let tokens = tokens(code)
    var depth = 0
    for (index, token) in tokens.enumerated() {
      if token == "{" { depth += 1 }
      if token == "}" { depth -= 1 }
      if depth == 0, token == name, index + 1 < tokens.count, tokens[index + 1] == "(" {
        return code.utf8.distance(from: code.startIndex, to: token.startIndex)
      }
    }
    return nil
  }

  /// Whether a text has more `{` than `}`.
  fileprivate static func endsInsideBlock(_ text: String) -> Bool {
    let code = withoutComments(text).utf8
    return code.count { $0 == UInt8(ascii: "{") } > code.count { $0 == UInt8(ascii: "}") }
  }

  /// The line of the last `#if`, `#ifdef` or `#ifndef` that has no `#endif`.
  fileprivate static func openConditional(in text: String) -> Int? {
    var open: [Int] = []
    let lines = withoutComments(text).utf8
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let words = tokens(String(decoding: line, as: UTF8.self)).prefix(2)
      guard words.first == "#", let word = words.last else { continue }
      if word.hasPrefix("if") { open.append(index + 1) }
      if word == "endif" { _ = open.popLast() }
    }
    return open.last
  }
}
