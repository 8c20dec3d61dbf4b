/// Builds parts of an ISF header for a shader that has none.
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
    var members = kept + more + [member("INPUTS", json(.array(inputs + ownInputs)))]
    if !imports.isEmpty { members.append(member("IMPORTED", json(.object(imports)))) }
    if passes.count > 1 { members.append(member("PASSES", json(.array(passes)))) }
    return json(.object(members))
  }

  static func image(_ name: String, _ label: String) -> LocatedJSON {
    input(name, "image", [member("LABEL", string(label))])
  }

  static func input(
    _ name: String, _ type: String, _ more: [LocatedJSON.Member] = []
  ) -> LocatedJSON {
    json(.object([member("NAME", string(name)), member("TYPE", string(type))] + more))
  }

  static func member(_ key: String, _ value: LocatedJSON) -> LocatedJSON.Member {
    LocatedJSON.Member(key: key, keyOffset: 0, value: value)
  }

  static func string(_ text: String) -> LocatedJSON { json(.string(text)) }

  static func numbers(_ numbers: [Double]) -> LocatedJSON {
    numbers.count == 1
      ? json(.number(numbers[0])) : json(.array(numbers.map { json(.number($0)) }))
  }

  static func json(_ value: LocatedJSON.Value) -> LocatedJSON {
    LocatedJSON(value: value, offset: 0)
  }
}
