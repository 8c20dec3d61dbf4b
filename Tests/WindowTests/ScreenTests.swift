import Glibc
import TestSupport
import Testing

/// The real program records a real X server.
@Suite struct ScreenTests {
  let folder: TemporaryFolder
  let display: VirtualDisplay

  init() throws {
    folder = try TemporaryFolder()
    display = try VirtualDisplay()
  }

  private func run(_ words: [String], _ changes: [String: String?] = [:]) throws -> ChildResult {
    try KfrecProcess.run(
      words, in: folder, environment: display.environment.merging(changes) { $1 })
  }

  private func start(_ words: [String]) throws -> ChildProcess {
    try KfrecProcess.start(
      words + ["--progress", "bar"], in: folder, environment: display.environment)
  }

  /// The picture of one frame as it is recorded.
  private func picture(_ words: [String], size: (Int, Int)) throws -> WindowPicture {
    let made = try run(["-y"] + words + ["-o", "one.png"])
    try #require(made.exitCode == 0, "\(made)")
    let bytes = try pixels("one.png")
    try #require(bytes.count == size.0 * size.1 * 3, "\(bytes.count)")
    return WindowPicture(width: size.0, height: size.1, bytes: bytes)
  }

  private func pixels(_ name: String) throws -> [UInt8] {
    try ChildProcess(
      "ffmpeg",
      ["-v", "error", "-i", folder.file(name), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    ).wait().output
  }

  /// Times and key facts of the frames of a file.
  private func probe(_ name: String, _ entries: String) throws -> [String] {
    try runTool(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v:0", "-show_entries", entries, "-of", "csv=p=0",
        folder.file(name),
      ]
    ).split(whereSeparator: \.isNewline).map(String.init)
  }

  @Test("the screen has the pixels that are shown, and a crop reads that part alone")
  func pixels() throws {
    try display.paint("#2040c0")
    let window = try display.open("red window", color: "0xd02010", at: [100, 50, 320, 200])
    let whole = try picture(["-i", "screen", "--cursor", "off"], size: (800, 600))
    #expect(whole.pixel(99, 150) == [0x20, 0x40, 0xc0])
    #expect(whole.pixel(99, 49) == [0x20, 0x40, 0xc0])
    #expect(whole.pixel(420, 250) == [0x20, 0x40, 0xc0])
    for (x, y) in [(100, 50), (419, 249), (200, 100)] {
      #expect(zip(whole.pixel(x, y), [0xd0, 0x20, 0x10]).allSatisfy { abs(Int($0) - $1) <= 3 })
    }
    for crop in ["90,40,351,197", "351x197+90+40"] {
      let part = try picture(
        ["-i", "screen:\(display.name)", "--cursor", "off", "--crop", crop], size: (351, 197))
      for y in 0..<197 {
        let row = y * 351 * 3..<(y + 1) * 351 * 3
        let from = ((40 + y) * 800 + 90) * 3
        try #require(part.bytes[row].elementsEqual(whole.bytes[from..<from + 351 * 3]), "row \(y)")
      }
    }
    let outside = try run(["-i", "screen", "--crop", "700,0,101,100", "-o", "x.mov"])
    #expect(outside.exitCode == 2 && outside.errors.contains("lies outside"), "\(outside)")
    let turned = try picture(
      ["-i", "screen", "--cursor", "off", "--crop", "90,40,351,197", "--rotate", "90"],
      size: (197, 351))
    // The left lower corner is the left upper one.
    #expect(turned.pixel(0, 0) == whole.pixel(90, 40 + 196))
    #expect(turned.pixel(196, 350) == whole.pixel(90 + 350, 40))
    window.send(SIGKILL)
  }

