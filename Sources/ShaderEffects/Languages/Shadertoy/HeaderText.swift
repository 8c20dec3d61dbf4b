/// Builds parts of an ISF header for a shader that has none; all have the place 0.
enum HeaderText {
  /// Returns a header with more inputs than its own, and with imports and passes if there are any.
  static func object(
    _ own: LocatedJSON?, inputs: [LocatedJSON], imports: [LocatedJSON.Member] = [],
    passes: [LocatedJSON] = [], more: [LocatedJSON.Member] = []
  ) -> LocatedJSON {
    let kept = (own?.fields ?? []).filter {
      ["DESCRIPTION", "CREDIT", "CATEGORIES"].contains($0.key)
    }
    let ownInputs = own?.field("INPUTS")?.value.listed ?? []
    var members = kept + more + [.init("INPUTS", .array(inputs + ownInputs))]
    if !imports.isEmpty { members.append(.init("IMPORTED", .object(imports))) }
    if passes.count > 1 { members.append(.init("PASSES", .array(passes))) }
    return LocatedJSON(.object(members))
  }

  static func image(_ name: String, _ label: String = "") -> LocatedJSON {
    input(name, "image", ["LABEL": .init(.string(label))])
  }

  static func input(
    _ name: String, _ type: String, _ more: KeyValuePairs<String, LocatedJSON> = [:]
  ) -> LocatedJSON {
    let own = ["NAME": name, "TYPE": type] as KeyValuePairs
    return LocatedJSON(
      .object(
        own.map { .init($0, .string($1)) } + more.map { .init($0, $1.value) }))
  }

  /// Returns a pass whose image lasts until the next frame, in floats of 32 bits.
  static func keptPass(_ target: String) -> LocatedJSON {
    LocatedJSON(
      .object([
        .init("TARGET", .string(target)), .init("PERSISTENT", .bool(true)),
        .init("FLOAT", .bool(true)),
      ]))
  }

  /// A pass that makes the result.
  static var lastPass: LocatedJSON { LocatedJSON(.object([])) }

  /// Returns one number by itself, or a list of several.
  static func numbers(_ numbers: [Double]) -> LocatedJSON {
    let items = numbers.map { LocatedJSON(.number($0)) }
    return items.count == 1 ? items[0] : LocatedJSON(.array(items))
  }
}

extension LocatedJSON.Member {
  init(_ key: String, _ value: LocatedJSON.Value) {
    self.init(key: key, keyOffset: 0, value: LocatedJSON(value))
  }
}

extension LocatedJSON: ExpressibleByStringLiteral, ExpressibleByFloatLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral
{
  init(_ value: Value) { self.init(value: value, offset: 0) }

  public init(stringLiteral text: String) { self.init(.string(text)) }
  public init(integerLiteral number: Int) { self.init(.number(Double(number))) }
  public init(floatLiteral number: Double) { self.init(.number(number)) }
  public init(arrayLiteral items: LocatedJSON...) { self.init(.array(items)) }
}
