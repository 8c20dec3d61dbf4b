import ShaderCompiler

/// An effect's text without its `#extension` lines, which must come before all other code.
///
/// Blank lines replace them, and also replace `#version`, which kfrec writes itself, and `#line`, with which messages would
/// name another place than the file's. An `#extension`
/// under a condition that is never true stays in its place; one under an `#ifdef` of a name that the
/// compiler defines takes that `#ifdef` along.
struct HoistedText {
  /// The `#extension` lines, each after a `#line` directive with the author's line number.
  let extensions: String
  let body: String

  /// `path` is the name of the text in messages.
  init(_ source: String, path: String) {
    let lineEnd = UInt8(ascii: "\n")
    let code = GLSLText.withoutComments(source)
    let codeLines = code.utf8.split(separator: lineEnd, omittingEmptySubsequences: false)
    var extensions: [String] = []
    var body: [String] = []
    var conditions: [Condition] = []
    let lines = source.utf8.split(separator: lineEnd, omittingEmptySubsequences: false)
    for (index, (line, codeLine)) in zip(lines, codeLines).enumerated() {
      let codeText = String(decoding: codeLine, as: UTF8.self)
      let words = GLSLText.tokens(codeText)
      let directive = words.first == "#" && words.count > 1 ? words[1] : ""
      Self.follow(directive, words.dropFirst(2).map(String.init), &conditions)
      let isOff = conditions.contains { $0 == .off || $0 == .done }
      if directive == "extension", !isOff {
        let guards = conditions.compactMap(\.guardLine)
        extensions += guards
        extensions += ["#line \(index + 1) \"\(path)\"", codeText]
        extensions += guards.map { _ in "#endif" }
        body.append("")
      } else {
        body.append(
          ["version", "line"].contains(directive) ? "" : String(decoding: line, as: UTF8.self))
      }
    }
    self.extensions = extensions.joined(separator: "\n")
    self.body = body.joined(separator: "\n")
  }

  /// What is known about a condition without the compiler.
  private enum Condition: Equatable {
    /// The condition is never true.
    case off
    /// The condition is always true.
    case on
    /// An earlier branch of the same `#if` is always true.
    case done
    case unknown
    /// The `#ifdef` of a name that the compiler defines, which works at any place in the text.
    case compiler(String)

    var guardLine: String? {
      if case .compiler(let line) = self { line } else { nil }
    }
  }

  private static func follow(
    _ directive: Substring, _ rest: [String], _ conditions: inout [Condition]
  ) {
    switch directive {
    case "if" where rest == ["0"]: conditions.append(.off)
    case "if" where rest == ["1"]: conditions.append(.on)
    case "ifdef" where rest.count == 1 && rest[0].hasPrefix("GL_"):
      conditions.append(.compiler("#ifdef \(rest[0])"))
    case "if", "ifdef", "ifndef": conditions.append(.unknown)
    case "else", "elif":
      guard let last = conditions.popLast() else { return }
      conditions.append(
        last == .on || last == .done ? .done : directive == "else" && last == .off ? .on : .unknown)
    case "endif": _ = conditions.popLast()
    default: break
    }
  }
}
