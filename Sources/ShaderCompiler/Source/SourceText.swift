/// A source text by lines, for messages about positions in it.
public struct SourceText: Sendable {
  public let text: String
  private let lineStarts: [Int]

  public init(_ text: String) {
    self.text = text
    var starts = [0]
    for (offset, byte) in text.utf8.enumerated() where byte == UInt8(ascii: "\n") {
      starts.append(offset + 1)
    }
    lineStarts = starts
  }

  public var lineCount: Int { lineStarts.count }

  /// The text of a line, counted from 1, without its line end; nil outside the text.
  ///
  /// It shares the text's memory, because a file with one line may have a message for each of its words.
  public func line(_ number: Int) -> Substring? {
    guard lineStarts.indices.contains(number - 1) else { return nil }
    let end = number < lineStarts.count ? lineStarts[number] - 1 : text.utf8.count
    let bytes = text.utf8.dropFirst(lineStarts[number - 1]).prefix(end - lineStarts[number - 1])
    return Substring(bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes)
  }

  /// The line and the column, both counted from 1, of a byte offset in the text.
  public func position(utf8Offset: Int) -> (line: Int, column: Int) {
    var (index, end) = (0, lineStarts.count)
    // Find the last line that begins at or before the offset.
    while end - index > 1 {
      let middle = (index + end) / 2
      if lineStarts[middle] > utf8Offset { end = middle } else { index = middle }
    }
    let start = lineStarts[index]
    let lead = text.utf8.dropFirst(start).prefix(max(utf8Offset - start, 0))
    return (index + 1, String(decoding: lead, as: UTF8.self).count + 1)
  }

  /// The column of a token in a line: its first or last match outside comments, a name only as a whole
  /// word.
  ///
  /// If the token is not there, or is a sign that occurs more than once, it is the column of the first
  /// character that is not blank.
  public func column(of token: String?, inLine number: Int, takesLast: Bool = false) -> Int? {
    guard let code = code(inLine: number) else { return nil }
    if let token, let first = token.first {
      let places = GLSLText.places(of: token, in: code)
      if let place = takesLast ? places.last : places.first,
        places.count == 1 || GLSLText.isWordPart(first)
      {
        return place + 1
      }
    }
    let start =
      code.firstIndex { !$0.isWhitespace }
      ?? line(number).flatMap { Array($0).firstIndex { !$0.isWhitespace } }
    return start.map { $0 + 1 }
  }

  /// The first character of a line that is not ASCII and not in a comment, with its column.
  func foreignCharacter(inLine number: Int) -> (character: Character, column: Int)? {
    guard let code = code(inLine: number), let place = code.firstIndex(where: { !$0.isASCII })
    else { return nil }
    return (code[place], place + 1)
  }

  /// The characters of a line, with spaces in place of comments.
  private func code(inLine number: Int) -> [Character]? {
    guard let line = line(number) else { return nil }
    // It has as many bytes as the text, but not always as many characters.
    let code = Array((SourceText(GLSLText.withoutComments(text)).line(number) ?? "").utf8)
    var at = 0
    return line.map { character in
      defer { at += character.utf8.count }
      return code.indices.contains(at) && code[at] == UInt8(ascii: " ") ? " " : character
    }
  }
}
