import Testing

@testable import Terminal
@testable import Window

@Suite struct TerminalKeysTests {
  private func inputs(_ pieces: String...) -> [TerminalInput] {
    var keys = TerminalKeys()
    return pieces.flatMap { keys.take(Array($0.utf8)[...]) }
  }

  @Test("letters and sequences are the keys of a window")
  func keys() {
    #expect(
      inputs(" qrseE\t[]\u{7f}\u{8}") == [
        .key(.pause, steps: 1), .key(.quit, steps: 1), .key(.record, steps: 1),
        .key(.still, steps: 1), .key(.nextEffect, steps: 1), .key(.previousEffect, steps: 1),
        .key(.nextParameter, steps: 1), .key(.slower, steps: 1), .key(.faster, steps: 1),
        .key(.reset, steps: 1), .key(.reset, steps: 1),
      ])
    #expect(
      inputs("\u{1b}[A\u{1b}OB\u{1b}[C\u{1b}[1;2D\u{1b}[Z") == [
        .key(.previousParameter, steps: 1), .key(.nextParameter, steps: 1), .key(.more, steps: 1),
        .key(.less, steps: 10), .key(.previousParameter, steps: 1),
      ])
  }

  @Test("a sequence may come in pieces, and Esc by itself does nothing")
  func pieces() {
    #expect(inputs("\u{1b}", "[", "1;2", "C") == [.key(.more, steps: 10)])
    #expect(inputs("\u{1b}", "q") == [.key(.quit, steps: 1)])
    #expect(inputs("\u{1b}\u{1b}[C") == [.key(.more, steps: 1)])
  }

  @Test("F1 to F5 of Linux's console are no keys, and neither are their last bytes")
  func consoleKeys() {
    #expect(inputs("\u{1b}[[A\u{1b}[[Cq") == [.key(.quit, steps: 1)])
    #expect(inputs("\u{1b}[", "[", "Eq") == [.key(.quit, steps: 1)])
  }

  @Test("when nothing follows Esc, the next key is a key")
  func loneEscape() {
    var keys = TerminalKeys()
    #expect(keys.take([0x1b]) == [])
    #expect(keys.hasLoneEscape)
    keys.endEscape()
    #expect(keys.take(Array("[".utf8)[...]) == [.key(.slower, steps: 1)])
    #expect(keys.take(Array("\u{1b}[".utf8)[...]) == [])
    #expect(!keys.hasLoneEscape)
    keys.endEscape()
    #expect(keys.take(Array("C".utf8)[...]) == [.key(.more, steps: 1)])
  }

  @Test("answers are no keys, and neither is what nobody knows")
  func answers() {
    #expect(
      inputs("\u{1b}[?62;4;22c\u{1b}[0n\u{1b}_Gi=31;OK\u{1b}\\") == [
        .attributes(hasSixels: true), .ready, .kittyImages,
      ])
    // The first number is the kind of terminal, here a VT with the number 4.
    #expect(inputs("\u{1b}[?4;6c") == [.attributes(hasSixels: false)])
    #expect(inputs("\u{1b}_Gi=31;ENOTSUPPORTED:q\u{1b}\\") == [])
    #expect(inputs("\u{1b}]11;rgb:q/q/q\u{7}", "\u{1b}Pq\u{1b}\\", "\u{1b}[200~xyz") == [])
    #expect(
      inputs("\u{1b}[" + String(repeating: "9", count: 1000), "q") == [.key(.quit, steps: 1)])
  }

  @Test("text for a terminal has no sequences of its own")
  func text() {
    #expect(TerminalText.harmless("a\u{1b}[2Jb\u{9b}c\nä") == "a?[2Jb?c?ä")
    #expect(TerminalText.cut("日本x", to: 4) == "日本")
  }
}
