import FFmpegHandles
import ShaderEffects

/// Effects with their parameters and the values of these, for the completions of shells.
struct OfferedEffects {
  private let typed: String
  private let library: EffectLibrary

  /// - Parameters:
  ///   - typed: The beginning of an effect as `-e` takes it.
  ///   - folders: The folders of `--effects-dir`.
  init(_ typed: String, _ folders: [String]) {
    self.typed = typed
    library = EffectLibrary(folders: folders)
  }

  var names: [Completion.Offer] {
    ((try? library.descriptions()) ?? []).map { .word($0.name, note: $0.description) }
  }

  /// How the effect may go on: names and paths of effects; behind a colon and behind each comma the parameters; behind
  /// an equals sign the values.
  var offers: [Completion.Offer] {
    guard let colon = endOfName else { return effects }
    let name = Self.plain(typed[..<colon])
    guard let effect = try? library.describe(name) else { return [] }
    let (lead, part, given) = lastPart(behind: typed.index(after: colon))
    guard let equal = part.firstIndex(of: "=") else {
      return parameters(of: effect, without: given, behind: lead)
    }
    let key = String(part[..<equal])
    let input = effect.inputs.first { $0.name == key || $0.aliases.contains(key) }
    let value = part[part.index(after: equal)...]
    return input.map { values(of: $0, String(value), behind: lead + key + "=") } ?? []
  }

  private var effects: [Completion.Offer] {
    guard !typed.contains("/") else { return [.files] }
    let known = names
    // One effect is left: the colon of its parameters may follow.
    let own: [Completion.Offer] =
      known.contains { $0.name == typed } ? [.part(typed + ":", note: "with parameters")] : []
    return known + own + [.files]
  }

  private func parameters(
    of effect: EffectDescription, without given: Set<String>, behind lead: String
  ) -> [Completion.Offer] {
    let own = effect.inputs.filter { !given.contains($0.name) }.map { input in
      Completion.Offer.part(
        lead + input.name + (input.type == "event" ? "@" : "="), note: Self.note(input))
    }
    let common = [
      ("mix", "0 to 1: the share of the effect that is blended over its input"),
      ("from", "the second from which it acts"), ("to", "the second until which it acts"),
    ]
    return own
      + common.filter { !given.contains($0.0) }.map { .part(lead + $0.0 + "=", note: $0.1) }
  }

  private static func note(_ input: EffectInputDescription) -> String {
    var parts: [String] = []
    if let low = input.minText, let high = input.maxText { parts.append("\(low) to \(high)") }
    if !input.defaultText.isEmpty { parts.append("default \(input.defaultText)") }
    let facts = parts.isEmpty ? input.type : parts.joined(separator: ", ")
    return input.description.isEmpty ? facts : "\(facts): \(input.description)"
  }

  private func values(
    of input: EffectInputDescription, _ typed: String, behind lead: String
  ) -> [Completion.Offer] {
    switch input.type {
    case "bool": return [.word(lead + "true"), .word(lead + "false")]
    case "long": return input.labels.map { .word(lead + Self.escaped($0)) }
    case "image", "font":
      return OfferedPaths(Self.plain(typed[...])).offers(behind: lead, escape: Self.escaped)
    case "color" where typed.allSatisfy(\.isLetter):
      return colorNames().map { .word(lead + $0) }
    default: return []
    }
  }

  /// The colon behind the name: it has no slash between it and the next equals sign, because a path may have one.
  private var endOfName: String.Index? {
    typed.indices.first { index in
      typed[index] == ":" && !isEscaped(index)
        && !typed[typed.index(after: index)...].prefix { $0 != "=" }.contains("/")
    }
  }

  /// Splits what follows the name at the last comma outside quotation marks and parentheses.
  ///
  /// - Returns: The text up to the last part, the last part, and the names in the parts before.
  private func lastPart(
    behind start: String.Index
  ) -> (lead: String, part: String, given: Set<String>) {
    var (isQuoted, depth, begin, given) = (false, 0, start, Set<String>())
    for index in typed[start...].indices where !isEscaped(index) {
      switch typed[index] {
      case "\"": isQuoted.toggle()
      case "(" where !isQuoted: depth += 1
      case ")" where !isQuoted: depth -= 1
      case "," where !isQuoted && depth <= 0:
        given.insert(
          String(typed[begin..<index].drop { $0 == " " }.prefix { $0 != "=" && $0 != "@" }))
        begin = typed.index(after: index)
      default: break
      }
    }
    while begin < typed.endIndex, typed[begin] == " " { begin = typed.index(after: begin) }
    return (String(typed[..<begin]), String(typed[begin...]), given)
  }

  private func isEscaped(_ index: String.Index) -> Bool {
    typed[..<index].reversed().prefix { $0 == "\\" }.count % 2 == 1
  }

  /// Characters that have a meaning in an effect, and are literal after a backslash.
  private static let marks = ",:=\\"

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if marks.contains(character) { result += "\\" }
      result.append(character)
    }
  }

  private static func plain(_ text: Substring) -> String {
    var (result, rest) = ("", text)
    while let character = rest.popFirst() {
      let isMark = character == "\\" && rest.first.map { marks.contains($0) } ?? false
      result.append(isMark ? rest.removeFirst() : character)
    }
    return result
  }
}

extension Completion.Offer {
  /// The word or the beginning of one; nil for paths.
  fileprivate var name: String? {
    switch self {
    case .word(let text, _), .part(let text, _): text
    case .files, .folders: nil
    }
  }
}
