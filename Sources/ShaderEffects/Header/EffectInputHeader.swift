/// Parses one object of a header's INPUTS into an `EffectInput`.
struct EffectInputHeader {
  private let json: LocatedJSON
  private let name: String
  private let nameOffset: Int
  private let kind: EffectInput.Kind

  init(_ json: LocatedJSON, _ rules: HeaderRules) throws(LocatedError) {
    self.json = json
    let members = try json.members("an input")
    guard let nameJSON = json.field("NAME")?.value else {
      throw json.mistake("an input needs NAME")
    }
    name = try rules.name(nameJSON)
    nameOffset = nameJSON.offset
    guard let typeJSON = json.field("TYPE")?.value else {
      throw json.mistake("input '\(name)' needs TYPE")
    }
    let type = try typeJSON.string("TYPE of input '\(name)'")
    guard let kind = EffectInput.Kind(rawValue: type) else {
      let kinds = EffectInput.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw typeJSON.mistake("input '\(name)': there is no TYPE \(type); use \(kinds)")
    }
    self.kind = kind
    for member in members where !Self.keys.contains(member.key) {
      let near = NearNames.suggestion(member.key, in: Self.keys)
      throw member.mistake("input '\(name)': unknown key \(member.key)\(near)")
    }
    if let member = members.first(where: { !takes($0.key) }) {
      let article = "aeiou".contains(kind.rawValue.prefix(1)) ? "an" : "a"
      throw member.mistake("input '\(name)': \(article) \(kind.rawValue) has no \(member.key)")
    }
  }

  private static let keys =
    [
      "NAME", "TYPE", "LABEL", "DEFAULT", "MIN", "MAX", "VALUES", "LABELS", "IDENTITY",
      "DESCRIPTION", "OPTIONAL", "ALIASES",
      "PICKER",
    ] + TextRule.keys
  /// The keys of an input without values.
  private static let plainKeys = ["NAME", "TYPE", "LABEL", "DESCRIPTION", "ALIASES"]

  /// Whether an input of this kind may have a key.
  private func takes(_ key: String) -> Bool {
    switch key {
    case "OPTIONAL": kind == .image
    case "PICKER": kind == .color
    case "MAX" where kind.isAudio, "DEFAULT" where kind.isWords: true
    case _ where TextRule.keys.contains(key): kind == .text
    default: kind.partCount > 0 && kind != .event || Self.plainKeys.contains(key)
    }
  }

  func input() throws(LocatedError) -> EffectInput {
    let choices = try choices()
    let (low, high) = try limits(hasChoices: !choices.isEmpty)
    let label = try read("LABEL", LocatedJSON.string)
    let description = try read("DESCRIPTION", LocatedJSON.string)
    let identity = try value("IDENTITY").map { json throws(LocatedError) in
      try components(of: json, "IDENTITY")
    }
    let isOptional = try read("OPTIONAL", LocatedJSON.bool)
    var input = EffectInput(
      name: name, nameOffset: nameOffset, kind: kind,
      defaultValue: defaultValue(low: low, high: high, choices: choices), identity: identity,
      minimum: low, maximum: high, choices: choices, label: label ?? "",
      description: description ?? "", isOptional: isOptional == true,
      isRequired: isOptional == false, columns: try columns(), aliases: try aliases(),
      picker: try read("PICKER", LocatedJSON.string))
    guard let json = value("DEFAULT") else { return input }
    if kind.isWords {
      input.words = try json.string(title("DEFAULT"))
      return input
    }
    input.defaultValue = try components(of: json, "DEFAULT")
    guard input.isInRange(input.defaultValue) else {
      throw json.mistake("\(title("DEFAULT")) must be \(input.allowed)")
    }
    return input
  }

  /// Reads the value of a key; nil if the input does not have the key.
  private func read<Value>(
    _ key: String, _ form: (LocatedJSON) -> (String) throws(LocatedError) -> Value
  ) throws(LocatedError) -> Value? {
    guard let json = value(key) else { return nil }
    return try form(json)(title(key))
  }

  private func aliases() throws(LocatedError) -> [String] {
    guard let json = value("ALIASES") else { return [] }
    var names: [String] = []
    for item in try json.items(title("ALIASES")) {
      let alias = try HeaderRules().name(item, "a name in \(title("ALIASES"))")
      guard alias != name, !names.contains(alias) else {
        throw item.mistake("input '\(name)': the alias '\(alias)' is given twice")
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
      throw json.mistake(
        "\(title("MAX")) must be a whole number of columns from \(limits.lowerBound) to "
          + "\(limits.upperBound)")
    }
    return columns
  }

  private func value(_ key: String) -> LocatedJSON? { json.field(key)?.value }

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
        throw json.mistake("\(title(key)) must have \(count) numbers")
      }
      return numbers
    }
  }

  private func whole(_ json: LocatedJSON, _ key: String) throws(LocatedError) -> Double {
    let number = try json.number(title(key))
    guard Int32(exactly: number) != nil else {
      throw json.mistake("\(title(key)) must be a whole number of 32 bits")
    }
    return number
  }

  private func choices() throws(LocatedError) -> [MenuChoice] {
    guard let list = value("VALUES") else {
      guard let labels = value("LABELS") else { return [] }
      throw labels.mistake("\(title("LABELS")) needs VALUES")
    }
    guard kind == .long else {
      throw list.mistake("\(title("VALUES")): only a long has them")
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
      throw list.mistake("input '\(name)' must have as many LABELS as VALUES, and at least one")
    }
    return zip(values, labels).map { MenuChoice(value: $0, label: $1) }
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
        throw low.mistake("\(title("MIN")): a bool, or a long with VALUES, has no MIN and MAX")
      }
      let limits = (try components(of: low, "MIN"), try components(of: high, "MAX"))
      guard zip(limits.0, limits.1).allSatisfy({ $0 <= $1 }) else {
        throw low.mistake("\(title("MIN")) is above its MAX")
      }
      return limits
    case (let one?, nil), (nil, let one?):
      throw one.mistake("input '\(name)' needs both MIN and MAX")
    }
  }

  /// Returns the value that ISF's host uses if DEFAULT is missing; for a colour, opaque white.
  private func defaultValue(
    low: [Double]?, high: [Double]?, choices: [MenuChoice]
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
