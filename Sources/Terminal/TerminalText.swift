/// Text as a terminal can show it in one row.
package enum TerminalText {
  /// The start of a text that certainly fits into this many columns.
  ///
  /// Characters from Hangul on may be two columns wide. Those that are not are rare enough to lose a column.
  package static func cut(_ text: String, to columns: Int) -> String {
    var (result, width) = ("", 0)
    for scalar in text.unicodeScalars {
      width += scalar.value < 0x1100 ? 1 : 2
      guard width <= columns else { break }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  /// The text with a question mark for each control character, which would steer the terminal.
  static func harmless(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
      result.unicodeScalars.append(isControl ? "?" : scalar)
    }
    return result
  }
}
