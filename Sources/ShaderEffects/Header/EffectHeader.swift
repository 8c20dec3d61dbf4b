/// The checked content of an effect's header.
struct EffectHeader: Sendable, Equatable {
  /// A value that the CPU computes once per frame.
  struct Constant: Sendable, Equatable {
    let name: String
    /// The place of the name, in bytes from the start of the file.
    let nameOffset: Int
    /// The GLSL type: `float` or `int`.
    let type: GLSLType
    let expression: Expression
  }

  /// When the effect makes opaque pixels transparent, as far as its header says.
  enum Transparency: Sendable, Equatable {
    case never
    case always
    /// If the alpha of this colour input is below 1.
    case whereTranslucent(input: String)
  }

  var description = ""
  var credit = ""
  var categories: [String] = []
  var inputs: [EffectInput] = []
  var imports: [EffectImport] = []
  /// The constants in the written order, which is the order of evaluation.
  var constants: [Constant] = []
  /// True if colours are read as they are instead of clamped to 0 to 1.
  var isUnclamped = false
  /// True if the effect reads and makes light, instead of coded colours.
  var seesLight = false
  /// True if the effect makes an image without an input frame.
  var isGenerator = false
  /// True if the header says that the effect does nothing with its defaults.
  var isNeutral = false
  var transparency = Transparency.never
  /// The runs of the shader for one frame; empty for a single run that makes the result.
  var passes: [PassTarget] = []
  /// How many frames before the current one the shader may read; nil for none.
  var history: Expression?
  /// How the words of each text input are drawn, by its name.
  var texts: [String: TextRule] = [:]
  /// The place of HISTORY, in bytes from the start of the file.
  var historyOffset: Int?
  /// The meaning of each declared name, in words for a message.
  private(set) var takenNames: [String: String] = [:]

  /// True if NEUTRAL is set, or if some inputs have an identity and it is the default of each of them.
  var isNeutralByDefault: Bool {
    let tuned = inputs.filter { $0.identity != nil }
    return isNeutral || (!tuned.isEmpty && tuned.allSatisfy { $0.identity == $0.defaultValue })
  }

  /// Throws if a colour is picked by something that is not a point.
  private func checkPickers(_ list: LocatedJSON) throws(LocatedError) {
    for (input, item) in zip(inputs, try list.items("INPUTS")) {
      guard let picker = input.picker,
        !inputs.contains(where: { $0.name == picker && $0.kind == .point2D })
      else { continue }
      throw item.mistake(
        "PICKER of input '\(input.name)' is the name of a point2D input, and '\(picker)' is none")
    }
  }

  /// Returns the name of the input for a name, which may be an alias; returns other names unchanged.
  func inputName(_ name: String) -> String {
    inputs.first { $0.aliases.contains(name) }?.name ?? name
  }

  /// The inputs that decide how large the effect's images are, or how many frames it keeps.
  var sizingInputs: Set<String> {
    let formulas =
      passes.flatMap { [$0.width, $0.height] } + [history] + texts.values.flatMap(\.formulas)
    return Set(formulas.flatMap { $0?.names ?? [] }.map { String($0.prefix { $0 != "." }) })
  }

  init() {}

  /// Reads the JSON object of the ISF comment.
  init(_ json: LocatedJSON, _ rules: HeaderRules = HeaderRules()) throws(LocatedError) {
    for member in try json.members("the header") {
      let (key, value) = (member.key, member.value)
      switch key {
      case "DESCRIPTION": description = try value.string(key)
      case "CREDIT": credit = try value.string(key)
      case "CATEGORIES":
        for item in try value.items(key) { categories.append(try item.string("a category")) }
      case "ISFVSN", "VSN": _ = try value.stringOrNumber(key)
      case "INPUTS":
        for item in try value.items(key) {
          let input = try EffectInputHeader(item, rules).input()
          try take(rules.names(input.name, input.names), for: "an input", at: item)
          inputs.append(input)
        }
      case "CONSTANTS", "PASSES", "HISTORY", "IMPORTED", "ALPHA": break
      case "UNCLAMPED": isUnclamped = try value.bool(key)
      case "LIGHT": seesLight = try Self.seesLight(value)
      case "GENERATOR": isGenerator = try value.bool(key)
      case "NEUTRAL": isNeutral = try value.bool(key)
      default:
        throw member.mistake("unknown key \(key)\(NearNames.suggestion(key, in: Self.keys))")
      }
    }
    // Read last, because these may use inputs from anywhere in the header.
    func value(_ key: String) -> LocatedJSON? { json.field(key)?.value }
    if let list = value("INPUTS") {
      try addTexts(list)
      try checkAliases(list)
      try checkPickers(list)
    }
    if let list = value("IMPORTED") {
      for entry in try EffectImport.all(list, rules) {
        try take(
          rules.names(entry.name, entry.names), for: "an import",
          at: LocatedJSON(value: .string(entry.name), offset: entry.nameOffset))
        imports.append(entry)
      }
    }
    if let list = value("CONSTANTS") {
      var variables = FrameVariables(inputs: inputs, constants: [])
      for item in try list.items("CONSTANTS") { try addConstant(item, &variables) }
    }
    if let list = value("PASSES") { try addPasses(list, rules) }
    if let formula = value("HISTORY") { try addHistory(formula) }
    if let rule = value("ALPHA") { try setTransparency(rule) }
  }

