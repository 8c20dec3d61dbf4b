/// The pattern of output names, such as "{stem}-{effect}{ext}".
package struct OutputName: Sendable, Equatable {
  private enum Part: Equatable { case text(String), field(Field) }

  /// What a name in braces stands for.
  package enum Field: String, CaseIterable, Sendable {
    /// The input's name without its folder and its extension.
    case stem
    /// The input's name without its folder.
    case name
    /// The output's extension with its dot.
    case ext
    /// The names of the effects, joined by "-"; "plain" if there is none.
    case effect
    /// The input's number, from 1, with as many digits as the last number has.
    case index
  }

  /// The pattern as typed.
  package let pattern: String
  private var parts: [Part] = []

  /// The pattern that is used if none is given.
  package static let usual = OutputName(
    parts: [.field(.stem), .field(.ext)], pattern: "{stem}{ext}")

  private init(parts: [Part], pattern: String) {
    (self.parts, self.pattern) = (parts, pattern)
  }

  /// Reads a pattern.
  package init(_ pattern: String) throws(BatchError) {
    self.pattern = pattern
    var rest = pattern[...]
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}") else {
        throw OutputName.mistake(pattern, "has a brace without its partner")
      }
      if brace > rest.startIndex { parts.append(.text(String(rest[..<brace]))) }
      let word = String(rest[rest.index(after: brace)..<end])
      guard let field = Field(rawValue: word) else {
        throw OutputName.mistake(pattern, "has no field {\(word)}")
      }
      parts.append(.field(field))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    if let problem = OutputName.problem(of: pattern) { throw OutputName.mistake(pattern, problem) }
  }

  /// Says why a path or a pattern of paths cannot name an output in the output folder; nil if it can.
  static func problem(of path: String) -> String? {
    let parts = path.split(separator: "/")
    if path.isEmpty { return "is empty" }
    if path.hasSuffix("/") { return "names a folder" }
    if path.hasPrefix("/") || parts.contains("..") { return "leads out of the output folder" }
    if Journal.isOwnPath(path) { return "is the name of the batch's own files" }
    guard path.contains("%") else { return nil }
    return "has a %, but a batch writes one file for each input, not numbered images"
  }

  private static func mistake(_ pattern: String, _ problem: String) -> BatchError {
    let fields = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
    return BatchError(
      "--name \"\(pattern)\" \(problem); write a name such as {stem}-{effect}{ext} with \(fields)",
      isUsageError: true)
  }

  /// Returns the name of an output, relative to the output folder or to the folder below it that the input belongs to.
  ///
  /// `number` has the input's own number, from 1, and the largest one; the extension has no dot.
  func name(
    for input: String, number: (own: Int, last: Int), effects: [String], fileExtension: String
  ) -> String {
    let name = String(input.split(separator: "/").last ?? "")
    return parts.map { part in
      switch part {
      case .text(let text): text
      case .field(.name): name
      case .field(.stem): OutputName.stem(of: name)
      case .field(.ext): "." + fileExtension
      case .field(.effect): effects.isEmpty ? "plain" : effects.joined(separator: "-")
      case .field(.index):
        String(repeating: "0", count: "\(number.last)".count - "\(number.own)".count)
          + "\(number.own)"
      }
    }.joined()
  }

  /// The name without its extension; of numbered images also without the number: "shot-%04d.png" is "shot".
  private static func stem(of name: String) -> String {
    var stem = name[...]
    if let dot = stem.lastIndex(of: "."), dot != stem.startIndex { stem = stem[..<dot] }
    guard let percent = stem.lastIndex(of: "%"), stem.last == "d",
      stem[stem.index(after: percent)...].dropLast().allSatisfy(\.isNumber)
    else { return String(stem) }
    let before = stem[..<percent].reversed().drop { "-_. ".contains($0) }.reversed()
    return before.isEmpty ? "images" : String(before)
  }
}
