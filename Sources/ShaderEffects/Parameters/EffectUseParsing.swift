import Frames

extension EffectSpec {
  /// Reads `NAME[:param=value,...]`, where an event is `param@seconds`.
  ///
  /// A `\` removes the meaning of a following `,`, `:`, `=` or `\`. The name ends at the first `:` that
  /// has no `/` between it and the next `=`. `mix`, `from` and `to` belong to every effect.
  package init(parsing text: String) throws(EffectError) {
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
    for part in Self.parameters(rest) {
      // An event has times and no value.
      let mark = part.firstIndex(of: .syntax("=")) ?? part.firstIndex(of: .syntax("@"))
      guard let mark, mark > part.startIndex else {
        throw .usage(
          "effect '\(name)': '\(Self.string(part))' is not parameter=value; "
            + "parameters are separated by commas")
      }
      let key = Self.string(part[..<mark])
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

  private mutating func set(_ key: String, to value: String) throws(EffectError) {
    switch key {
    case "mix":
      mix = try mix(value)
    case "from": from = try time(value, of: key)
    case "to": to = try time(value, of: key)
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
      Double(plainDecimal: text).flatMap { (0...1).contains($0) ? [$0] : nil }
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
      } else {
        pieces.append(.syntax(first))
      }
    }
    return pieces
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
