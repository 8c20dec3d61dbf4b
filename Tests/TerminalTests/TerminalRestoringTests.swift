import Glibc
import TestSupport
import Testing

/// How the terminal is left: at the end, by signals, and in the background.
extension TerminalViewTests {
  @Test(
    "Ctrl-C, twice too, and a signal leave the terminal as it was",
    arguments: ["\u{3}", "\u{3}\u{3}", nil])
  func signals(_ keys: String?) throws {
    let child = try start(
      ["-i", "testsrc", "--size", "320x160", "--realtime", "--preview=blocks", "-o", "out.mov"])
    let modes = child.modes
    #expect(child.waitForOutput { ScreenReader(child.text).cells[10][40] != ScreenReader.Cell() })
    #expect(child.modes != modes)
    if let keys { child.type(keys) } else { child.send(15) }
    let code = child.wait()
    #expect(code == 0 || keys?.count == 2 && code == 130, "\(code)")
    #expect(child.modes == modes)
    let screen = ScreenReader(child.text)
    #expect(!screen.isAlternate && screen.hasCursor)
  }

  @Test(
    "a second Ctrl-C restores a terminal, also one that does not read", arguments: [true, false])
  func abort(_ isReading: Bool) throws {
    // The output has a reader that does not read, so the recording does not end for five seconds. A terminal that is read must
    // be read in less; the other one must be full.
    let (columns, rows) = isReading ? (60, 20) : (300, 100)
    try #require(mkfifo(folder.file("full"), 0o600) == 0)
    let reader = open(folder.file("full"), O_RDWR | O_CLOEXEC)
    defer { close(reader) }
    let child = try start(
      [
        "-i", "testsrc", "--size", "640x360", "--preview=blocks", "-o", "full", "--container",
        "y4m",
      ], columns: columns, rows: rows)
    let modes = child.modes
    #expect(child.waitForOutput { child.text.contains("\u{1b}[?2026h") })
    child.send(SIGINT)
    if isReading {
      #expect(child.waitForOutput { child.text.contains("press Ctrl-C again") })
    }
    usleep(500_000)
    child.send(SIGINT)
    #expect(child.wait(isReading: isReading) == 130)
    #expect(child.modes == modes)
    let screen = ScreenReader(child.text, columns: columns, rows: rows)
    #expect(!screen.isAlternate && screen.hasCursor)
    let tail = child.text.components(behind: "\u{1b}[?1049l")
    #expect(tail.contains("press Ctrl-C again to abort") && !tail.contains("\u{1b}["), "\(tail)")
  }

  @Test("in the background the terminal is the shell's, and the picture is back in the foreground")
  func background() throws {
    let words = ["preview", "--preview=blocks", "-i", "testsrc", "--size", "320x160"]
    let script =
      "\"$0\" \"$@\"; echo stopped; bg > bg.txt; read line; echo \"the shell got $line\"; fg > fg.txt"
    let child = try start(["-m", "-c", script, KfrecProcess.path] + words, program: "bash")
    #expect(child.waitForOutput { ScreenReader(child.text).cells[10][40] != ScreenReader.Cell() })
    let children = try readFile("/proc/\(child.id)/task/\(child.id)/children")
    let id = try #require(
      Int32(String(decoding: children, as: UTF8.self).split(separator: " ").first ?? ""))
    kill(id, SIGSTOP)
    #expect(child.waitForOutput { child.text.contains("stopped") }, "\(child.text.suffix(500))")
    // Time for some pictures, if there were any.
    usleep(500_000)
    child.type("hello\n")
    let line = "the shell got hello"
    #expect(child.waitForOutput { child.text.contains(line) }, "\(child.text.suffix(500))")
    // A picture that was being written when the program stopped may end after that.
    let between = child.text.components(behind: "stopped").count("\u{1b}[?2026h")
    #expect(between <= 1)
    #expect(
      child.waitForOutput {
        let text = child.text.components(behind: line)
        return text.contains("\u{1b}[?1049h") && text.contains("\u{1b}[?2026h")
      }, "\(child.text.suffix(500))")
    child.type("q")
    #expect(child.wait() == 0, "\(child.text.suffix(500))")
    #expect(!ScreenReader(child.text).isAlternate)
  }

  @Test("an answer of the terminal that comes after the end is not typed into the shell")
  func lateAnswer() throws {
    let words = ["preview", "--preview=terminal", "-i", "testsrc", "--size", "320x160"]
    let script = "\"$0\" \"$@\"; read -r -s -t 1 -n 1 typed; echo \"typed ${#typed}.\""
    let child = try start(["-c", script, KfrecProcess.path] + words, program: "bash")
    #expect(child.waitForOutput { child.text.contains("\u{1b}[c") })
    child.type("q")
    // Long enough for an end that does not wait.
    usleep(200_000)
    child.type("\u{1b}[?62c")
    #expect(child.wait() == 0)
    #expect(child.text.contains("typed 0."), "\(child.text.suffix(300))")
  }

  @Test("a terminal that goes away ends the recording, which is whole")
  func hangUp() throws {
    let child = try start(
      ["-i", "testsrc", "--size", "320x160", "--realtime", "--preview=blocks", "-o", "out.mov"])
    #expect(child.waitForOutput { ScreenReader(child.text).cells[10][40] != ScreenReader.Cell() })
    child.hangUp()
    let code = child.wait()
    // The signal stops the recording; whether the view has failed before is a matter of chance.
    #expect([0, 3].contains(code), "\(code)")
    #expect(fileExists(folder.file("out.mov")))
  }

  @Test("a recording that fails leaves the terminal as it was, and says why")
  func failure() throws {
    try folder.write(Array("vec4 effect(vec2 uv) { return nothing; }\n".utf8), to: "wrong.comp")
    let child = try start(
      ["preview", "--preview=blocks", "-i", "testsrc", "-e", folder.file("wrong.comp")])
    let modes = child.modes
    #expect(child.wait() == 1)
    #expect(child.modes == modes)
    #expect(child.text.contains("nothing"))
    #expect(!ScreenReader(child.text).isAlternate)
  }
}

extension String {
  /// What follows the last place of a text.
  func components(behind mark: String) -> String {
    var rest = utf8[...]
    var found = ""
    while let place = rest.firstRange(of: mark) {
      rest = rest[place.upperBound...]
      found = String(decoding: rest, as: UTF8.self)
    }
    return found
  }

  func count(_ mark: String) -> Int {
    var (rest, count) = (utf8[...], 0)
    while let place = rest.firstRange(of: mark) {
      (rest, count) = (rest[place.upperBound...], count + 1)
    }
    return count
  }
}

extension Substring.UTF8View {
  fileprivate func firstRange(of mark: String) -> Range<Index>? {
    let wanted = Array(mark.utf8)
    var place = startIndex
    while place != endIndex {
      if self[place...].prefix(wanted.count).elementsEqual(wanted) {
        return place..<index(place, offsetBy: wanted.count)
      }
      formIndex(after: &place)
    }
    return nil
  }
}
