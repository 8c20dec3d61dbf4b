/// Parses shaderc's messages into diagnostics with columns and source lines.
///
/// The text has one message per line, `file:line: error: 'token' : message`, or without a line number
/// if it is from the linking stage (`file: error: message`). glslang 11 gives no column: the parser
/// searches the line for the token.
struct DiagnosticParser {
  /// The source texts, by the file names that messages use.
  let sources: [String: SourceText]
  /// The author's names, by the names that the compiler knows.
  var spokenNames: [String: String] = [:]
  /// The name of the author's text that kfrec's text surrounds; nil if there is none.
  var author: String?
  /// The declarations of the functions that kfrec's text calls, by name.
  var entryPoints: [String: String] = [:]

  /// Lines of messages that are read: a text can have a mistake for each of its letters, and each is shown with its line.
  private static let mostLines = 100

  func parse(_ text: String) -> [Diagnostic] {
    var found: [Diagnostic] = []
    let lines = text.split(whereSeparator: \.isNewline)
    let (first, rest) = (lines.prefix(Self.mostLines), lines.dropFirst(Self.mostLines))
    // Behind a hundred warnings stands, perhaps, why nothing was made.
    let isError = { (line: Substring) in line.contains(": error: ") }
    let left = [
      first.contains(where: isError) ? nil : rest.first(where: isError),
      rest.first { IncludeSession.isAboutRepetition(String($0)) },
    ].compactMap(\.self)
    for line in first + left {
      if let diagnostic = parse(line: line) {
        found.append(diagnostic)
      } else if found.isEmpty {
        found.append(Diagnostic(file: "shader", severity: .error, message: String(line)))
      } else {
        found[found.count - 1].message += " " + continuation(line, of: found[found.count - 1])
      }
    }
    if let endless = found.first(where: { IncludeSession.isAboutRepetition($0.message) }) {
      return [endless]
    }
    // "compilation terminated" only repeats that there were errors.
    let telling = found.filter { !$0.message.contains("compilation terminated") }
    return broughtBack(withoutRemains(telling.isEmpty ? found : telling))
  }

  /// The second line of a message, without the file's name that the linking stage repeats.
  private func continuation(_ line: Substring, of diagnostic: Diagnostic) -> Substring {
    let lead = diagnostic.file + ":"
    return (line.hasPrefix(lead) ? line.dropFirst(lead.count) : line).drop { $0 == " " }
  }

  private func parse(line: Substring) -> Diagnostic? {
    let marks: [(String, Diagnostic.Severity)] = [(": error: ", .error), (": warning: ", .warning)]
    for (mark, severity) in marks {
      guard let range = line.firstRange(of: mark) else { continue }
      let (file, number) = splitPlace(line[..<range.lowerBound])
      let (token, message) = splitToken(spoken(line[range.upperBound...])[...])
      let source = sources[file]
      if message.hasSuffix("unexpected token"), let number,
        let (character, column) = source?.foreignCharacter(inLine: number)
      {
        return Diagnostic(
          file: file, line: number, column: column, severity: severity,
          message: Self.refusal(of: character), excerpt: source?.line(number))
      }
      // The first definition is right; the message is about the last one.
      let takesLast = ["redefinition", "already has"].contains { message.contains($0) }
      return Diagnostic(
        file: file, line: number,
        column: number.flatMap { source?.column(of: token, inLine: $0, takesLast: takesLast) },
        severity: severity, message: plain(message), excerpt: number.flatMap { source?.line($0) })
    }
    return nil
  }

  private static let refusalStart = "the non-ASCII character"

  private static func refusal(of character: Character) -> String {
    let code = character.unicodeScalars.first { !$0.isASCII }?.value ?? 0
    let digits = String(code, radix: 16, uppercase: true)
    let number = String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    return "\(refusalStart) '\(character)' (U+\(number)) is in the code; GLSL allows such "
      + "characters only in comments"
  }

  /// Removes the messages about the rest of a line after a character that is not ASCII: the compiler
  /// parses that rest byte by byte.
  private func withoutRemains(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    var known: [Diagnostic] = []
    for diagnostic in diagnostics {
      let isRemains = known.contains {
        $0.message.hasPrefix(Self.refusalStart) && $0.file == diagnostic.file
          && $0.line == diagnostic.line
      }
      if !isRemains { known.append(diagnostic) }
    }
    return known
  }

  /// The text with the author's names.
  private func spoken(_ text: Substring) -> String {
    guard !spokenNames.isEmpty else { return String(text) }
    var result = ""
    var rest = text
    while let first = rest.first {
      let word = rest.prefix(while: GLSLText.isWordPart)
      guard word.isEmpty else {
        result += spokenNames[String(word)] ?? String(word)
        rest = rest.dropFirst(word.count)
        continue
      }
      result.append(first)
      rest.removeFirst()
    }
    return result
  }

  /// The message without glslang's qualifiers, which the author did not write.
  private func plain(_ message: String) -> String {
    var text = message
    for noise in ["' out highp ", "' temp highp ", "' temp mediump ", "' temp ", "' const "] {
      text = text.replacing(noise, with: "'")
    }
    if let range = text.firstRange(of: " for header name: ") {
      text = String(text[..<range.lowerBound])
    }
    return text
  }

  /// Splits `path:12` into a path (which may contain colons) and a line number.
  private func splitPlace(_ place: Substring) -> (file: String, line: Int?) {
    guard let colon = place.lastIndex(of: ":"),
      let number = Int(place[place.index(after: colon)...])
    else { return (String(place), nil) }
    return (String(place[..<colon]), number)
  }

  /// Splits `'token' : message` into the token to search for and a readable message.
  private func splitToken(_ text: Substring) -> (token: String?, message: String) {
    guard text.first == "'", let range = text.firstRange(of: "' : ") else {
      return (nil, String(text))
    }
    let token = String(text[text.index(after: text.startIndex)..<range.lowerBound])
    let message = text[range.upperBound...].drop { $0 == " " }
    guard token.isEmpty else { return (token, "'\(token)': \(message)") }
    return (Self.unexpectedToken(in: message), String(message))
  }

  /// The token that bison did not expect ("unexpected RIGHT_BRACE, expecting SEMICOLON"), if it has only
  /// one spelling.
  private static func unexpectedToken(in message: Substring) -> String? {
    guard let range = message.firstRange(of: "unexpected ") else { return nil }
    return spellings[String(message[range.upperBound...].prefix { GLSLText.isWordPart($0) })]
  }

  private static let spellings = [
    "LEFT_BRACE": "{", "RIGHT_BRACE": "}", "LEFT_PAREN": "(", "RIGHT_PAREN": ")",
    "LEFT_BRACKET": "[", "RIGHT_BRACKET": "]", "SEMICOLON": ";", "COMMA": ",", "COLON": ":",
    "DOT": ".", "EQUAL": "=", "BANG": "!", "DASH": "-", "TILDE": "~", "PLUS": "+", "STAR": "*",
    "SLASH": "/", "PERCENT": "%", "LEFT_ANGLE": "<", "RIGHT_ANGLE": ">", "QUESTION": "?",
    "AMPERSAND": "&", "VERTICAL_BAR": "|", "CARET": "^", "RETURN": "return", "FOR": "for",
    "WHILE": "while", "IF": "if", "ELSE": "else", "FLOAT": "float", "INT": "int", "VOID": "void",
    "BOOL": "bool", "UINT": "uint", "VEC2": "vec2", "VEC3": "vec3", "VEC4": "vec4",
    "IVEC2": "ivec2", "CONST": "const", "IN": "in", "OUT": "out", "UNIFORM": "uniform",
  ]
}
