import Testing

@testable import kfrec
import Settings

@Suite struct HelpTextTests {
  @Test(
    "the short help of every command fits on a terminal of 24 rows and 80 columns",
    arguments: Command.allCases)
  func screen(_ command: Command) {
    let text = HelpText(command: command, length: .short).text
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count - 1 <= HelpText.rows, "\(lines.count)")
    #expect(text.contains("--help"))
    let own = Set(optionTable.filter { $0.commands.contains(command) }.map(\.long))
    #expect(Set(command.commonOptions).isSubset(of: own))
    let options = lines.filter { $0.contains("  --") || $0.contains(", --") }
    #expect(options.count >= min(6, own.count - 1))
  }

  @Test("the short help begins with the six options that most people need")
  func common() {
    let text = HelpText(command: .record, length: .short).text
    let places = ["--input", "--effect", "--output", "--start", "--duration", "--size"]
      .map { text.firstRange(of: $0 + " ")?.lowerBound }
    #expect(!places.contains(nil))
    #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
    #expect(text.contains("kfrec --help has all"))
  }

  @Test("no line of any help text is wider than 80 columns", arguments: Command.allCases)
  func width(_ command: Command) {
    for length in [HelpLength.short, .long] {
      for line in HelpText(command: command, length: length).text.split(separator: "\n") {
        #expect(line.count <= 80, "\(line)")
      }
    }
  }

  @Test("the long help names exactly the options of its command", arguments: Command.allCases)
  func completeness(_ command: Command) {
    for length in [HelpLength.long] {
      let lines = HelpText(command: command, length: length).text.split(separator: "\n")
      let own = Set(optionTable.filter { $0.commands.contains(command) }.map(\.long))
      for option in optionTable
      where option.commands.contains(command) || !own.contains(option.long) {
        let isMentioned = lines.contains { line in
          line.hasPrefix("  ") && line.contains("--\(option.long) ")
            || line.hasSuffix("--\(option.long)") || line.contains("--\(option.long)[=")
        }
        if option.commands.contains(command) {
          #expect(isMentioned, "--\(option.long) is missing")
        } else {
          #expect(!lines.contains { $0.hasPrefix("      --\(option.long) ") })
        }
      }
    }
  }

  @Test("the long help contains every command and every option's details")
  func details() {
    let long = HelpText(command: .record, length: .long).text
    let flat = long.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for option in optionTable where option.commands.contains(.record) && !option.details.isEmpty {
      let details = option.details.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(flat.contains(details), "--\(option.long)")
    }
    for command in Command.shown where command != .record {
      #expect(flat.contains(command.summary))
    }
    for code in ExitCode.allCases { #expect(flat.contains("\(code.rawValue) \(code.meaning)")) }
  }

  @Test("the examples in the help are accepted by kfrec")
  func examples() {
    for command in Command.allCases {
      for example in command.examples {
        let typed = example.words.split(separator: " ").dropFirst().map(String.init)
        #expect(throws: Never.self) { try ArgumentParser.parse(typed) }
      }
    }
  }

  @Test("text is wrapped at spaces, and a word longer than the line stays whole")
  func wrapping() {
    #expect(wrap("aa bb cc", width: 5) == ["aa bb", "cc"])
    #expect(wrap("a verylongword b", width: 4) == ["a", "verylongword", "b"])
    #expect(wrap("", width: 4) == [""])
  }
}
