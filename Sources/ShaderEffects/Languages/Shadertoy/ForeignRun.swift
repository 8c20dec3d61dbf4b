import ShaderCompiler

/// The text of one pass of a foreign shader, in the terms of ISF.
struct ForeignRun: Sendable, Equatable {
  /// A part of the text and its label in messages; its lines are counted from 1.
  struct Segment: Sendable, Equatable {
    let label: String
    /// The text without comments, with the images under their names in the header.
    let text: String
  }

  /// The parts in order; the first and the last are kfrec's own.
  let segments: [Segment]

  /// `names` maps words of the author's text to their replacements.
  init(
    lead: String, _ parts: [Segment], tail: String, names: [String: String]
  ) {
    segments =
      [Segment(label: GeneratedText.name, text: lead)]
      + parts.map { Segment(label: $0.label, text: Self.renamed($0.text, names)) }
      + [Segment(label: GeneratedText.name(after: parts.last?.label ?? ""), text: tail)]
  }

  /// The label of the author's text; of several texts, the last one, which is the pass's own.
  var label: String { segments.dropLast().last?.label ?? "" }

  var text: String { segments.map(\.text).joined(separator: "\n") }

  /// The names that kfrec's own first part defines.
  var ownNames: Set<String> { Set(GlobalNames(texts: [segments[0].text]).names) }

  /// Returns the kernel's text, with each part's lines under its label.
  func translated(_ translation: ISFTranslation) -> String {
    var lines = translation.text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    var parts: [String] = []
    for segment in segments {
      let count = segment.text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
      parts.append("#line 1 \"\(EffectShader.quoted(segment.label))\"")
      parts += lines.prefix(count).map(String.init)
      lines = lines.dropFirst(count)
    }
    return parts.joined(separator: "\n")
  }

  private static func renamed(_ text: String, _ names: [String: String]) -> String {
    guard !names.isEmpty else { return text }
    return ISFToken.tokens(text).map { token in
      token.kind == .word ? names[token.text] ?? token.text : token.text
    }.joined()
  }

  /// Returns the words of a text that has no comments, each once.
  static func words(_ text: String) -> Set<String> {
    Set(ISFToken.tokens(text).lazy.filter { $0.kind == .word }.map(\.text))
  }
}
