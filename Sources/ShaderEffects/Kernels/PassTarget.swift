/// One object of a header's PASSES: a run of the shader, and the texture that it writes.
struct PassTarget: Sendable, Equatable {
  /// The allowed length of a side, in pixels.
  static let sides = 1...16384
  /// The largest number of passes; every pass binds every target, and all must fit.
  static let limit = 12

  /// The target's name; nil for the effect's result, which only the last pass makes.
  var name: String?
  /// The place of the name, in bytes from the start of the file; 0 if the file does not contain it.
  private(set) var nameOffset = 0
  /// The size in pixels; nil for the frame's size.
  var width: Expression?
  var height: Expression?
  /// True if the target keeps its content until the next frame.
  var isPersistent = false
  /// True for 32-bit floats.
  var isFloat = false
  /// True for 16-bit floats; if this and `isFloat` are false, the target has 8 bits, clamped to 0 to 1.
  var isHalf = false

  /// The names of the functions with which the shader reads the target.
  var names: [String] { name.map(ImageReading.names) ?? [] }

  static let keys = ["TARGET", "WIDTH", "HEIGHT", "PERSISTENT", "FLOAT", "HALF", "DESCRIPTION"]

  /// Reads the object; sizes may depend on `inputs` and on the frame's size.
  init(
    _ json: LocatedJSON, inputs: [EffectInput], _ rules: HeaderRules = HeaderRules()
  ) throws(LocatedError) {
    for member in try json.members("a pass") {
      let (key, value) = (member.key, member.value)
      switch key {
      case "TARGET":
        name = try rules.name(value, "TARGET")
        nameOffset = value.offset
      case "WIDTH": width = try Self.side(value, key, inputs)
      case "HEIGHT": height = try Self.side(value, key, inputs)
      case "PERSISTENT": isPersistent = try value.flag(key)
      case "FLOAT": isFloat = try value.flag(key)
      case "HALF" where rules.hasHalf: isHalf = try value.flag(key)
      case "DESCRIPTION": _ = try value.string(key)
      default:
        throw member.mistake(
          "unknown key \(key) in a pass\(NearNames.suggestion(key, in: Self.keys))")
      }
    }
    if isFloat, isHalf {
      throw json.mistake("a pass has FLOAT or HALF, not both; take out one of them")
    }
    guard name == nil,
      let own = try json.members("a pass").first(where: { $0.key != "DESCRIPTION" })
    else { return }
    throw own.mistake("\(own.key) works only with a TARGET; give the pass a TARGET")
  }

  /// Reads a side: a number, or a formula of WIDTH, HEIGHT and the inputs.
  private static func side(
    _ json: LocatedJSON, _ key: String, _ inputs: [EffectInput]
  ) throws(LocatedError) -> Expression {
    let side = try formula(json, key, inputs)
    if side.names.isEmpty, Self.side(side.evaluate()) == nil || side.evaluate() < 1 {
      throw json.mistake("\(key) must be from \(sides.lowerBound) to \(sides.upperBound)")
    }
    return side
  }

  /// Reads a formula of what is known before the first frame: the frame's size and the inputs.
  static func formula(
    _ json: LocatedJSON, _ key: String, _ inputs: [EffectInput]
  ) throws(LocatedError) -> Expression {
    let text = try json.stringOrNumber(key)
    // Where a translation renames inputs, one may have this name, which then is the input's.
    let builtIns = FrameVariables.size.map { name in
      name == "SIDE" && inputs.contains { $0.name == name } ? "" : name
    }
    let slots = FrameVariables(builtIns: builtIns, inputs: inputs, constants: []).slots
    do {
      return try Expression(text, slots: slots)
    } catch {
      throw LocatedError(
        offset: json.offset + 1 + error.offset, message: "\(key): \(error.message)")
    }
  }

  /// Returns the whole part, at least 1, so that a fraction of a tiny frame is still a texture; nil for
  /// NaN or a value that is too large.
  static func side(_ value: Double) -> Int? {
    guard !value.isNaN, value < Double(sides.upperBound + 1) else { return nil }
    return max(Int(max(value, 0)), sides.lowerBound)
  }
}

extension LocatedJSON {
  /// Returns true or false; a number above 0 counts as true.
  func flag(_ name: String) throws(LocatedError) -> Bool {
    if case .number(let number) = value { return number > 0 }
    return try bool(name)
  }
}

extension EffectHeader {
  /// Reads PASSES; the inputs and constants must already be known.
  mutating func addPasses(_ json: LocatedJSON, _ rules: HeaderRules) throws(LocatedError) {
    let items = try json.items("PASSES")
    guard items.count <= PassTarget.limit else {
      throw json.mistake("there are more than \(PassTarget.limit) PASSES")
    }
    for (index, item) in items.enumerated() {
      let pass = try PassTarget(item, inputs: inputs, rules)
      let isLast = index == items.count - 1
      if pass.name == nil, !isLast {
        throw item.mistake(
          "pass \(index) needs a TARGET; only the last pass makes the effect's result")
      }
      if isLast, pass.width != nil || pass.height != nil {
        throw item.mistake(
          "the last pass makes the effect's result, which has the frame's size; "
            + "take out WIDTH and HEIGHT, or add a pass after it")
      }
      if let name = pass.name { try checkTarget(name, at: item, rules) }
      passes.append(pass)
    }
  }

  private mutating func checkTarget(
    _ name: String, at json: LocatedJSON, _ rules: HeaderRules
  ) throws(LocatedError) {
    if passes.contains(where: { $0.name == name }) {
      throw json.mistake("the TARGET '\(name)' is in two passes")
    }
    guard !rules.renames else { return }
    for own in ImageReading.names(name) {
      guard let taken = takenNames[own] else { continue }
      throw json.mistake("the TARGET '\(name)' needs the name '\(own)', which is \(taken) already")
    }
    note(ImageReading.names(name), as: "another TARGET's")
  }

  /// Reads HISTORY.
  mutating func addHistory(_ json: LocatedJSON) throws(LocatedError) {
    let formula = try PassTarget.formula(json, "HISTORY", inputs)
    if formula.names.isEmpty {
      let count = formula.evaluate()
      guard count == count.rounded(), EffectHeader.historyLimits.contains(Int32(saturating: count))
      else {
        throw json.mistake(
          "HISTORY must be a whole number of frames from 1 to "
            + "\(EffectHeader.historyLimits.upperBound), or a formula")
      }
    }
    history = formula
    historyOffset = json.offset
  }

  static let historyLimits: ClosedRange<Int32> = 1...32
}
