/// Parses one object of a header's INPUTS into an `EffectInput`.
struct EffectInputHeader {
  private let json: LocatedJSON
  private let members: [LocatedJSON.Member]
  private let name: String
  private let nameOffset: Int
  private let kind: EffectInput.Kind

  init(_ json: LocatedJSON, isForeign: Bool = false) throws(LocatedError) {
    self.json = json
    let members = try json.members("an input")
    func value(_ key: String) -> LocatedJSON? { members.first { $0.key == key }?.value }
    guard let nameJSON = value("NAME") else {
      throw LocatedError(offset: json.offset, message: "an input needs NAME")
    }
    let name = try EffectNames.check(nameJSON, isForeign: isForeign)
    guard let typeJSON = value("TYPE") else {
      throw LocatedError(offset: json.offset, message: "input '\(name)' needs TYPE")
    }
    let type = try typeJSON.string("TYPE of input '\(name)'")
    guard let kind = EffectInput.Kind(rawValue: type) else {
      let kinds = EffectInput.Kind.allCases.map(\.rawValue)
      throw LocatedError(
        offset: typeJSON.offset,
        message:
          "input '\(name)': there is no TYPE \(type); use \(kinds.joined(separator: ", "))")
    }
    (self.members, self.name, self.kind) = (members, name, kind)
    nameOffset = nameJSON.offset
    for member in members where !Self.keys.contains(member.key) {
      let near = NearNames.suggestion(member.key, in: Self.keys)
      throw LocatedError(
        offset: member.keyOffset, message: "input '\(name)': unknown key \(member.key)\(near)")
    }
    for member in members {
      let isKnown =
        switch (kind, member.key) {
        case (.image, "OPTIONAL"): true
        case (_, "OPTIONAL"): false
        case (.color, "PICKER"): true
        case (_, "PICKER"): false
        case (.audio, "MAX"), (.audioFFT, "MAX"): true
        case (.text, "DEFAULT"), (.font, "DEFAULT"): true
        case (.text, let key) where TextRule.keys.contains(key): true
        case (_, let key) where TextRule.keys.contains(key): false
        case (.image, let key), (.event, let key), (.audio, let key), (.audioFFT, let key),
          (.text, let key), (.font, let key):
          Self.plainKeys.contains(key)
        default: true
        }
      guard !isKnown else { continue }
      let article = "aeiou".contains(kind.rawValue.prefix(1)) ? "an" : "a"
      throw LocatedError(
        offset: member.keyOffset,
        message: "input '\(name)': \(article) \(kind.rawValue) has no \(member.key)")
    }
  }

  private static let keys =
    [
      "NAME", "TYPE", "LABEL", "DEFAULT", "MIN", "MAX", "VALUES", "LABELS", "IDENTITY",
      "DESCRIPTION", "OPTIONAL", "ALIASES",
      "PICKER",
    ] + TextRule.keys
  /// The keys of an input without values; an image also has OPTIONAL, an audio input MAX.
  private static let plainKeys = ["NAME", "TYPE", "LABEL", "DESCRIPTION", "ALIASES"]

  func input() throws(LocatedError) -> EffectInput {
    let choices = try choices()
    let (low, high) = try limits(hasChoices: !choices.isEmpty)
    let label = try value("LABEL").map { json throws(LocatedError) in
      try json.string(title("LABEL"))
    }
    let description = try value("DESCRIPTION").map { json throws(LocatedError) in
      try json.string(title("DESCRIPTION"))
    }
    let identity = try value("IDENTITY").map { json throws(LocatedError) in
      try components(of: json, "IDENTITY")
    }
    let isOptional = try value("OPTIONAL").map { json throws(LocatedError) in
      try json.bool(title("OPTIONAL"))
    }
    let columns = try columns()
    let aliases = try aliases()
    let picker = try value("PICKER").map { json throws(LocatedError) in
      try json.string(title("PICKER"))
    }
    func makeInput(_ defaultValue: [Double]) -> EffectInput {
      EffectInput(
        name: name, nameOffset: nameOffset, kind: kind, defaultValue: defaultValue,
        identity: identity, minimum: low, maximum: high, choices: choices, label: label ?? "",
        description: description ?? "", isOptional: isOptional == true,
        isRequired: isOptional == false, columns: columns, aliases: aliases, picker: picker)
    }
    if kind.isWords {
      var input = makeInput([])
      if let json = value("DEFAULT") { input.words = try json.string(title("DEFAULT")) }
      return input
    }
    guard let json = value("DEFAULT") else {
      return makeInput(defaultValue(low: low, high: high, choices: choices))
    }
    let input = makeInput(try components(of: json, "DEFAULT"))
    guard input.isInRange(input.defaultValue) else {
      throw LocatedError(
        offset: json.offset, message: "\(title("DEFAULT")) must be \(input.allowed)")
    }
    return input
  }

  private func aliases() throws(LocatedError) -> [String] {
    guard let json = value("ALIASES") else { return [] }
    var names: [String] = []
    for item in try json.items(title("ALIASES")) {
      let alias = try EffectNames.check(item, "a name in \(title("ALIASES"))")
      guard alias != name, !names.contains(alias) else {
        throw LocatedError(
          offset: item.offset, message: "input '\(name)': the alias '\(alias)' is given twice")
      }
      names.append(alias)
    }
    return names
  }

