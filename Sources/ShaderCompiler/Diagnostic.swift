/// One message about a source text, with its place in the author's own file where it is known.
package struct Diagnostic: Sendable, Equatable, CustomStringConvertible {
  package enum Severity: String, Sendable { case error, warning }

  package var file: String
  /// Counted from 1.
  package var line: Int?
  /// Counted in characters from 1; a tab is one character.
  package var column: Int?
  package var severity: Severity
  package var message: String
  /// The text of that line, without its end.
  package var excerpt: String?

  package init(
    file: String, line: Int? = nil, column: Int? = nil, severity: Severity, message: String,
    excerpt: String? = nil
  ) {
    self.file = file
    self.line = line
    self.column = column
    self.severity = severity
    self.message = message
    self.excerpt = excerpt
  }

  /// A message about a place in a text that is at hand.
  package init(
    file: String, source: SourceText, utf8Offset: Int, severity: Severity = .error, message: String
  ) {
    let (line, column) = source.position(utf8Offset: utf8Offset)
    self.init(
      file: file, line: line, column: column, severity: severity, message: message,
      excerpt: source.line(line))
  }

  /// `file:line:column: error: message`, then the source line and a line with a caret.
  ///
  /// The caret line repeats the source line's tabs, so that it points right whatever a tab's width.
  package var description: String { text(label: "\(severity.rawValue): ") }

  /// The same without `error:` or `warning:`, for where something else says which it is.
  package var withoutSeverity: String { text(label: "") }

  private func text(label: String) -> String {
    var text = file
    if let line { text += ":\(line)" }
    if line != nil, let column { text += ":\(column)" }
    text += ": \(label)\(message)"
    guard let excerpt else { return text }
    text += "\n\(excerpt)"
    if let column {
      let lead = excerpt.prefix(column - 1).map { $0 == "\t" ? "\t" : " " }
      text += "\n\(lead.joined())^"
    }
    return text
  }
}
