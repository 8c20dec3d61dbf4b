import Frames

extension EffectSpec {
  /// Reads `NAME[:param=value,...]`, where an event is `param@seconds`.
  ///
  /// A `\` removes the meaning of a following `,`, `:`, `=` or `\`, and so do quotation marks round a whole value.
  /// The name ends at the first `:` that
  /// has no `/` between it and the next `=`. Blanks round a parameter's name have no meaning. `mix`, `from` and `to`
  /// belong to every effect.
  public init(parsing text: String) throws(EffectError) {
    let characters = Self.unescape(text)
    let colon = Self.endOfName(characters)
    let name = Self.string(characters[..<(colon ?? characters.count)])
    guard !name.isEmpty else {
      throw .usage("effect '\(text)' has no name; write NAME or NAME:parameter=value")
    }
    self.init(name: name)
    guard let colon else { return }
    let rest = characters[(colon + 1)...]
    if Self.hasForeignParameters(characters[..<colon]), !rest.contains(.syntax("=")) {
      // FFmpeg writes filters like this, crop=100:100; there is no such effect, and the search for it
      // reports how to write parameters.
      self.init(name: Self.string(characters[...]))
      return
    }

    var seen: Set<String> = []
    var before: ArraySlice<Piece>?
    for part in Self.parameters(rest) {
      // An event has times and no value.
      let mark = part.firstIndex(of: .syntax("=")) ?? part.firstIndex(of: .syntax("@"))
      guard let mark, mark > part.startIndex else {
        throw .usage(
          "effect '\(name)': '\(Self.string(part))' is not parameter=value; "
            + "parameters are separated by commas" + Self.remedy(for: part, after: before))
      }
      before = part
      let key = Self.string(part[..<mark]).trimmingBlanks
      let value = part[mark] == .syntax("=") ? part[(mark + 1)...] : part[mark...]
      guard seen.insert(key).inserted else {
        throw .usage("effect '\(name)': parameter '\(key)' is given twice; keep one")
      }
      try set(key, to: Self.string(value))
    }
    if let from, let to, from >= to {
      throw .usage("effect '\(name)' would never act: 'from' must be before 'to'")
    }
  }

  /// What a person may have meant by a part that is no parameter: more of the value before it, or another effect.
  private static func remedy(
    for part: ArraySlice<Piece>, after before: ArraySlice<Piece>?
  ) -> String {
    guard let before, let mark = before.firstIndex(of: .syntax("=")) else { return "" }
    let (words, value) = (string(part), string(before[(mark + 1)...]))
    if words.hasPrefix(" ") {
      let key = string(before[..<mark]).trimmingBlanks
      return
        "; a comma that belongs to \(key) needs quotation marks: '\(key)=\"\(value),\(words)\"'"
    }
    let isName = words.allSatisfy { $0.isLetter || $0.isNumber } && words.first?.isLetter == true
    return isName ? "; another effect has an -e of its own: -e \(words)" : ""
  }

  /// Returns an effect as it is typed, which can be parsed, with another name and other values of its parameters.
  ///
  /// `value` makes a new value, given a parameter's name and its value, both without escapes.
  public static func rewriting(
    _ text: String, name: String, value: (_ key: String, _ value: String) -> String
  ) -> String {
    let characters = unescape(text)
    guard let colon = endOfName(characters) else { return escaped(name) }
    let parts = parameters(characters[(colon + 1)...]).map { part in
      guard let mark = part.firstIndex(of: .syntax("=")) else { return escaped(part) }
      let (key, old) = (string(part[..<mark]).trimmingBlanks, string(part[(mark + 1)...]))
      let new = value(key, old)
      return escaped(key) + "=" + (new == old ? escaped(part[(mark + 1)...]) : escaped(new))
    }
    return escaped(name) + ":" + parts.joined(separator: ",")
  }

  /// Returns text that stands for itself.
  private static func escaped(_ text: String) -> String {
    escaped(text.map { Piece.literal($0) }[...])
  }

  /// Returns the notation of pieces; a value with literal signs of other kinds is quoted as a whole.
  private static func escaped(_ pieces: ArraySlice<Piece>) -> String {
    let isQuoted = pieces.contains { piece in
      if case .literal(let character) = piece { "()@~{}\"".contains(character) } else { false }
    }
    if isQuoted { return "\"" + string(pieces).replacing("\"", with: "\\\"") + "\"" }
    return pieces.reduce(into: "") { text, piece in
      if case .literal(let character) = piece, ",:=\\".contains(character) { text += "\\" }
      text.append(piece.character)
    }
  }

