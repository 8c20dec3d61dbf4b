/// Returns a string in double quotes, with the escapes that RFC 8259 section 7 requires: quotation mark,
/// backslash and everything below U+0020, and with escapes for characters that a terminal would obey.
public func quotedForJSON(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    default: append(scalar, to: &result)
    }
  }
  return result + "\""
}

/// Returns JSON of another writer with the same escapes of what a terminal obeys, which it has only in strings.
public func withoutControls(json: String) -> String {
  var result = ""
  for scalar in json.unicodeScalars { append(scalar, to: &result) }
  return result
}

private func append(_ scalar: Unicode.Scalar, to text: inout String) {
  guard scalar.isObeyed else { return text.unicodeScalars.append(scalar) }
  text += "\\u" + zeroPadded(scalar.value, digits: 4, radix: 16)
}

extension Unicode.Scalar {
  /// Whether a terminal or a reader of lines may do something with it instead of showing it: control characters, marks of text
  /// direction (UAX #9), and separators of lines and paragraphs.
  public var isObeyed: Bool {
    switch self {
    case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}": true
    case "\u{61c}", "\u{200e}", "\u{200f}", "\u{2028}"..."\u{202e}", "\u{2066}"..."\u{2069}": true
    default: false
    }
  }
}

extension Rational {
  /// The number with two decimals, rounded.
  package var twoDecimals: String {
    let hundredths = (self * Rational(100) + Rational(1, 2)).floor
    let size = abs(hundredths)
    return "\(hundredths < 0 ? "-" : "")\(size / 100).\(zeroPadded(size % 100, digits: 2))"
  }
}

/// Writes a number with at least this many digits.
package func zeroPadded(_ number: some BinaryInteger, digits: Int, radix: Int = 10) -> String {
  let text = String(number, radix: radix)
  return String(repeating: "0", count: max(digits - text.utf8.count, 0)) + text
}
