import Testing

@testable import kfrec

@Suite struct HelpTextTests {
  @Test("no line of any help text is wider than 80 columns", arguments: Command.allCases)
  func width(_ command: Command) {
    for length in [HelpLength.short, .long] {
      for line in HelpText(command: command, length: length).text.split(separator: "\n") {
        #expect(line.count <= 80, "\(line)")
      }
    }
  }

  @Test("each help text names exactly the options of its command", arguments: Command.allCases)
  func completeness(_ command: Command) {
    for length in [HelpLength.short, .long] {
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

  @Test("the long help contains the short one and every option's details")
  func details() {
    let long = HelpText(command: .record, length: .long).text
    let flat = long.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for option in optionTable where option.commands.contains(.record) && !option.details.isEmpty {
      let details = option.details.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(flat.contains(details), "--\(option.long)")
    }
    for command in Command.allCases where command != .record {
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
