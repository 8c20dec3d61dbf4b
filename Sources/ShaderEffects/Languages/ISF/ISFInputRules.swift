/// Converts one object of an ISF file's INPUTS to the strict form.
struct ISFInputRules {
  let name: String
  /// True if the shader reads the input as an image.
  let isImage: Bool
  let strict: LocatedJSON

  private static let imageTypes = ["image", "audio", "audioFFT"]

  init(_ json: LocatedJSON) throws(LocatedError) {
    let name = try json.field("NAME").map { member throws(LocatedError) in
      try ISFHeader.rules.name(member.value)
    }
    let type = json.field("TYPE")?.value.text ?? ""
    self.name = name ?? ""
    isImage = Self.imageTypes.contains(type)
    var members = json.fields.filter { member in
      ["NAME", "TYPE"].contains(member.key)
        || (["LABEL", "DESCRIPTION"].contains(member.key) && member.value.text != nil)
    }
    // Hosts know no text.
    if let kind = EffectInput.Kind(rawValue: type) {
      switch kind {
      case .image, .event, .text, .font: break
      case .audio, .audioFFT:
        if let columns = json.field("MAX"), let number = columns.value.looseNumber {
          let limits = EffectInput.columnLimits
          let held = min(
            max(number.rounded(), Double(limits.lowerBound)), Double(limits.upperBound))
          members.append(columns.with(.number(held)))
        }
      case .float, .bool, .long, .point2D, .color: members += Self.values(of: json, kind)
      }
    }
    strict = LocatedJSON(value: .object(members), offset: json.offset)
  }

  /// Returns DEFAULT, IDENTITY, the limits and the menu, as far as they make sense.
  private static func values(
    of json: LocatedJSON, _ kind: EffectInput.Kind
  ) -> [LocatedJSON.Member] {
    var start = numbers(json, "DEFAULT", kind)
    let identity = numbers(json, "IDENTITY", kind)
    var members: [LocatedJSON.Member] = []
    func add(_ key: String, _ numbers: [Double]?) {
      guard let numbers, let member = json.field(key) else { return }
      let items = numbers.map { LocatedJSON(value: .number($0), offset: member.value.offset) }
      let isList = kind == .point2D || kind == .color
      members.append(member.with(isList ? .array(items) : items[0].value))
    }
    let menu = kind == .long ? menu(json, including: start?[0]) : nil
    if let menu {
      members += menu
    } else if kind != .bool, var low = numbers(json, "MIN", kind),
      var high = numbers(json, "MAX", kind), zip(low, high).allSatisfy({ $0 <= $1 })
    {
      if kind == .point2D, let start {
        // Hosts do not restrict a point to its limits.
        low = zip(low, start).map { min($0, $1) }
        high = zip(high, start).map { max($0, $1) }
      }
      start = start.map { zip(zip($0, low), high).map { min(max($0.0, $0.1), $1) } }
      add("MIN", low)
      add("MAX", high)
    } else if kind == .float || kind == .color {
      start = start.map { $0.map { min(max($0, 0), 1) } }
    }
    add("DEFAULT", start)
    add("IDENTITY", identity)
    return members
  }

  /// Returns the numbers of a value, one for each component of the kind; nil if the count differs.
  private static func numbers(
    _ json: LocatedJSON, _ key: String, _ kind: EffectInput.Kind
  ) -> [Double]? {
    guard var numbers = json.field(key)?.value.looseNumbers else { return nil }
    if kind == .color, numbers.count == 3 { numbers.append(1) }
    guard numbers.count == kind.componentSuffixes.count else { return nil }
    if kind == .long { numbers = numbers.map { Double(Int32(saturating: $0)) } }
    return numbers
  }

  /// Returns the menu, with the default added if it is not among the values.
  private static func menu(
    _ json: LocatedJSON, including start: Double?
  ) -> [LocatedJSON.Member]? {
    guard let list = json.field("VALUES"), var values = list.value.looseNumbers else { return nil }
    values = values.map { Double(Int32(saturating: $0)) }
    var labels = values.map(\.plainText)
    if let own = json.field("LABELS")?.value.listed, own.count == values.count {
      labels = zip(own, labels).map { $0.text ?? $0.looseNumber?.plainText ?? $1 }
    }
    if let start, !values.contains(start) {
      values.append(start)
      labels.append(start.plainText)
    }
    let offset = list.value.offset
    func member(_ key: String, _ items: [LocatedJSON.Value]) -> LocatedJSON.Member {
      .init(
        key: key, keyOffset: list.keyOffset,
        value: LocatedJSON(
          value: .array(items.map { LocatedJSON(value: $0, offset: offset) }), offset: offset))
    }
    return [
      member("VALUES", values.map { .number($0) }), member("LABELS", labels.map { .string($0) }),
    ]
  }
}
