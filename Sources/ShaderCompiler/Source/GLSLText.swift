extension UInt8 {
  /// Whether the byte is a digit of ASCII.
  package var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
  /// Whether the byte is a letter of ASCII.
  package var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
  /// Whether the byte belongs to a name or a number of GLSL; one that is not ASCII counts as such, so that a message
  /// shows all of a character.
  package var isOfWord: Bool { isDigit || isLetter || self == UInt8(ascii: "_") || self >= 0x80 }
}

/// Facts about GLSL that its words show, without parsing.
public enum GLSLText {
  /// The same text with spaces in place of comments; line ends and columns stay.
  public static func withoutComments(_ text: String) -> String {
    let (slash, star, space) = (UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: " "))
    let (newline, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    var bytes = Array(text.utf8)
    let count = bytes.count
    var at = 0
    while at + 1 < count {
      guard bytes[at] == slash, bytes[at + 1] == slash || bytes[at + 1] == star else {
        at += 1
        continue
      }
      var end = at + 2
      if bytes[at + 1] == slash {
        while end < count, bytes[end] != newline { end += 1 }
      } else {
        while end < count, bytes[end] != star || end + 1 == count || bytes[end + 1] != slash {
          end += 1
        }
        end = min(end + 2, count)
      }
      while at < end {
        if bytes[at] != newline, bytes[at] != carriageReturn { bytes[at] = space }
        at += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Names and numbers, and each other character by itself, without blanks.
  public static func tokens(_ text: String) -> [Substring] {
    var tokens: [Substring] = []
    var rest = text[...]
    while let first = rest.first {
      if isWordPart(first) {
        let word = rest.prefix(while: isWordPart)
        tokens.append(word)
        rest = rest.dropFirst(word.count)
      } else {
        if !first.isWhitespace { tokens.append(rest.prefix(1)) }
        rest = rest.dropFirst()
      }
    }
    return tokens
  }

  /// The line of the first preprocessor directive with this name, counted from 1, in a text without
  /// comments.
  public static func line(ofDirective name: String, in text: String) -> Int? {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let index = lines.firstIndex { line in
      let found = tokens(String(decoding: line, as: UTF8.self)).prefix(2)
      return found.first == "#" && found.count == 2 && found.last ?? "" == name
    }
    return index.map { $0 + 1 }
  }

  static func isWordPart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  /// The positions of a token in a line; a word is only found as a whole word.
  static func places(of token: String, in line: [Character]) -> [Int] {
    let token = Array(token)
    guard let first = token.first, let last = token.last, token.count <= line.count else {
      return []
    }
    return (0...line.count - token.count).filter { start in
      let end = start + token.count
      guard line[start..<end].elementsEqual(token) else { return false }
      if isWordPart(first), start > 0, isWordPart(line[start - 1]) { return false }
      if isWordPart(last), end < line.count, isWordPart(line[end]) { return false }
      return true
    }
  }
}
