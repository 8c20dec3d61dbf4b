/// A value to print as JSON on one line; objects keep the order of their members.
public indirect enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([(String, JSONValue)])

  public static func int(_ value: Int) -> JSONValue { .int(Int64(value)) }

  public static func optional<Value>(_ value: Value?, _ make: (Value) -> JSONValue) -> JSONValue {
    value.map(make) ?? .null
  }

  /// The value with each of its strings changed; names of members stay.
  public func changingStrings(_ change: (String) -> String) -> JSONValue {
    switch self {
    case .null, .bool, .int, .number: self
    case .string(let text): .string(change(text))
    case .array(let values): .array(values.map { $0.changingStrings(change) })
    case .object(let members): .object(members.map { ($0.0, $0.1.changingStrings(change)) })
    }
  }

  public var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .int(let value): "\(value)"
    // JSON has no word for infinity or "not a number".
    case .number(let value): value.isFinite ? "\(value)" : "null"
    case .string(let value): quotedForJSON(value)
    case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { quotedForJSON($0.0) + ":" + $0.1.text }.joined(separator: ",") + "}"
    }
  }
}
