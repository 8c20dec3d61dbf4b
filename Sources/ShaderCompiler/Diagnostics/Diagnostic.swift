/// One message about a source text, with its position in the author's own file if known.
public struct Diagnostic: Sendable, Equatable, CustomStringConvertible {
  public enum Severity: String, Sendable { case error, warning }

  public var file: String
  /// Counted from 1.
  public var line: Int?
  /// Counted in characters from 1; a tab is one character.
  public var column: Int?
  public var severity: Severity
  public var message: String
  /// The text of that line, without its line end.
  public var excerpt: Substring?

  public init(
    file: String, line: Int? = nil, column: Int? = nil, severity: Severity, message: String,
    excerpt: Substring? = nil
  ) {
    self.file = file
    self.line = line
    self.column = column
    self.severity = severity
    self.message = message
    self.excerpt = excerpt
  }

  /// Makes a message about a byte position in a given text.
  public init(
    file: String, source: SourceText, utf8Offset: Int, severity: Severity = .error, message: String
  ) {
    let (line, column) = source.position(utf8Offset: utf8Offset)
    self.init(
      file: file, line: line, column: column, severity: severity, message: message,
      excerpt: source.line(line))
  }

  /// `file:line:column: error: message`, then the source line and a line with a caret.
  ///
  /// The caret line repeats the source line's tabs, so that it is right for any tab width. Of a long
  /// line, only the part around the column is shown.
  public var description: String { text(label: "\(severity.rawValue): ") }

  /// The same without `error:` or `warning:`, for callers that state the severity themselves.
  public var withoutSeverity: String { text(label: "") }

  private func text(label: String) -> String {
    var text = Diagnostic.onOneLine(file)
    if let line { text += ":\(line)" }
    if line != nil, let column { text += ":\(column)" }
    text += ": \(label)\(Diagnostic.onOneLine(message))"
    guard let excerpt else { return text }
    let (part, caret) = shown(of: excerpt)
    text += "\n\(part)"
    if let caret {
      let lead = part.prefix(caret - 1).map { $0 == "\t" ? "\t" : " " }
      text += "\n\(lead.joined())^"
    }
    return text
  }

  /// A name or a message that may quote the author's text, whose line ends are shown.
  private static func onOneLine(_ text: String) -> String {
    text.replacing("\n", with: "\\x0a").replacing("\r", with: "\\x0d")
  }

  /// The largest number of characters shown of a line; a whole effect may be on one line.
  private static let longest = 200

  /// The shown part of the line, and the column in that part.
  private func shown(of excerpt: Substring) -> (text: String, column: Int?) {
    let longest = Diagnostic.longest
    guard
      let end = excerpt.index(excerpt.startIndex, offsetBy: longest, limitedBy: excerpt.endIndex),
      end < excerpt.endIndex
    else { return (String(excerpt), column) }
    let skipped = max((column ?? 1) - longest / 2, 0)
    let part = excerpt.dropFirst(skipped).prefix(longest)
    let (before, behind) = (skipped > 0 ? "..." : "", part.endIndex < excerpt.endIndex ? "..." : "")
    return (before + part + behind, column.map { $0 - skipped + before.count })
  }
}