  private mutating func set(_ key: String, to value: String) throws(EffectError) {
    switch key {
    case "mix":
      mix = try mix(value.trimmingBlanks)
    case "from": from = try time(value.trimmingBlanks, of: key)
    case "to": to = try time(value.trimmingBlanks, of: key)
    default: parameters.append((key, value))
    }
  }

  private func time(_ value: String, of key: String) throws(EffectError) -> Rational {
    guard let time = Rational(clockTime: value) else {
      throw .usage(
        "effect '\(name)': '\(key)' must be a time such as 2.5 or 00:01:30.25, not '\(value)'")
    }
    return time
  }

  private func mix(_ text: String) throws(EffectError) -> ParameterTrack {
    func share(_ text: String) -> [Double]? {
      let number =
        text.last == "%"
        ? Double(plainDecimal: text.dropLast()).map { $0 / 100 } : Double(plainDecimal: text)
      return number.flatMap { (0...1).contains($0) ? [$0] : nil }
    }
    let allowed = "a number from 0 to 1"
    if ParameterTrack.isNotation(text) {
      return try ParameterTrack(
        parsing: text, subject: "effect '\(name)': mix", allowed: allowed, isStepped: false,
        parse: share)
    }
    let limits = ParameterFormula.Limits(SteerableEffect.mix, part: 0)
    guard let value = share(text) else {
      if let track = try ParameterTrack(
        formula: text, limits: [limits], subject: "effect '\(name)': mix", allowed: allowed)
      {
        return track
      }
      throw .usage("effect '\(name)': mix must be \(allowed), not '\(text)'")
    }
    return ParameterTrack(value)
  }

  /// A character that has its meaning in the notation, or one that is literal.
  private enum Piece: Equatable {
    case syntax(Character)
    case literal(Character)

    var character: Character {
      switch self {
      case .syntax(let character), .literal(let character): character
      }
    }
  }

  private static func unescape(_ text: String) -> [Piece] {
    var pieces: [Piece] = []
    var rest = text[...]
    while let first = rest.popFirst() {
      if first == "\\", let next = rest.first, ",:=\\".contains(next) {
        rest.removeFirst()
        pieces.append(.literal(next))
      } else if first == "\"", pieces.last == .syntax("="), let end = endOfQuotation(rest) {
        var quoted = rest[..<end]
        rest = rest[rest.index(after: end)...]
        while let character = quoted.popFirst() {
          let isEscape = character == "\\" && quoted.first == "\""
          pieces.append(.literal(isEscape ? quoted.removeFirst() : character))
        }
      } else {
        pieces.append(.syntax(first))
      }
    }
    return pieces
  }

  /// Returns the place of the mark that ends a quotation, behind which the value must end too; nil if there is none.
  private static func endOfQuotation(_ text: Substring) -> Substring.Index? {
    var isEscaped = false
    for index in text.indices {
      if text[index] == "\"", !isEscaped {
        let next = text.index(after: index)
        if next == text.endIndex || text[next] == "," { return index }
      }
      isEscaped = text[index] == "\\" && !isEscaped
    }
    return nil
  }

  private static func endOfName(_ pieces: [Piece]) -> Int? {
    pieces.indices.first { index in
      pieces[index] == .syntax(":")
        && !pieces[(index + 1)...].prefix { $0 != .syntax("=") }.contains(.syntax("/"))
    }
  }

  /// Splits at commas, but not inside the parentheses of a formula; unless these have no pairs.
  private static func parameters(_ pieces: ArraySlice<Piece>) -> [ArraySlice<Piece>] {
    var (depth, lowest) = (0, 0)
    let parts = pieces.split(omittingEmptySubsequences: false) { piece in
      if piece == .syntax("(") { depth += 1 }
      if piece == .syntax(")") { depth -= 1 }
      lowest = min(lowest, depth)
      return piece == .syntax(",") && depth == 0
    }
    guard depth == 0, lowest == 0 else {
      return pieces.split(separator: .syntax(","), omittingEmptySubsequences: false)
    }
    return parts
  }

  private static func hasForeignParameters(_ name: ArraySlice<Piece>) -> Bool {
    let start = name.lastIndex(of: .syntax("/")).map { $0 + 1 } ?? name.startIndex
    return name[start...].dropFirst().contains(.syntax("="))
  }

  private static func string(_ pieces: ArraySlice<Piece>) -> String {
    String(pieces.map(\.character))
  }
}

extension String {
  /// The text without blanks at its ends.
  var trimmingBlanks: String {
    guard first == " " || last == " " else { return self }
    return String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
