import ShaderCompiler

/// Splits a formula into numbers, names and signs.
struct ExpressionLexer {
  enum Token: Equatable {
    case number(Double)
    /// A name with its components, as in `center.x`, and without `$`.
    case name(String)
    case sign(String)
    case end

    var text: String {
      switch self {
      case .number(let value): value.plainText
      case .name(let name): name
      case .sign(let sign): sign
      case .end: "the end"
      }
    }
  }

  private let bytes: [UInt8]
  private var at = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Returns every token with the offset where it starts; the last token is `.end`.
  static func tokens(_ text: String) throws(ExpressionError) -> [(token: Token, offset: Int)] {
    var lexer = ExpressionLexer(text)
    var tokens: [(token: Token, offset: Int)] = []
    while true {
      while lexer.at < lexer.bytes.count, " \t\r\n".utf8.contains(lexer.bytes[lexer.at]) {
        lexer.at += 1
      }
      let offset = lexer.at
      let token = try lexer.next()
      tokens.append((token, offset))
      if token == .end { return tokens }
    }
  }

  private mutating func next() throws(ExpressionError) -> Token {
    guard let first = peek() else { return .end }
    if isDigit(first) || (first == UInt8(ascii: ".") && isDigit(peek(1))) { return try number() }
    if isLetter(first) || (first == UInt8(ascii: "$") && isLetter(peek(1))) { return name() }
    let pair = String(decoding: bytes[at..<min(at + 2, bytes.count)], as: UTF8.self)
    if ["<=", ">=", "==", "!="].contains(pair) {
      at += 2
      return .sign(pair)
    }
    guard "+-*/%()<>?:,".utf8.contains(first) else {
      let rest = String(decoding: bytes[at...], as: UTF8.self)
      throw ExpressionError(
        offset: at, message: "'\(rest.prefix(1))' has no meaning in an expression")
    }
    at += 1
    return .sign(String(UnicodeScalar(first)))
  }

  private mutating func number() throws(ExpressionError) -> Token {
    let start = at
    while isDigit(peek()) || peek() == UInt8(ascii: ".") { at += 1 }
    if peek().map({ $0 | 0x20 }) == UInt8(ascii: "e") {
      let signed = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
      if isDigit(peek(signed ? 2 : 1)) {
        at += signed ? 2 : 1
        while isDigit(peek()) { at += 1 }
      }
    }
    let text = String(decoding: bytes[start..<at], as: UTF8.self)
    guard let value = Double(plainDecimal: text.hasSuffix(".") ? text + "0" : text),
      !isLetter(peek())
    else {
      throw ExpressionError(offset: start, message: "'\(text)' is not a number")
    }
    return .number(value)
  }

  private mutating func name() -> Token {
    if peek() == UInt8(ascii: "$") { at += 1 }
    let start = at
    while isLetter(peek()) || isDigit(peek()) || (peek() == UInt8(ascii: ".") && isLetter(peek(1)))
    {
      at += 1
    }
    return .name(String(decoding: bytes[start..<at], as: UTF8.self))
  }

  private func peek(_ ahead: Int = 0) -> UInt8? {
    at + ahead < bytes.count ? bytes[at + ahead] : nil
  }

  private func isDigit(_ byte: UInt8?) -> Bool { byte?.isDigit == true }

  private func isLetter(_ byte: UInt8?) -> Bool {
    byte?.isLetter == true || byte == UInt8(ascii: "_")
  }
}
