/// A JSON value with its place in the text, so that a message can point at it.
package struct LocatedJSON: Equatable {
  package enum Value: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([LocatedJSON])
    /// The members in the written order; keys are unique.
    case object([Member])
  }

  package struct Member: Equatable {
    package let key: String
    package let keyOffset: Int
    package let value: LocatedJSON
  }

  package let value: Value
  /// The offset in bytes of UTF-8 from the start of the text.
  package let offset: Int

  /// The kind of value, in words for a message.
  package var kind: String {
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
package struct LocatedError: Error, Equatable {
  /// The offset in bytes of UTF-8 from the start of the text.
  package let offset: Int
  package let message: String
}
