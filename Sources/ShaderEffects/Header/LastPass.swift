import ShaderCompiler

/// The cost of an effect's last pass, estimated from its text.
public struct LastPass: Sendable, Equatable {
  /// The estimated number of pixels read for one pixel of the result.
  public let reads: Int
  /// The number of words of the code that runs for a pixel, functions counted at each call, and many more
  /// if it has loops.
  public let size: Int

  public init(reads: Int, size: Int) {
    (self.reads, self.size) = (reads, size)
  }

  /// Estimates the cost from the texts without comments.
  init(of texts: [String], header: EffectHeader) {
    let images =
      ["frame", "earlier"] + header.passes.compactMap(\.name)
      + header.inputs.filter { $0.imageRole != nil }.map(\.name)
    let code = PassCode(texts, pass: max(header.passes.count, 1) - 1)
    let tokens = code.reached
    // The number of iterations is unknown; a loop counts as sixteen.
    let repeats = tokens.contains { $0 == "for" || $0 == "while" } ? 16 : 1
    let reads = tokens.reduce(0) { sum, token in
      if images.contains(String(token)) { return sum + 4 }
      return token.hasSuffix("Pixel") ? sum + 1 : sum
    }
    self.init(reads: reads * repeats, size: tokens.count * repeats)
  }
}

/// The code of a text that runs in one pass: directives that ask for PASSINDEX are followed, and calls are
/// replaced by the functions that they call.
///
/// An estimate: a condition that is not understood counts as met, and so does each of its alternatives.
struct PassCode {
  /// The words of the functions, by name; several functions of one name count together.
  private var functions: [String: [Substring]] = [:]
  /// The words of all macros.
  private var macros: [Substring] = []

  /// More words than any kernel is worth.
  private static let limit = 100_000

  init(_ texts: [String], pass: Int) {
    for text in texts { add(Self.lines(of: text, pass: pass)) }
  }

  /// The words that run for a pixel.
  var reached: [Substring] {
    var words = macros
    var callers: [String] = []
    func follow(_ name: String) {
      guard let body = functions[name], !callers.contains(name) else { return }
      callers.append(name)
      defer { callers.removeLast() }
      words += body
      for word in body where words.count < Self.limit { follow(String(word)) }
    }
    follow("effect")
    return words
  }

  /// The lines that the preprocessor keeps.
  private static func lines(of text: String, pass: Int) -> [Substring] {
    /// Whether the lines are kept, and whether an alternative is certain to be kept already.
    var conditions: [(keeps: Bool, isSettled: Bool)] = []
    var lines: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
      let words = GLSLText.tokens(String(line))
      let directive = words.first == "#" && words.count > 1 ? words[1] : ""
      let answer = met(words.dropFirst(2).joined(), pass: pass)
      switch directive {
      case "if": conditions.append((answer ?? true, answer ?? false))
      case "ifdef", "ifndef": conditions.append((true, false))
      case "elif", "else":
        guard let last = conditions.popLast() else { continue }
        let holds = directive == "else" ? true : answer
        conditions.append((!last.isSettled && holds ?? true, last.isSettled || holds ?? false))
      case "endif": _ = conditions.popLast()
      default: if conditions.allSatisfy(\.keeps) { lines.append(line) }
      }
    }
    return lines
  }

  private static let comparisons: [String: @Sendable (Int, Int) -> Bool] = [
    "==": { $0 == $1 }, "!=": { $0 != $1 }, "<": { $0 < $1 }, "<=": { $0 <= $1 },
    ">": { $0 > $1 }, ">=": { $0 >= $1 },
  ]

  /// Whether a condition is met in a pass; nil if that is not known.
  private static func met(_ condition: String, pass: Int) -> Bool? {
    let parts = condition.split(separator: "||").map { part in
      part.split(separator: "&&").map { atom -> Bool? in
        let name = "PASSINDEX"
        guard atom.hasPrefix(name) else { return nil }
        let rest = atom.dropFirst(name.count)
        let sign = rest.prefix { "=!<>".contains($0) }
        guard let number = Int(rest.dropFirst(sign.count)) else { return nil }
        return comparisons[String(sign)]?(pass, number)
      }
    }
    let met = parts.map { atoms -> Bool? in
      atoms.contains(false) ? false : atoms.contains(nil) ? nil : true
    }
    return met.contains(true) ? true : met.contains(nil) ? nil : false
  }

  /// Notes the functions and macros of lines.
  private mutating func add(_ lines: [Substring]) {
    var tokens: [Substring] = []
    var continues = false
    for line in lines {
      let words = GLSLText.tokens(String(line))
      if words.first == "#" || continues {
        if continues || words.count > 1 && words[1] == "define" { macros += words.dropFirst(3) }
        continues = words.last == "\\"
      } else {
        tokens += words
      }
    }
    var depth = 0
    var start = 0
    for (index, token) in tokens.enumerated() {
      if token == "{" {
        if depth == 0 { start = index }
        depth += 1
      } else if token == "}" {
        depth -= 1
        guard depth == 0, let name = Self.function(before: start, in: tokens) else { continue }
        functions[name, default: []] += tokens[start...index]
      }
    }
  }

  /// The name of the function whose body begins at a brace; nil if it is another brace.
  private static func function(before brace: Int, in tokens: [Substring]) -> String? {
    guard brace > 0, tokens[brace - 1] == ")" else { return nil }
    var depth = 0
    for index in stride(from: brace - 1, through: 1, by: -1) {
      if tokens[index] == ")" { depth += 1 }
      if tokens[index] == "(" { depth -= 1 }
      if depth == 0 { return String(tokens[index - 1]) }
    }
    return nil
  }
}
