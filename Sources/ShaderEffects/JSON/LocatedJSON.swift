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

/// A mistake at a place in a text.
public struct LocatedError: Error, Equatable {
  /// The offset in bytes of UTF-8 from the start of the text.
  public let offset: Int
  public let message: String
}
