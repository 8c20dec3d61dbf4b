/// Compiles a formula to instructions by recursive descent, with C's operator precedence.
struct ExpressionParser {
  /// The deepest allowed nesting, so that no header can exhaust a thread's stack.
  static let maximumDepth = 64

  private let tokens: [(token: ExpressionLexer.Token, offset: Int)]
  private let slots: [String: Int]
  private var index = 0
  private var depth = 0
  private var instructions: [Expression.Instruction] = []
  private var names: Set<String> = []

  init(_ text: String, slots: [String: Int]) throws(ExpressionError) {
    tokens = try ExpressionLexer.tokens(text)
    self.slots = slots
  }

  mutating func parse() throws(ExpressionError) -> Expression {
    try choice()
    guard current == .end else { throw unexpected("an operator") }
    return Expression(instructions: instructions, names: names)
  }

  private var current: ExpressionLexer.Token { tokens[index].token }

  private mutating func take(_ sign: String) -> Bool {
    guard current == .sign(sign) else { return false }
    index += 1
    return true
  }

  private mutating func expect(_ sign: String) throws(ExpressionError) {
    guard take(sign) else { throw unexpected("'\(sign)'") }
  }

  private func unexpected(_ wanted: String) -> ExpressionError {
    let found = current == .end ? "the expression ends" : "there is '\(current.text)'"
    return ExpressionError(
      offset: tokens[index].offset, message: "\(found) where \(wanted) should be")
  }

  private mutating func choice() throws(ExpressionError) {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else {
      throw ExpressionError(
        offset: tokens[index].offset, message: "more than \(Self.maximumDepth) levels deep")
    }
    try binary(0)
    guard take("?") else { return }
    try choice()
    try expect(":")
    try choice()
    instructions.append(.function(.select))
  }

  /// The binary operators by precedence, weakest first; each group is evaluated left to right.
  private static let levels: [[ExpressionFunction]] = [
    [.equal, .notEqual], [.less, .lessOrEqual, .greater, .greaterOrEqual], [.add, .subtract],
    [.multiply, .divide, .remainder],
  ]

  private mutating func binary(_ level: Int) throws(ExpressionError) {
    guard level < Self.levels.count else { return try unary() }
    try binary(level + 1)
    while case .sign(let sign) = current,
      let function = Self.levels[level].first(where: { $0.rawValue == sign })
    {
      index += 1
      try binary(level + 1)
      instructions.append(.function(function))
    }
  }

  private mutating func unary() throws(ExpressionError) {
    var isNegative = false
    while current == .sign("-") || current == .sign("+") {
      if current == .sign("-") { isNegative.toggle() }
      index += 1
    }
    try primary()
    if isNegative { instructions.append(.function(.negate)) }
  }

  private mutating func primary() throws(ExpressionError) {
    let (token, offset) = tokens[index]
    switch token {
    case .number(let value):
      index += 1
      instructions.append(.constant(value))
    case .name(let name):
      index += 1
      if take("(") { return try call(name, at: offset) }
      guard let slot = slots[name] else {
        throw ExpressionError(offset: offset, message: unknown(name))
      }
      read(name, slot)
    case .sign("("):
      index += 1
      try choice()
      try expect(")")
    default: throw unexpected("a number, a name or '('")
    }
  }

  /// Reads the rest of `audio(low)`, which is the value `low`.
  private mutating func sound() throws(ExpressionError) {
    let (token, offset) = tokens[index]
    guard case .name(let name) = token, AudioLevels.names.contains(name), let slot = slots[name]
    else {
      let known = AudioLevels.names.joined(separator: ", ")
      throw ExpressionError(offset: offset, message: "audio takes \(known)")
    }
    index += 1
    try expect(")")
    read(name, slot)
  }

  private mutating func read(_ name: String, _ slot: Int) {
    names.insert(name)
    instructions.append(.variable(slot))
  }

  private mutating func call(_ name: String, at offset: Int) throws(ExpressionError) {
    if name == "audio", slots[AudioLevels.names[0]] != nil { return try sound() }
    guard let function = ExpressionFunction.named.first(where: { $0.rawValue == name }) else {
      let known = ExpressionFunction.named.map(\.rawValue)
      throw ExpressionError(
        offset: offset,
        message: "there is no function '\(name)'\(NearNames.suggestion(name, in: known))")
    }
    var count = 0
    if current != .sign(")") {
      repeat {
        try choice()
        count += 1
      } while take(",")
    }
    try expect(")")
    guard count == function.argumentCount else {
      let wanted = function.argumentCount
      throw ExpressionError(
        offset: offset,
        message: "\(name) takes \(wanted) argument\(wanted == 1 ? "" : "s"), not \(count)")
    }
    instructions.append(.function(function))
  }

  private func unknown(_ name: String) -> String {
    if ExpressionFunction.named.contains(where: { $0.rawValue == name }) {
      return "the function '\(name)' needs its arguments in parentheses"
    }
    return "there is no value '\(name)'\(NearNames.suggestion(name, in: slots.keys.sorted()))"
  }
}
