import Terminal

/// Lines at the bottom of a terminal that are written again and again.
struct TerminalLines {
  /// Whether several lines are possible: a terminal that knows the escape sequences of ECMA-48.
  let hasSeveral: Bool
  private var shown: [String] = []

  init(hasSeveral: Bool) { self.hasSeveral = hasSeveral }

  /// Returns the text that shows these lines instead of those before; if there is no room, the last of them.
  mutating func show(_ lines: [String], size: (columns: Int, rows: Int)) -> String {
    // A line that wraps could not be found again, and neither could one that scrolled away.
    let room = hasSeveral ? max(1, size.rows - 1) : 1
    let lines = lines.suffix(room).map { TerminalText.cut($0, to: size.columns - 1) }
    var text = home
    if hasSeveral {
      text += lines.map { $0 + TerminalLines.eraseLine }.joined(separator: "\n")
      if shown.count > lines.count { text += TerminalLines.eraseBelow }
    } else {
      // Spaces instead of an escape sequence, which a simple terminal would print.
      let rest = max(0, (shown.last?.count ?? 0) - (lines.last?.count ?? 0))
      text += (lines.last ?? "") + String(repeating: " ", count: rest)
    }
    shown = lines
    return text
  }

  /// The text that removes the lines and leaves the cursor where they began.
  mutating func clear() -> String {
    guard let last = shown.last else { return "" }
    let text =
      hasSeveral
      ? home + TerminalLines.eraseBelow
      : "\r" + String(repeating: " ", count: last.count) + "\r"
    shown = []
    return text
  }

  /// Moves the cursor to the start of the first line.
  private var home: String {
    hasSeveral && shown.count > 1 ? "\r\u{1b}[\(shown.count - 1)A" : "\r"
  }

  private static let eraseLine = "\u{1b}[K"
  private static let eraseBelow = "\u{1b}[J"
}
