/// A JSON value that knows where it stands, so that a mistake in it can be pointed at.
struct LocatedJSON: Equatable {
  enum Value: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([LocatedJSON])
    /// In the order written; keys are unique.
    case object([Member])
  }

  struct Member: Equatable {
    let key: String
    let keyOffset: Int
    let value: LocatedJSON
  }

  let value: Value
  /// In bytes of UTF-8 from the start of the text.
  let offset: Int

  /// What it is, for a message.
  var kind: String {
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

/// A mistake at a place of a text.
struct LocatedError: Error, Equatable {
  /// In bytes of UTF-8 from the start of the text.
  let offset: Int
  let message: String
}
