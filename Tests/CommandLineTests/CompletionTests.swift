import FoundationEssentials
import TestSupport
import Testing

@testable import kfrec
import Settings

@Suite struct CompletionTests {
  private func texts(_ words: String...) -> [String] {
    Completion(words: words).offers.map { offer in
      switch offer {
      case .word(let text, _), .part(let text, _): text
      case .files: "(files)"
      case .folders: "(folders)"
      }
    }
  }

  @Test("the first word is a command or an option, and the command decides what follows")
  func commands() {
    let first = texts("")
    for command in Command.shown where command != .record {
      #expect(first.contains(command.rawValue))
    }
    #expect(!first.contains("complete"))
    #expect(texts("completions", "") == ["bash", "zsh", "fish"])
    #expect(texts("help", "").contains("batch"))
    #expect(texts("batch", "") == ["(files)"])
    #expect(!texts("effects", "--").contains("--crf"))
    #expect(texts("-i", "a", "").contains("--output"))
  }

  @Test(
    "every option of a command is offered, and one that counts once only once",
    arguments: Command.shown)
  func options(_ command: Command) {
    let lead = command == .record ? [] : [command.rawValue]
    let offered = Completion(words: lead + ["--"]).offers
    for option in optionTable where option.commands.contains(command) {
      #expect(offered.contains(.word("--" + option.long, note: option.help)), "--\(option.long)")
    }
    #expect(offered.count >= optionTable.count { $0.commands.contains(command) })
    #expect(!texts("--crf", "20", "--").contains("--crf"))
    #expect(texts("-e", "vhs", "--").contains("--effect"))
  }

  @Test("every option with choices offers them, as the next word or behind an equals sign")
  func choices() {
    for option in optionTable where !option.choices.isEmpty {
      let lead = option.commands[0] == .record ? [] : [option.commands[0].rawValue]
      let behind = Completion(words: lead + ["--\(option.long)="]).offers
      #expect(
        behind == option.choices.map { .word("--\(option.long)=\($0)") }, "--\(option.long)")
      guard option.valueIfAlone == nil else { continue }
      let next = Completion(words: lead + ["--" + option.long, ""]).offers
      #expect(next == option.choices.map { .word($0) }, "--\(option.long)")
    }
    #expect(texts("--rotate", "") == ["90", "180", "270"])
    #expect(texts("-y", "--flip=") == ["--flip=h", "--flip=v"])
  }

  @Test("files, folders, encoders, presets, colours and sources come where they belong")
  func kinds() {
    #expect(texts("--framehash", "") == ["(files)"])
    #expect(texts("--effects-dir", "") == ["(folders)"])
    #expect(texts("--codec", "").contains("libx264"))
    #expect(texts("--preset", "").contains("veryfast"))
    #expect(texts("--pad-color", "").contains("gray"))
    #expect(Set(["testsrc", "blank", "color:", "(files)"]).isSubset(of: texts("-i", "")))
    #expect(texts("-o", "").contains("null"))
    #expect(texts("--crf", "") == [])
    #expect(texts("--", "--") == [])
  }

  @Test("effects, their parameters, and the values of menus and switches are offered behind -e")
  func effects() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("sub"), withIntermediateDirectories: false)
    try folder.write(
      Array(
        """
        /*{"DESCRIPTION": "Odd.", "INPUTS": [
          {"NAME": "amount", "TYPE": "float", "DESCRIPTION": "How odd"},
          {"NAME": "mode", "TYPE": "long", "VALUES": [0, 1], "LABELS": ["Soft light", "a,b"]},
          {"NAME": "on", "TYPE": "bool"}, {"NAME": "flash", "TYPE": "event"},
          {"NAME": "tint", "TYPE": "color"}, {"NAME": "back", "TYPE": "image"}
        ]}*/
        vec4 effect(vec2 uv) { return framePixel(); }
        """.utf8), to: "odd one.comp")
    try folder.write([], to: "a:b.png")
    try folder.write([], to: "sub/c.png")
    func offers(_ words: String) -> [Completion.Offer] {
      Completion(words: ["--effects-dir", folder.path, "-e", words]).offers
    }
    #expect(offers("od").contains(.word("odd one", note: "Odd.")))
    #expect(offers("odd one").contains(.part("odd one:", note: "with parameters")))
    #expect(
      offers("odd one:").first
        == .part("odd one:amount=", note: "0 to 1, default 0.5: How odd"))
    let names = offers("odd one:amount=0.5, mode=a\\,b,").compactMap { offer -> String? in
      if case .part(let text, _) = offer { text } else { nil }
    }
    let lead = "odd one:amount=0.5, mode=a\\,b,"
    #expect(
      names == ["on=", "flash@", "tint=", "back=", "mix=", "from=", "to="].map { lead + $0 })
    #expect(
      offers("odd one:mode=") == [
        .word("odd one:mode=Soft light"), .word("odd one:mode=a\\,b"),
      ])
    #expect(offers("odd one:on=") == [.word("odd one:on=true"), .word("odd one:on=false")])
    #expect(offers("odd one:tint=").contains(.word("odd one:tint=red")))
    let place = "odd one:back=\(folder.path)/"
    #expect(
      offers(place) == [
        .word(place + "a\\:b.png"), .word(place + "odd one.comp"), .part(place + "sub/"),
      ])
    #expect(offers("nothing:") == [])
  }

  @Test("a name that does not fit on a line is left out, and notes are short")
  func lines() {
    let text = Completion(words: ["--"]).text
    #expect(
      text.split(separator: "\n").allSatisfy {
        $0.split(separator: "\t", omittingEmptySubsequences: false).count == 3
      })
    #expect(text.split(separator: "\n").allSatisfy { $0.count < 130 })
  }
}
