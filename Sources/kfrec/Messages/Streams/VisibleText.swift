import Frames

/// Escapes text for a terminal: control characters and marks of text direction, from a file name or a
/// driver's message, are shown instead of obeyed (line ends and tabs stay).
func visible(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\n", "\t": result.unicodeScalars.append(scalar)
    case _ where !scalar.isObeyed: result.unicodeScalars.append(scalar)
    case "\u{0}"..."\u{ff}": result += escaped(scalar.value)
    default: result += "\\u{\(String(scalar.value, radix: 16))}"
    }
  }
  return result
}

/// A name from outside for a line of its own: line ends and tabs are shown, too.
func visibleName(_ name: String) -> String {
  visible(name).replacing("\n", with: escaped(10)).replacing("\t", with: escaped(9))
}

/// A byte as `\xNN`.
func escaped(_ byte: UInt32) -> String {
  "\\x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
}

/// Names that are not shown as they are: those that contain line ends or tabs, which a terminal would obey in a
/// message, and addresses with secrets.
struct BrokenNames: Sendable {
  /// The longest first, because one may be a part of another.
  private var names: [[UInt8]]
  /// Addresses, the longest first, and what is shown of each: one that was typed may have blanks.
  private var addresses: [(secret: String, shown: String)] = []
  /// An address of kfrec's own, which people are to see whole.
  private var own: String?

  /// Splits the words into the parts of paths, effects and parameters, because a message may have only some.
  init(_ typed: [String]) {
    let parts = typed.flatMap { $0.utf8.split { "/:,=".utf8.contains($0) }.map(Array.init) }
    names = parts.filter { part in part.contains { BrokenNames.breaks.contains($0) } }
      .sorted { $0.count > $1.count }
    for word in typed { add(address: word) }
  }

  /// Adds what may be an address, such as an input of a preset.
  mutating func add(address text: String) {
    // What is behind `~` is the input's own options, and messages may leave it out.
    for text in [text] + text.split(separator: "~").prefix(1).map(String.init) {
      let shown = ShownAddress.of(text)
      guard shown != text, !addresses.contains(where: { $0.secret == text }) else { continue }
      addresses.append((text, shown))
    }
    addresses.sort { $0.secret.utf8.count > $1.secret.utf8.count }
  }

  /// Lets an address of kfrec's own be shown whole, such as that of its page with the token.
  mutating func show(address: String) { own = address }

  func withoutSecrets(_ text: String) -> String {
    guard text.contains("://") else { return text }
    if let own, let place = text.firstRange(of: own) {
      return withoutSecrets(String(text[..<place.lowerBound])) + own
        + withoutSecrets(String(text[place.upperBound...]))
    }
    return ShownAddress.inText(
      addresses.reduce(text) { $0.replacing($1.secret, with: $1.shown) })
  }

  func withoutSecrets(_ object: JSONValue) -> JSONValue {
    object.changingStrings { withoutSecrets($0) }
  }

  /// Adds a name that was not typed, such as that of a file in a folder.
  mutating func add(_ name: String) {
    let added = BrokenNames([name]).names.filter { !names.contains($0) }
    guard !added.isEmpty else { return }
    names = (names + added).sorted { $0.count > $1.count }
  }

  /// A message for a terminal whose further lines, such as those of an effect's text, are indented: no text from
  /// outside begins a line.
  func message(_ text: String) -> String { visible(text).replacing("\n", with: "\n  ") }

  private static let breaks = Array("\n\t".utf8)

  /// A message for a terminal, with the line ends and tabs of these names escaped.
  func visible(_ text: String) -> String {
    let text = withoutSecrets(text)
    guard !names.isEmpty else { return kfrec.visible(text) }
    var rest = Array(text.utf8)[...]
    var bytes: [UInt8] = []
    while let first = rest.first {
      guard let name = names.first(where: { rest.starts(with: $0) }) else {
        bytes.append(first)
        rest = rest.dropFirst()
        continue
      }
      for byte in name {
        if BrokenNames.breaks.contains(byte) {
          bytes += Array(escaped(UInt32(byte)).utf8)
        } else {
          bytes.append(byte)
        }
      }
      rest = rest.dropFirst(name.count)
    }
    return kfrec.visible(String(decoding: bytes, as: UTF8.self))
  }
}

extension Options {
  /// Writes a warning to standard error, for commands that have no reporter.
  var warn: @Sendable (String) -> Void {
    let tell = tell
    return { tell("warning: \($0)") }
  }

  /// Writes a sentence to standard error, for commands that have no reporter.
  var tell: @Sendable (String) -> Void {
    let (brokenNames, command) = (brokenNames, command)
    return {
      StandardStream.error.write("kfrec: \(brokenNames.message(command.completing($0)))\n")
    }
  }
}