  /// Throws if an alias of an input is the name or the alias of another one.
  private func checkAliases(_ list: LocatedJSON) throws(LocatedError) {
    var names = Set(inputs.map(\.name))
    for (input, item) in zip(inputs, try list.items("INPUTS")) {
      for alias in input.aliases where !names.insert(alias).inserted {
        throw item.mistake(
          "input '\(input.name)': the alias '\(alias)' is the name of another input")
      }
    }
  }

  /// Reads ALPHA: true or false, or the name of a colour input.
  private mutating func setTransparency(_ json: LocatedJSON) throws(LocatedError) {
    guard case .string(let name) = json.value else {
      transparency = try json.bool("ALPHA") ? .always : .never
      return
    }
    guard inputs.contains(where: { $0.name == name && $0.kind == .color }) else {
      throw json.mistake(
        "ALPHA is true, false or the name of a colour input, and \"\(name)\" is none")
    }
    transparency = .whereTranslucent(input: name)
  }

  static let keys = [
    "DESCRIPTION", "CREDIT", "CATEGORIES", "ISFVSN", "VSN", "INPUTS", "CONSTANTS", "UNCLAMPED",
    "GENERATOR", "NEUTRAL", "PASSES", "HISTORY", "IMPORTED", "ALPHA", "LIGHT",
  ]

  private static func seesLight(_ json: LocatedJSON) throws(LocatedError) -> Bool {
    switch try json.string("LIGHT") {
    case "linear": return true
    case "coded": return false
    case let word:
      throw json.mistake(
        """
        LIGHT is "linear", for colours in proportion to light, or "coded", for those of the source, not "\(word)"
        """)
    }
  }

  private mutating func take(
    _ names: [String], for what: String, at json: LocatedJSON
  ) throws(LocatedError) {
    if let name = names.first(where: { takenNames[$0] != nil }) {
      throw json.mistake("the name '\(name)' is declared twice")
    }
    note(names, as: what)
  }

  /// Marks names, which must be free, as taken, with what they stand for.
  mutating func note(_ names: [String], as what: String) {
    for name in names { takenNames[name] = what }
  }

  /// Reads a constant, whose formula may use `variables`, and adds it to `variables`.
  private mutating func addConstant(
    _ json: LocatedJSON, _ variables: inout FrameVariables
  ) throws(LocatedError) {
    var (name, formula): (String?, LocatedJSON?) = (nil, nil)
    var nameOffset = json.offset
    var type = GLSLType.float
    for member in try json.members("a constant") {
      switch member.key {
      case "NAME":
        name = try HeaderRules().name(member.value)
        nameOffset = member.value.offset
      case "TYPE":
        let word = try member.value.string("TYPE")
        guard let known = GLSLType(rawValue: word), known == .float || known == .int else {
          throw member.value.mistake("a constant's TYPE is \"float\" or \"int\", not \"\(word)\"")
        }
        type = known
      case "VALUE": formula = member.value
      case "DESCRIPTION": _ = try member.value.string("DESCRIPTION")
      default:
        throw member.mistake(
          "unknown key \(member.key) in a constant; it has NAME, TYPE, VALUE, DESCRIPTION")
      }
    }
    guard let name, let formula else {
      throw json.mistake("a constant needs NAME and VALUE")
    }
    try take([name], for: "a constant", at: json)
    let text = try formula.stringOrNumber("VALUE of constant '\(name)'")
    do {
      let expression = try Expression(text, slots: variables.slots)
      variables.add([name])
      constants.append(
        Constant(name: name, nameOffset: nameOffset, type: type, expression: expression))
    } catch {
      // Skips the opening quote; escapes would shift the offset, but a formula needs none.
      throw LocatedError(
        offset: formula.offset + 1 + error.offset,
        message: "constant '\(name)': \(error.message)")
    }
  }
}
