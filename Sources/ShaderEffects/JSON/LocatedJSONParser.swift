/// Parses strict JSON (RFC 8259) and keeps the place of every value.
///
/// FoundationEssentials' JSONDecoder is not used, because it gives no place for a mistake, and accepts
/// a second member of the same name and a comma before a closing bracket without an error.
public struct LocatedJSONParser {
  /// The deepest allowed nesting, so that no file can exhaust a thread's stack.
  static let maximumDepth = 32

  private let bytes: [UInt8]
  private var at: Int
  private var depth = 0
  private var takesLast = false

  /// Returns the value that starts at an offset, and the offset after it.
  ///
  /// With `takesLast`, the last of several members with the same name counts, as in most parsers.
  public static func parse(
    _ text: String, at offset: Int = 0, takesLast: Bool = false
  ) throws(LocatedError) -> (value: LocatedJSON, end: Int) {
    var parser = LocatedJSONParser(bytes: Array(text.utf8), at: offset)
    parser.takesLast = takesLast
    let value = try parser.value()
    return (value, parser.at)
  }

  private init(bytes: [UInt8], at: Int) {
    self.bytes = bytes
    self.at = at
  }

  private var current: UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func skipBlanks() {
    while let byte = current, " \t\r\n".utf8.contains(byte) { at += 1 }
  }

  private func mistake(_ wanted: String) -> LocatedError {
    guard current != nil else {
      return LocatedError(offset: at, message: "the text ends where \(wanted) should be")
    }
    let rest = String(decoding: bytes[at..<min(at + 8, bytes.count)], as: UTF8.self)
    return LocatedError(offset: at, message: "'\(rest.prefix(1))' where \(wanted) should be")
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard current == UInt8(ascii: character) else { return false }
    at += 1
    return true
  }

  private mutating func value() throws(LocatedError) -> LocatedJSON {
    skipBlanks()
    let offset = at
    switch current {
    case UInt8(ascii: "{"): return LocatedJSON(value: .object(try object()), offset: offset)
    case UInt8(ascii: "["): return LocatedJSON(value: .array(try array()), offset: offset)
    case UInt8(ascii: "\""): return LocatedJSON(value: .string(try string()), offset: offset)
    default: break
    }
    let word = bytes[at...].prefix { byte in
      !" \t\r\n,:{}[]\"/".utf8.contains(byte)
    }
    let text = String(decoding: word, as: UTF8.self)
    let words: [String: LocatedJSON.Value] = [
      "null": .null, "true": .bool(true), "false": .bool(false),
    ]
    at += word.count
    if let known = words[text] { return LocatedJSON(value: known, offset: offset) }
    if let first = text.utf8.first, first == UInt8(ascii: "-") || first <= UInt8(ascii: "9"),
      let number = Double(plainDecimal: text)
    {
      return LocatedJSON(value: .number(number), offset: offset)
    }
    at = offset
    guard !text.isEmpty else { throw mistake("a value") }
    throw LocatedError(
      offset: offset, message: "'\(text)' is not a value; write text in double quotes")
  }

  private mutating func enter() throws(LocatedError) {
    depth += 1
    guard depth <= Self.maximumDepth else {
      throw LocatedError(offset: at, message: "more than \(Self.maximumDepth) levels deep")
    }
    at += 1
  }

  private mutating func array() throws(LocatedError) -> [LocatedJSON] {
    try enter()
    defer { depth -= 1 }
    var items: [LocatedJSON] = []
    if take("]") { return items }
    repeat { items.append(try value()) } while take(",")
    guard take("]") else { throw mistake("',' or ']'") }
    return items
  }

  private mutating func object() throws(LocatedError) -> [LocatedJSON.Member] {
    try enter()
    defer { depth -= 1 }
    var members: [LocatedJSON.Member] = []
    var places: [String: Int] = [:]
    if take("}") { return members }
    repeat {
      skipBlanks()
      let keyOffset = at
      guard current == UInt8(ascii: "\"") else { throw mistake("a key in double quotes") }
      let key = try string()
      if places[key] != nil, !takesLast {
        throw LocatedError(offset: keyOffset, message: "the key \"\(key)\" is given twice")
      }
      guard take(":") else { throw mistake("':'") }
      places[key] = members.count
      members.append(.init(key: key, keyOffset: keyOffset, value: try value()))
    } while take(",")
    guard take("}") else { throw mistake("',' or '}'") }
    guard members.count > places.count else { return members }
    return members.enumerated().filter { places[$1.key] == $0 }.map(\.element)
  }

  private mutating func string() throws(LocatedError) -> String {
    let start = at
    at += 1
    var text: [UInt8] = []
    while let byte = current, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else {
        throw LocatedError(
          offset: byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") ? start : at,
          message: "a string must end on its line; write a line end or a tab as \\n or \\t")
      }
      at += 1
      if byte == UInt8(ascii: "\\") {
        text += Array(String(try escaped()).utf8)
      } else {
        text.append(byte)
      }
    }
    guard current != nil else { throw LocatedError(offset: start, message: "no closing quote") }
    at += 1
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func escaped() throws(LocatedError) -> Unicode.Scalar {
    let plain: [UInt8: Unicode.Scalar] = [
      UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/",
      UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{c}", UInt8(ascii: "n"): "\n",
      UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]
    guard let byte = current, let scalar = plain[byte] else {
      guard current == UInt8(ascii: "u"), let first = codeUnit() else {
        throw LocatedError(offset: at - 1, message: "'\\' with a letter that has no meaning")
      }
      guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
      guard current == UInt8(ascii: "\\"), at + 1 < bytes.count,
        bytes[at + 1] == UInt8(ascii: "u")
      else { return "\u{FFFD}" }
      at += 1
      guard let second = codeUnit(), UTF16.isTrailSurrogate(second) else { return "\u{FFFD}" }
      return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }
    at += 1
    return scalar
  }

  /// Parses the code unit of `uXXXX`; the `u` is the current byte.
  private mutating func codeUnit() -> UInt16? {
    let digits = bytes[(at + 1)...].prefix(4)
    guard digits.count == 4,
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { return nil }
    at += 5
    return unit
  }
}
