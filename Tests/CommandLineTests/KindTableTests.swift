import Capture
import Encode
import TestSupport
import Testing

@testable import kfrec
import Settings

/// Tests that docs/recording.md and the help list the kinds of sources and of outputs.
@Suite struct KindTableTests {
  private let sources = SourceKind.all.map { ($0.words, $0.summary) }
  private let outputs = OutputKind.all.map { ($0.words, $0.summary) }

  /// Returns the rows of the table in docs/recording.md whose header begins with `head`.
  private func table(_ head: String) throws -> [String] {
    let lines = String(decoding: try readFile("\(repositoryRoot)/docs/recording.md"), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let start = try #require(lines.firstIndex { $0.hasPrefix(head) })
    return Array(lines[(start + 2)...].prefix { $0.hasPrefix("|") })
  }

  @Test("docs/recording.md lists all kinds, in the order in which they are tested")
  func manual() throws {
    #expect(try table("| `-i` |") == sources.map { "| `\($0)` | \($1) |" })
    #expect(try table("| `-o` |") == outputs.map { "| `\($0)` | \($1) |" })
  }

  @Test("kfrec --help lists all kinds")
  func help() {
    let words = HelpText(command: .record, length: .long).text.split(whereSeparator: \.isWhitespace)
    let flat = words.joined(separator: " ")
    for (word, summary) in sources + outputs { #expect(flat.contains("\(word) \(summary)")) }
  }
}
