import ShaderCompiler

/// A piece of GLSL without comments; all pieces in order make up the text.
struct ISFToken: Equatable {
  enum Kind: Equatable {
    case word, number, sign, blank, lineEnd
  }

  let kind: Kind
  var text: String
  /// True if it is in a preprocessor line.
  let isDirective: Bool

  /// True if it is neither a blank nor a line end.
  var isCode: Bool { kind != .blank && kind != .lineEnd }

  /// Splits a text whose lines end with a line feed.
  static func tokens(_ text: String) -> [ISFToken] {
    let bytes = Array(text.utf8)
    var tokens: [ISFToken] = []
    var at = 0
    var isDirective = false
    var beginsLine = true
    while at < bytes.count {
      let start = at
      let kind = kind(of: bytes, at: at)
      switch kind {
      case .word: while at < bytes.count, bytes[at].isOfWord { at += 1 }
      case .number: at = endOfNumber(bytes, from: at)
      case .blank: while at < bytes.count, self.kind(of: bytes, at: at) == .blank { at += 1 }
      case .sign, .lineEnd: at += 1
      }
      if beginsLine, kind == .sign || kind == .word || kind == .number {
        // A continuation line is a part of the line before it.
        isDirective = isDirective || bytes[start] == UInt8(ascii: "#")
        beginsLine = false
      }
      tokens.append(
        ISFToken(
          kind: kind, text: String(decoding: bytes[start..<at], as: UTF8.self),
          isDirective: isDirective))
      if kind == .lineEnd {
        beginsLine = true
        if start == 0 || bytes[start - 1] != UInt8(ascii: "\\") { isDirective = false }
      }
    }
    return tokens
  }

  /// Returns the places of the tokens of each statement at file scope, up to a `;` or the `}` of a block; directives are
  /// passed over.
  static func statements(_ tokens: [ISFToken]) -> [[Int]] {
    var statements: [[Int]] = []
    var statement: [Int] = []
    var depth = 0
    for (place, token) in tokens.enumerated() where token.isCode && !token.isDirective {
      statement.append(place)
      switch token.text {
      case "{", "(", "[": depth += 1
      case "}", ")", "]": depth -= 1
      default: break
      }
      guard depth == 0, token.text == ";" || token.text == "}" else { continue }
      statements.append(statement)
      statement = []
    }
    return statements
  }

  private static func kind(of bytes: [UInt8], at: Int) -> Kind {
    let byte = bytes[at]
    if byte == UInt8(ascii: "\n") { return .lineEnd }
    if byte <= UInt8(ascii: " ") { return .blank }
    if byte.isDigit { return .number }
    if byte == UInt8(ascii: "."), at + 1 < bytes.count, bytes[at + 1].isDigit { return .number }
    return byte.isOfWord ? .word : .sign
  }

  private static func endOfNumber(_ bytes: [UInt8], from start: Int) -> Int {
    var at = start
    let isHexadecimal = start + 1 < bytes.count && bytes[start + 1] | 0x20 == UInt8(ascii: "x")
    while at < bytes.count, bytes[at].isOfWord || bytes[at] == UInt8(ascii: ".") {
      let isExponent = bytes[at] | 0x20 == UInt8(ascii: "e") && !isHexadecimal
      at += 1
      if isExponent, at < bytes.count, "+-".utf8.contains(bytes[at]) { at += 1 }
    }
    return at
  }
}
