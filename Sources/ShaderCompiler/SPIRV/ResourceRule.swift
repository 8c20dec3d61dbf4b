/// The resources (images, buffers, push constants) that a shader may use: those in the text around the
/// author's text, and none that the author declares.
///
/// Nothing would be bound to an author's own; drivers do not check that, they crash.
public struct ResourceRule: Sendable {
  /// The prefix of the permitted names.
  public let prefix: String
  /// Makes the message about a refused resource from its name.
  public let message: @Sendable (_ name: String) -> String

  public init(prefix: String, message: @escaping @Sendable (_ name: String) -> String) {
    self.prefix = prefix
    self.message = message
  }

  /// Whether a text can declare a resource at all: it has one of the two keywords, or syntax that can
  /// join parts to one of them.
  static func mayDeclare(_ text: String) -> Bool {
    text.contains("##") || text.contains("\\\n") || text.contains("\\\r")
      || GLSLText.tokens(GLSLText.withoutComments(text)).contains(where: isKeyword)
  }

  /// Diagnostics for the forbidden resources of a module with names; `sources` are the authors' texts by
  /// file, in search order.
  func refusals(
    of words: [UInt32], name: String, sources: [(file: String, text: String)],
    spokenNames: [String: String]
  ) -> [Diagnostic] {
    let names = DeclaredResources(words).names
    let texts = names.isEmpty ? [] : sources.map(Self.read)
    return names.compactMap { resource in
      let spoken = spokenNames[resource] ?? resource
      let place = Self.place(in: texts) { Self.declaration(of: spoken, in: $0) }
      guard !resource.hasPrefix(prefix) || place != nil else { return nil }
      let message = message(spoken)
      guard
        let (source, offset) = place ?? Self.place(ofWord: spoken, in: texts)
      else { return Diagnostic(file: name, severity: .error, message: message) }
      return Diagnostic(
        file: source.file, source: SourceText(source.text), utf8Offset: offset, message: message)
    }
  }

  /// The first position of a word in the texts, outside comments.
  static func place(
    ofWord name: String, in sources: [(file: String, text: String)]
  ) -> (source: (file: String, text: String), offset: Int)? {
    place(ofWord: name, in: sources.map(read))
  }

  private typealias Token = (text: String, offset: Int)
  private typealias ReadText = (source: (file: String, text: String), tokens: [Token])

  private static func read(_ source: (file: String, text: String)) -> ReadText {
    (source, tokens(of: source.text))
  }

  private static func place(
    ofWord name: String, in texts: [ReadText]
  ) -> (source: (file: String, text: String), offset: Int)? {
    place(in: texts) { tokens in tokens.first { $0.text == name }?.offset }
  }

  private static func place(
    in texts: [ReadText], _ find: ([Token]) -> Int?
  ) -> (source: (file: String, text: String), offset: Int)? {
    for text in texts {
      if let offset = find(text.tokens) { return (text.source, offset) }
    }
    return nil
  }

  private static func isKeyword(_ word: some StringProtocol) -> Bool {
    word == "uniform" || word == "buffer"
  }

  /// The position of the name in a declaration of a resource, outside its braces.
  private static func declaration(of name: String, in tokens: [Token]) -> Int? {
    for start in tokens.indices where isKeyword(tokens[start].text) {
      var depth = 0
      for token in tokens[start...] {
        if token.text == "{" { depth += 1 }
        if token.text == "}" { depth -= 1 }
        guard depth <= 0 else { continue }
        if token.text == name { return token.offset }
        if token.text == ";" { break }
      }
    }
    return nil
  }

  /// Words and other bytes outside comments, with their byte offsets.
  private static func tokens(of text: String) -> [Token] {
    let bytes = Array(GLSLText.withoutComments(text).utf8)
    var tokens: [Token] = []
    var at = 0
    while at < bytes.count {
      var end = at + 1
      if bytes[at].isOfWord {
        while end < bytes.count, bytes[end].isOfWord { end += 1 }
      }
      if bytes[at] > UInt8(ascii: " ") {
        tokens.append((String(decoding: bytes[at..<end], as: UTF8.self), at))
      }
      at = end
    }
    return tokens
  }
}
