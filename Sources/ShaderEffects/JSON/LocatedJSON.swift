/// A JSON value with its place in the text, so that a message can point at it.
public struct LocatedJSON: Equatable {
  public enum Value: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([LocatedJSON])
    /// The members in the written order; keys are unique.
    case object([Member])
  }

  public struct Member: Equatable {
    public let key: String
    public let keyOffset: Int
    public let value: LocatedJSON
  }

  public let value: Value
  /// The offset in bytes of UTF-8 from the start of the text.
  public let offset: Int

  /// The kind of value, in words for a message.
  public var kind: String {
    switch value {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension LocatedJSON {
  /// Returns an error at the value's place.
  func mistake(_ message: String) -> LocatedError {
    LocatedError(offset: offset, message: message)
  }

  private func wrong(_ name: String, _ wanted: String) -> LocatedError {
    mistake("\(name) must be \(wanted), not \(kind)")
  }

  func members(_ name: String) throws(LocatedError) -> [Member] {
    guard case .object(let members) = value else { throw wrong(name, "an object { }") }
    return members
  }

  func items(_ name: String) throws(LocatedError) -> [LocatedJSON] {
    guard case .array(let items) = value else { throw wrong(name, "an array [ ]") }
    return items
  }

  func string(_ name: String) throws(LocatedError) -> String {
    guard case .string(let text) = value else { throw wrong(name, "a string") }
    return text
  }

  func bool(_ name: String) throws(LocatedError) -> Bool {
    guard case .bool(let bool) = value else { throw wrong(name, "true or false") }
    return bool
  }

  func number(_ name: String) throws(LocatedError) -> Double {
    guard case .number(let number) = value else { throw wrong(name, "a number") }
    return number
  }

  func stringOrNumber(_ name: String) throws(LocatedError) -> String {
    switch value {
    case .string(let text): return text
    case .number(let number): return number.plainText
    default: throw wrong(name, "a string or a number")
    }
  }

  /// The items of an array; empty for any other value.
  var listed: [LocatedJSON] { if case .array(let items) = value { items } else { [] } }

  /// The members of an object; empty for any other value.
  var fields: [Member] { if case .object(let members) = value { members } else { [] } }

  func field(_ key: String) -> Member? { fields.first { $0.key == key } }

  var text: String? { if case .string(let text) = value { text } else { nil } }
}

extension LocatedJSON.Member {
  /// Returns an error at the key's place.
  func mistake(_ message: String) -> LocatedError {
    LocatedError(offset: keyOffset, message: message)
  }
}

/// A mistake at a place in a text.
public struct LocatedError: Error, Equatable {
  /// The offset in bytes of UTF-8 from the start of the text.
  public let offset: Int
  public let message: String
}
