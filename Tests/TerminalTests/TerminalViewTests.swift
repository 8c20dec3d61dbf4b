import Glibc
import TestSupport
import Testing

/// The real program in a terminal that the test is itself.
@Suite struct TerminalViewTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static let clearly = ["TERM": "xterm-256color", "COLORTERM": "truecolor"]

  func start(
    _ words: [String], program: String = KfrecProcess.path,
    environment: [String: String?] = clearly, columns: Int = 80, rows: Int = 24,
    cell: (width: Int, height: Int)? = nil
  ) throws -> TerminalProcess {
    // What other terminals would set for their children.
    var clean: [String: String?] = [:]
    for name in ["VTE_VERSION", "TERM_PROGRAM", "KITTY_PID", "COLORTERM"] {
      clean[name] = .some(nil)
    }
    return try TerminalProcess(
      program, words, folder: folder.path,
      environment: KfrecProcess.usualEnvironment.merging(clean) { $1 }
        .merging(environment) { $1 }, columns: columns, rows: rows, cell: cell)
  }

  private func isNear(_ color: [Int]?, _ expected: [Int]) -> Bool {
    guard let color, color.count == 3 else { return false }
    return zip(color, expected).allSatisfy { abs($0 - $1) <= 4 }
  }

  @Test("a terminal shows the picture as coloured blocks, and is what it was when q is pressed")
  func blocks() throws {
    try folder.write(
      Array(
        "vec4 effect(vec2 uv) { return vec4(uv.x < 0.5 ? vec3(1, 0, 0) : vec3(0, 0.5, 1), 1.0); }\n"
          .utf8), to: "halves.comp")
    let child = try start(
      [
        "preview", "--preview=blocks", "-i", "testsrc", "--size", "320x160", "-e",
        folder.file("halves.comp"),
      ])
    let modes = child.modes
    var screen = ScreenReader("")
    #expect(
      child.waitForOutput {
        screen = ScreenReader(child.text)
        return screen.line(23).contains("fps")
          || screen.line(23).contains("h: help")
            && isNear(screen.cells[10][60].color, [0, 128, 255])
      }, "\(screen.lines)")
    #expect(screen.isAlternate && !screen.hasCursor)
    #expect(child.modes != modes)
    // 23 rows of 16 pixels are 736 by 368: 80 by 20 cells, so 1 row stays free above and below.
    for (row, column, color) in [
      (2, 1, [255, 0, 0]), (20, 38, [255, 0, 0]), (2, 42, [0, 128, 255]), (20, 78, [0, 128, 255]),
      (0, 40, [0, 0, 0]), (22, 40, [0, 0, 0]),
    ] {
      #expect(isNear(screen.cells[row][column].color, color), "\(row) \(column)")
    }
    child.type("q")
    #expect(child.wait() == 0, "\(child.text)")
    let end = ScreenReader(child.text)
    #expect(!end.isAlternate && end.hasCursor)
    #expect(child.modes == modes)
    // The summary comes after the picture has gone.
    let tail = child.text.components(behind: "\u{1b}[?1049l")
    #expect(tail.contains("kfrec: the terminal: "), "\(tail)")
  }

  @Test("keys choose and change a parameter, pause, show the help and save what is shown")
  func keys() throws {
    let text = """
      /*{"INPUTS": [
        {"NAME": "inputImage", "TYPE": "image"},
        {"NAME": "red", "TYPE": "float", "DEFAULT": 0.0, "MIN": 0.0, "MAX": 1.0},
        {"NAME": "blue", "TYPE": "float", "DEFAULT": 0.0, "MIN": 0.0, "MAX": 1.0}
      ]}*/
      void main() { gl_FragColor = vec4(red, 0.5, blue, 1.0); }

      """
    try folder.write(Array(text.utf8), to: "two.fs")
    let child = try start(
      [
        "preview", "--preview=blocks", "-i", "testsrc", "--size", "320x160", "-e",
        folder.file("two.fs"),
      ])
    #expect(
      child.waitForOutput { isNear(ScreenReader(child.text).cells[10][40].color, [0, 128, 0]) })
    // Tab, down, and the arrow to the right twice with shift: 20 of 100 steps.
    child.type("\t\u{1b}[B\u{1b}[1;2C\u{1b}[1;2C")
    #expect(
      child.waitForOutput {
        let screen = ScreenReader(child.text)
        return isNear(screen.cells[8][40].color, [0, 128, 51])
          && screen.lines.contains { $0.hasPrefix("> 1 two blue") && $0.contains("0.2") }
      }, "\(ScreenReader(child.text).lines)")
    child.type("p h")
    #expect(
      child.waitForOutput {
        let lines = ScreenReader(child.text).lines
        return lines.contains("paused") && lines.contains { $0.contains("pause, go on") }
          && !lines.contains { $0.contains("full screen") }
      }, "\(ScreenReader(child.text).lines)")
    child.type("h s")
    #expect(child.waitForOutput { child.text.contains("saved kfrec-0001.png") })
    child.type("q")
    #expect(child.wait() == 0)
    #expect(folder.names.contains("kfrec-0001.png"))
    // What the picture covered is printed again below it.
    #expect(
      child.text.components(behind: "\u{1b}[?1049l").contains("kfrec: saved kfrec-0001.png"))
  }

  @Test("a MIDI knob is learned for the chosen parameter, shown beside it and kept")
  func midi() throws {
    try #require(mkfifo(folder.file("cable"), 0o600) == 0)
    let cable = open(folder.file("cable"), O_RDWR | O_CLOEXEC)
    defer { close(cable) }
    try folder.write(
      Array(
        """
        /*{"INPUTS": [{"NAME": "red", "TYPE": "float", "DEFAULT": 0.0, "MIN": 0.0, "MAX": 1.0}]}*/
        vec4 effect(vec2 uv) { return vec4(red, 0.5, 0.0, 1.0); }

        """.utf8), to: "red.comp")
    let child = try start(
      [
        "preview", "--preview=blocks", "-i", "testsrc", "--size", "320x160", "-e",
        folder.file("red.comp"), "--midi=./cable",
      ], environment: Self.clearly.merging(["XDG_CONFIG_HOME": folder.path]) { $1 })
    #expect(
      child.waitForOutput { isNear(ScreenReader(child.text).cells[10][40].color, [0, 128, 0]) })
    child.type("\tm")
    #expect(
      child.waitForOutput {
        ScreenReader(child.text).lines.contains { $0.contains("[move a knob]") }
      }, "\(ScreenReader(child.text).lines)")
    let bytes: [UInt8] = [0xb0, 21, 64]
    #expect(write(cable, bytes, bytes.count) == bytes.count)
    #expect(
      child.waitForOutput {
        let screen = ScreenReader(child.text)
        return isNear(screen.cells[8][40].color, [129, 128, 0])
          && screen.lines.contains { $0.hasPrefix("> 1 red red") && $0.hasSuffix("[cc 1/21]") }
      }, "\(ScreenReader(child.text).lines)")
    child.type("q")
    #expect(child.wait() == 0, "\(child.text.suffix(500))")
    #expect(
      try String(decoding: readFile(folder.file("kfrec/midi.map")), as: UTF8.self)
        == "cc 1/21 -> effect 1 red\n")
  }

  @Test("a terminal that does not read costs the recording nothing")
  func stuck() throws {
    let child = try start(
      [
        "-i", "testsrc", "--size", "640x360", "--frames", "60", "--preview=blocks", "-o",
        "out.mov",
      ], columns: 300, rows: 100)
    let modes = child.modes
    #expect(child.wait(isReading: false) == 0, "\(child.text.suffix(500))")
    #expect(child.text.contains("60 frames in, 60 out, 0 dropped"), "\(child.text.suffix(500))")
    #expect(child.modes == modes)
    #expect(fileExists(folder.file("out.mov")))
  }

  @Test("a terminal of another size gets a picture of another size")
  func resize() throws {
    let child = try start(
      ["preview", "--preview=blocks", "-i", "color:00ff00", "--size", "320x160"])
    #expect(
      child.waitForOutput { isNear(ScreenReader(child.text).cells[10][79].color, [0, 255, 0]) })
    let before = child.output.count
    child.resize(columns: 40, rows: 12)
    #expect(
      child.waitForOutput {
        let screen = ScreenReader(
          String(decoding: child.output[before...], as: UTF8.self), columns: 200, rows: 50)
        return isNear(screen.cells[5][39].color, [0, 255, 0])
          && screen.cells[5][40] == ScreenReader.Cell() && screen.line(11) != ""
      })
    child.type("q")
    #expect(child.wait() == 0)
  }

  @Test("a terminal that can draw pixels gets them", arguments: ["sixel", "kitty", "iterm2"])
  func pixels(_ style: String) throws {
    let child = try start(
      ["preview", "--preview=\(style)", "-i", "color:ff0000", "--size", "320x160"],
      cell: (10, 20))
    let expected =
      switch style {
      // 800 by 400 pixels, before chafa 1.18 in whole rows of sixels; the first colour is red, in percent.
      case "sixel": ["\"1;1;800;396#0;2;98;0;0", "\"1;1;800;400#0;2;98;0;0"]
      // Never more pixels than the frame has, in 80 by 20 cells.
      case "kitty": ["a=T,i=2,q=2,C=1,f=32,s=320,v=160,c=80,r=20,m=1"]
      default: ["]1337;File=inline=1;width=80;height=20"]
      }
    #expect(
      child.waitForOutput { expected.contains { child.text.contains($0) } },
      "\(child.text.prefix(400))")
    child.type("q")
    #expect(child.wait() == 0)
    #expect(child.text.contains("\u{1b}[?1049l"))
  }

  @Test(
    "a terminal is asked what it can, and gets a frame only when it has shown the one before",
    arguments: [
      ("\u{1b}[?62;4;22c", "\u{1b}P"), ("\u{1b}_Gi=31;OK\u{1b}\\\u{1b}[?62c", "\u{1b}_Ga=T"),
      ("\u{1b}[?62;22c", "\u{1b}[38;2;"),
    ])
  func answers(_ answer: String, _ image: String) throws {
    let child = try start(
      [
        "-i", "testsrc", "--size", "160x80", "--realtime", "-t", "2", "--preview=terminal", "-o",
        "out.mov",
      ])
    #expect(child.waitForOutput { child.text.contains("\u{1b}[c") })
    child.type(answer)
    #expect(child.waitForOutput { child.text.contains("\u{1b}[5n") })
    child.type("\u{1b}[0n")
    // After the second picture nothing more comes, because the terminal does not answer.
    #expect(child.wait() == 0)
    #expect(child.text.contains(image))
    #expect(child.text.count("\u{1b}[5n") == 2)
  }

  @Test("without a terminal nothing begins, and a sentence says why")
  func noTerminal() throws {
    let words = ["-i", "testsrc", "-t", "1", "-o", "out.mov"]
    // In a session without a terminal, also if the tests run in one.
    let end = try ChildProcess(
      "setsid", ["-w", KfrecProcess.path] + words + ["--preview=terminal"], folder: folder.path,
      environment: KfrecProcess.usualEnvironment.merging(["TERM": "xterm"]) { $1 }
    ).wait()
    #expect(end.exitCode == 1, "\(end)")
    #expect(end.errors.contains("there is no terminal to show pictures in"), "\(end)")
    let child = try start(words + ["--preview=terminal"], environment: ["TERM": "dumb"])
    #expect(child.wait() == 1)
    #expect(child.text.contains("TERM is not set or is dumb"))
    let reading = try start(
      words + ["-e", "vignette", "--preview=terminal", "--control", "-"])
    #expect(reading.wait() == 2)
    #expect(reading.text.contains("both read the terminal"))
    #expect(folder.names == [])
  }
}
