/// A source text by lines, for messages about places in it.
package struct SourceText: Sendable {
  package let text: String
  private let lineStarts: [Int]

  package init(_ text: String) {
    self.text = text
    var starts = [0]
    for (offset, byte) in text.utf8.enumerated() where byte == UInt8(ascii: "\n") {
      starts.append(offset + 1)
    }
    lineStarts = starts
  }

  package var lineCount: Int { lineStarts.count }

  /// A line counted from 1, without its end; nil outside the text.
  package func line(_ number: Int) -> String? {
    guard lineStarts.indices.contains(number - 1) else { return nil }
    let bytes = text.utf8.dropFirst(lineStarts[number - 1]).prefix { $0 != UInt8(ascii: "\n") }
    return String(
      decoding: bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes, as: UTF8.self)
  }

  /// The line and the column, both from 1, of a byte of the text.
  package func position(utf8Offset: Int) -> (line: Int, column: Int) {
    let index = (lineStarts.firstIndex { $0 > utf8Offset } ?? lineStarts.count) - 1
    let start = lineStarts[index]
    let lead = text.utf8.dropFirst(start).prefix(max(utf8Offset - start, 0))
    return (index + 1, String(decoding: lead, as: UTF8.self).count + 1)
  }

  /// The column of a token in a line, a name found as a whole word; the first character that is not
  /// blank where the token is not there, or is a sign that stands there more than once.
  package func column(of token: String?, inLine number: Int) -> Int? {
    guard let line = line(number) else { return nil }
    let characters = Array(line)
    if let token, let first = token.first {
      let places = GLSLText.places(of: token, in: characters)
      if let place = places.first, places.count == 1 || GLSLText.isWordPart(first) {
        return place + 1
      }
    }
    return characters.firstIndex { !$0.isWhitespace }.map { $0 + 1 }
  }
}