  /// Reads MAX of an audio input: the number of columns of its texture.
  private func columns() throws(LocatedError) -> Int {
    guard kind.isAudio, let json = value("MAX") else { return EffectInput.usualColumns }
    let limits = EffectInput.columnLimits
    guard let columns = Int(exactly: try json.number(title("MAX"))), limits.contains(columns) else {
      throw LocatedError(
        offset: json.offset,
        message: "\(title("MAX")) must be a whole number of columns from \(limits.lowerBound) to "
          + "\(limits.upperBound)")
    }
    return columns
  }

  private func value(_ key: String) -> LocatedJSON? { members.first { $0.key == key }?.value }

  private func title(_ key: String) -> String { "\(key) of input '\(name)'" }

  /// Reads a value in the JSON form of this input's type.
  private func components(of json: LocatedJSON, _ key: String) throws(LocatedError) -> [Double] {
    switch kind {
    case .float: return [try json.number(title(key))]
    case .bool:
      if case .number(let number) = json.value { return [number > 0 ? 1 : 0] }
      return [try json.bool(title(key)) ? 1 : 0]
    case .long: return [try whole(json, key)]
    case .image, .event, .audio, .audioFFT, .text, .font: return []
    case .point2D, .color:
      let count = kind.componentSuffixes.count
      var numbers: [Double] = []
      for item in try json.items(title(key)) { numbers.append(try item.number(title(key))) }
      guard numbers.count == count else {
        throw LocatedError(
          offset: json.offset, message: "\(title(key)) must have \(count) numbers")
      }
      return numbers
    }
  }

  private func whole(_ json: LocatedJSON, _ key: String) throws(LocatedError) -> Double {
    let number = try json.number(title(key))
    guard Int32(exactly: number) != nil else {
      throw LocatedError(
        offset: json.offset, message: "\(title(key)) must be a whole number of 32 bits")
    }
    return number
  }

  private func choices() throws(LocatedError) -> [EffectInput.Choice] {
    guard let list = value("VALUES") else {
      guard let labels = value("LABELS") else { return [] }
      throw LocatedError(offset: labels.offset, message: "\(title("LABELS")) needs VALUES")
    }
    guard kind == .long else {
      throw LocatedError(offset: list.offset, message: "\(title("VALUES")): only a long has them")
    }
    var values: [Double] = []
    for item in try list.items(title("VALUES")) { values.append(try whole(item, "VALUES")) }
    var labels: [String] = []
    if let list = value("LABELS") {
      for item in try list.items(title("LABELS")) {
        labels.append(try item.stringOrNumber(title("LABELS")))
      }
    } else {
      labels = values.map(\.plainText)
    }
    guard !values.isEmpty, values.count == labels.count else {
      throw LocatedError(
        offset: list.offset,
        message: "input '\(name)' must have as many LABELS as VALUES, and at least one")
    }
    return zip(values, labels).map { EffectInput.Choice(value: $0, label: $1) }
  }

  /// Returns MIN and MAX, or the type's own limits if they are missing.
  private func limits(
    hasChoices: Bool
  ) throws(LocatedError) -> (low: [Double]?, high: [Double]?) {
    guard !kind.isAudio else { return (nil, nil) }
    switch (value("MIN"), value("MAX")) {
    case (nil, nil):
      switch kind {
      case .float: return ([0], [1])
      case .color: return ([0, 0, 0, 0], [1, 1, 1, 1])
      case .bool, .long, .point2D, .image, .event, .audio, .audioFFT, .text, .font:
        return (nil, nil)
      }
    case (let low?, let high?):
      guard kind != .bool, !hasChoices else {
        throw LocatedError(
          offset: low.offset,
          message: "\(title("MIN")): a bool, or a long with VALUES, has no MIN and MAX")
      }
      let limits = (try components(of: low, "MIN"), try components(of: high, "MAX"))
      guard zip(limits.0, limits.1).allSatisfy({ $0 <= $1 }) else {
        throw LocatedError(offset: low.offset, message: "\(title("MIN")) is above its MAX")
      }
      return limits
    case (let one?, nil), (nil, let one?):
      throw LocatedError(offset: one.offset, message: "input '\(name)' needs both MIN and MAX")
    }
  }

  /// Returns the value that ISF's host uses if DEFAULT is missing; for a colour, opaque white.
  private func defaultValue(
    low: [Double]?, high: [Double]?, choices: [EffectInput.Choice]
  ) -> [Double] {
    switch kind {
    case .bool: return [1]
    case .event: return [0]
    case .long: return [choices.first?.value ?? low?[0] ?? 0]
    case .color: return [1, 1, 1, 1]
    case .image, .audio, .audioFFT, .text, .font: return []
    case .float, .point2D:
      guard let low, let high else { return kind.componentSuffixes.map { _ in 0 } }
      return zip(low, high).map { ($0 + $1) / 2 }
    }
  }
}