  @Test("the pointer is recorded where it is, or not")
  func pointer() throws {
    try display.paint("#808080")
    try display.movePointer(to: 400, 300)
    let without = try picture(["-i", "screen", "--cursor", "off"], size: (800, 600))
    #expect(without.bytes.allSatisfy { $0 == 0x80 })
    let with = try picture(["-i", "screen"], size: (800, 600))
    let changed = (0..<800 * 600).filter { with.bytes[$0 * 3] != 0x80 }
    #expect(!changed.isEmpty)
    #expect(changed.allSatisfy { abs($0 % 800 - 400) < 64 && abs($0 / 800 - 300) < 64 })
    // Half of it lies outside of the part.
    let part = try picture(["-i", "screen", "--crop", "400,300,100,100"], size: (100, 100))
    for y in 0..<100 {
      let from = ((300 + y) * 800 + 400) * 3
      try #require(
        part.bytes[y * 300..<(y + 1) * 300].elementsEqual(with.bytes[from..<from + 300]), "\(y)")
    }
  }

  @Test("a movie of an odd part has rising times, the wanted length and the effect")
  func movie() throws {
    try display.paint("#2040c0")
    let made = try run([
      "-i", "screen", "--cursor", "off", "--crop", "90,40,351,197", "--fps", "20", "-t", "1.5",
      "-e", "invert", "-o", "out.mov",
    ])
    #expect(made.exitCode == 0, "\(made)")
    let times = try probe("out.mov", "frame=best_effort_timestamp_time").compactMap {
      Double($0.prefix { $0 != "," })
    }
    #expect(times.first == 0 && times.count >= 2)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 } && (times.last ?? 9) < 1.5)
    let bytes = try pixels("out.mov")
    for (channel, value) in [0xdf, 0xbf, 0x3f].enumerated() {
      #expect(abs(Int(bytes[channel]) - value) <= 4)
    }
    #expect(try probe("out.mov", "stream=avg_frame_rate").count == 1)
  }

  @Test("a window is recorded alone, also behind others, and a larger one is fitted")
  func window() throws {
    try display.paint("#2040c0")
    let red = try display.open("Red one", color: "0xd02010", at: [100, 50, 320, 200])
    let green = try display.open("Green", color: "0x10c030", at: [150, 80, 400, 300])
    let shown = try picture(["-i", "window:red", "--cursor", "off"], size: (320, 200))
    for (x, y) in [(0, 0), (319, 199), (200, 150)] {
      #expect(
        zip(shown.pixel(x, y), [0xd0, 0x20, 0x10]).allSatisfy { abs(Int($0) - $1) <= 3 },
        "\(shown.pixel(x, y))")
    }
    // The server of a busy machine may need more than the usual five seconds.
    let child = try start(
      ["-i", "window:Red one", "--fps", "20", "--camera-timeout", "60", "-o", "out.mov"])
    #expect(child.waitForError(" fps"))
    try display.change("Red", ["windowsize", "400", "200"])
    try display.change("Red", ["windowunmap"])
    #expect(child.waitForError("is not shown"))
    try display.change("Red", ["windowmap"])
    #expect(child.waitForError("is shown again"))
    child.send(SIGINT)
    let end = child.wait()
    #expect(end.exitCode == 0, "\(end)")
    #expect(try probe("out.mov", "stream=width,height").first?.hasPrefix("320,200") == true)
    red.send(SIGKILL)
    green.send(SIGKILL)
  }

  @Test("a window that was hidden is live again once it is shown")
  func shownAgain() throws {
    let window = try display.open(
      "Turning", color: "red", filters: ",hue=H=t*2", at: [0, 0, 160, 90])
    let child = try start(
      [
        "-i", "window:turning", "--cursor", "off", "--fps", "10", "--camera-timeout", "60", "-o",
        "out.mov",
      ])
    #expect(child.waitForError(" fps"))
    try display.change("Turning", ["windowunmap"])
    #expect(child.waitForError("is not shown"))
    try display.change("Turning", ["windowmap"])
    #expect(child.waitForError("is shown again"))
    _ = child.waitForError("there is no such line", seconds: 3)
    child.send(SIGINT)
    let end = child.wait()
    #expect(end.exitCode == 0, "\(end)")
    let bytes = try pixels("out.mov")
    let count = bytes.count / (160 * 90 * 3)
    let last = (max(0, count - 15)..<count).map { bytes[$0 * 160 * 90 * 3] }
    #expect(Set(last).count > 1, "\(last)")
    window.send(SIGKILL)
  }

  @Test("a window that is closed ends the recording, and the file is kept")
  func closed() throws {
    let window = try display.open("Short life", color: "red", at: [0, 0, 200, 100])
    let child = try start(["-i", "window:short", "-o", "out.mov"])
    #expect(child.waitForError(" fps"))
    _ = child.waitForError("there is no such line", seconds: 0.5)
    window.send(SIGKILL)
    let end = child.wait()
    #expect(end.exitCode == 3, "\(end)")
    #expect(end.errors.contains("the window \"Short life\" was closed"), "\(end)")
    #expect(try probe("out.mov", "frame=best_effort_timestamp_time").count > 1)
  }

  @Test("a display that goes away ends the recording, and the file is kept")
  func gone() throws {
    let child = try start(["-i", "screen", "-o", "out.mov"])
    #expect(child.waitForError(" fps"))
    _ = child.waitForError("there is no such line", seconds: 0.5)
    display.takeAway()
    let end = child.wait()
    #expect(end.exitCode == 3 && end.errors.contains("is gone"), "\(end)")
    #expect(try probe("out.mov", "frame=best_effort_timestamp_time").count > 1)
  }

  @Test("titles that no window has, or several, are refused with a list")
  func titles() throws {
    let none = try run(["-i", "window:nothing", "-o", "x.mov"])
    #expect(none.exitCode == 2 && none.errors.contains("no window"), "\(none)")
    let first = try display.open("One thing", color: "red", at: [0, 0, 100, 100])
    let second = try display.open("Another thing", color: "lime", at: [200, 0, 100, 100])
    let wrong = try run(["-i", "window:nothing", "-o", "x.mov"])
    #expect(wrong.exitCode == 2, "\(wrong)")
    #expect(wrong.errors.contains("\"One thing\"") && wrong.errors.contains("\"Another thing\""))
    let several = try run(["-i", "window:THING", "-o", "x.mov"])
    #expect(several.exitCode == 2 && several.errors.contains("2 windows"), "\(several)")
    let words = several.errors.split { " ,\n".contains($0) }.filter { $0.hasPrefix("window:0x") }
    #expect(words.count == 2)
    var colors: Set<Bool> = []
    for word in words {
      let shown = try picture(["-i", String(word), "--cursor", "off"], size: (100, 100))
      colors.insert(shown.pixel(50, 50)[0] > 200)
    }
    #expect(colors == [true, false])
    let listed = try run(["devices"])
    #expect(listed.text.contains("-i screen"), "\(listed.text)")
    #expect(listed.text.contains("-i 'window:One thing'"), "\(listed.text)")
    #expect(!fileExists(folder.file("x.mov")))
    first.send(SIGKILL)
    second.send(SIGKILL)
  }

  @Test("without an X display the message says what to do")
  func refusals() throws {
    for (changes, words) in [
      (["DISPLAY": nil, "XDG_SESSION_TYPE": nil], "DISPLAY is not set"),
      (["DISPLAY": nil, "WAYLAND_DISPLAY": "wayland-0"], "Wayland session without an X display"),
      (["DISPLAY": ":4711"], "there is no X server of that name"),
      (["DISPLAY": "no words"], "cannot be opened"),
    ] as [([String: String?], String)] {
      for input in ["screen", "window:x"] {
        let end = try run(["-i", input, "-o", "x.mov"], changes)
        #expect(end.exitCode == 1 && end.errors.contains(words), "\(end)")
      }
      let listed = try run(["devices"], changes)
      #expect(listed.exitCode == 0, "\(listed)")
    }
    let warned = try run(
      ["-i", "screen", "--frames", "2", "-o", "x.mov"], ["WAYLAND_DISPLAY": "wayland-0"])
    #expect(warned.exitCode == 0 && warned.errors.contains("X11 programs alone"), "\(warned)")
  }

  @Test("a server that does not answer is given up, and Ctrl-C ends the wait before that")
  func silent() throws {
    let child = try start(["-i", "screen", "--camera-timeout", "5", "-o", "out.mov"])
    #expect(child.waitForError(" fps"))
    _ = child.waitForError("there is no such line", seconds: 0.5)
    display.send(SIGSTOP)
    let end = child.wait()
    #expect(end.exitCode == 3 && end.errors.contains("does not answer"), "\(end)")
    let refused = try run(["-i", "screen", "--camera-timeout", "0.5", "-o", "x.mov"])
    #expect(refused.exitCode == 1 && refused.errors.contains("does not answer"), "\(refused)")
    let waiting = try start(["-i", "screen", "--camera-timeout", "5000", "-o", "x.mov"])
    waiting.waitUntilItHearsSignals()
    _ = waiting.waitForError("there is no such line", seconds: 1)
    waiting.send(SIGINT)
    let stopped = waiting.wait()
    #expect(!stopped.timedOut && !fileExists(folder.file("x.mov")), "\(stopped)")
    display.send(SIGCONT)
  }
}
