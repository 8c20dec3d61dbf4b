/// Escapes text for a terminal: control characters and marks of text direction, from a file name or a
/// driver's message, are shown instead of obeyed (line ends and tabs stay).
func visible(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\n", "\t": result.unicodeScalars.append(scalar)
    case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}": result += escaped(scalar.value)
    // Marks of text direction (UAX #9), and separators of lines and paragraphs.
    case "\u{61c}", "\u{200e}", "\u{200f}", "\u{2028}"..."\u{202e}", "\u{2066}"..."\u{2069}":
      result += "\\u{\(String(scalar.value, radix: 16))}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// A byte as `\xNN`.
func escaped(_ byte: UInt32) -> String {
  "\\x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
}

/// Typed names that contain line ends or tabs, which a terminal would obey in a message.
struct BrokenNames: Sendable {
  /// The longest first, because one may be a part of another.
  private let names: [[UInt8]]

  /// Splits the words into the parts of paths, effects and parameters, because a message may have only some.
  init(_ typed: [String]) {
    let parts = typed.flatMap { $0.utf8.split { "/:,=".utf8.contains($0) }.map(Array.init) }
    names = parts.filter { part in part.contains { BrokenNames.breaks.contains($0) } }
      .sorted { $0.count > $1.count }
  }

  private static let breaks = Array("\n\t".utf8)

  /// A message for a terminal, with the line ends and tabs of these names escaped.
  func visible(_ text: String) -> String {
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
    let (brokenNames, command) = (brokenNames, command)
    return {
      StandardStream.error.write("kfrec: warning: \(brokenNames.visible(command.completing($0)))\n")
    }
  }
}
