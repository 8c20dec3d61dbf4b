import Frames

/// What a terminal shows: a picture, lines of text below it, and a last row.
///
/// Used by the terminal's thread.
struct TerminalScreen {
  let style: TerminalStyle
  private var picture: TerminalPicture?
  private var format: FrameFormat?
  private var size: TerminalSize?
  /// The rows of text that are shown, the last row among them.
  private var shown: [String] = []

  init(style: TerminalStyle) { self.style = style }

  /// Draws a picture and text in the place of what is shown; returns bytes for the terminal, none if nothing changes.
  ///
  /// `isNew` says that it is another frame than the one that is shown. Lines that have no room are left out; the status is
  /// the last row.
  mutating func draw(
    _ frame: Frame?, isNew: Bool, lines: [String], status: String, size: TerminalSize,
    facts: TerminalFacts
  ) throws(TerminalError) -> [UInt8] {
    let texts = (lines.prefix((size.rows - 1) / 2) + [status]).map {
      TerminalText.cut(TerminalText.harmless($0), to: size.columns - 1)
    }
    let isLaidOut = self.size == size && shown.count == texts.count
    var bytes: [UInt8] = []
    if !isLaidOut { clear(size, into: &bytes) }
    if let frame, isNew || !isLaidOut {
      try draw(frame, rows: max(size.rows - texts.count, 1), size, facts, &bytes)
    }
    for (index, text) in texts.enumerated() where !isLaidOut || shown[index] != text {
      bytes += "\u{1b}[\(size.rows - texts.count + index + 1);1H\u{1b}[0m\(text)\u{1b}[K".utf8
    }
    (self.size, shown) = (size, texts)
    // Terminals that know it show both together.
    return bytes.isEmpty ? [] : Array("\u{1b}[?2026h".utf8) + bytes + Array("\u{1b}[?2026l".utf8)
  }

  private mutating func clear(_ size: TerminalSize, into bytes: inout [UInt8]) {
    if style == .kitty { bytes += "\u{1b}_Ga=d,d=A,q=2\u{1b}\\".utf8 }
    bytes += "\u{1b}[0m\u{1b}[2J".utf8
    picture = nil
  }

  private mutating func draw(
    _ frame: Frame, rows: Int, _ size: TerminalSize, _ facts: TerminalFacts,
    _ bytes: inout [UInt8]
  ) throws(TerminalError) {
    if format != frame.format { picture = nil }
    format = frame.format
    let area = TerminalArea(frame.format, in: size, rows: rows, style: style)
    if picture == nil {
      picture = try TerminalPicture(frame.format, in: area, style: style, facts: facts)
    }
    picture?.draw(frame, facts: facts, into: &bytes)
  }
}
