import Frames
import Glibc
import TestSupport
import Testing

/// The real program with a real X server and the driver of this machine; keys are pressed, and the screen
/// is read.
@Suite struct PreviewTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func start(_ words: [String], on display: VirtualDisplay) throws -> ChildProcess {
    try KfrecProcess.start(
      words, in: folder, environment: display.environment, input: .nothing)
  }

  /// The frame that a file gets, as R, G and B.
  private func recorded(_ words: [String]) throws -> [UInt8] {
    let made = try KfrecProcess.run(
      words + ["-y", "--codec", "ffv1", "--pixel-format", "yuv420p", "-o", "one.mkv"], in: folder)
    try #require(made.exitCode == 0, "\(made)")
    let read = try KfrecProcess.run(
      ["-y", "-i", "one.mkv", "--frames", "1", "-o", "one.png"], in: folder)
    try #require(read.exitCode == 0, "\(read)")
    return try pixels(of: "one.png")
  }

  private func pixels(of name: String) throws -> [UInt8] {
    try ChildProcess(
      "ffmpeg",
      ["-v", "error", "-i", folder.file(name), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    ).wait().output
  }

  private func makeImage(_ size: String) throws {
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(size)", "-frames:v", "1",
        folder.file("in.png"),
      ])
  }

  @Test("a window shows the pixels that a file gets")
  func pixels() throws {
    try makeImage("320x180")
    let words = ["-i", "in.png", "-t", "60", "-e", "vignette"]
    let expected = try recorded(["-i", "in.png", "-t", "0.1", "-e", "vignette"])
    let display = try VirtualDisplay()
    let child = try start(["preview"] + words, on: display)
    let shown = try display.waitForPicture(child) { !$0.isBlack }
    #expect((shown.width, shown.height) == (320, 180))
    #expect(shown.difference(from: expected) <= 1)
    try display.press("q")
    let end = child.wait()
    #expect(end.exitCode == 0, "\(end)")
  }

  @Test("a window of another shape has bars, and keys fill it and show the help")
  func shapes() throws {
    try makeImage("320x180")
    let display = try VirtualDisplay()
    let child = try start(["preview", "-i", "in.png", "-t", "60"], on: display)
    _ = try display.waitForPicture(child) { !$0.isBlack }
    try display.resizeWindow(320, 320)
    // 70 rows of bars above and below 180 rows of picture.
    let fitted = try display.waitForPicture(child) { picture in
      picture.height == 320 && !picture.isBlack && picture.pixel(160, 10) == [0, 0, 0]
    }
    #expect(fitted.pixel(160, 310) == [0, 0, 0])
    try display.press("v")
    let filled = try display.waitForPicture(child) { $0.pixel(160, 10) != [0, 0, 0] }
    #expect(filled.pixel(160, 310) != [0, 0, 0])
    try display.press("h")
    // The corner of the help is the picture behind three quarters of black.
    let helped = try display.waitForPicture(child) { $0.pixel(18, 18) != filled.pixel(18, 18) }
    let before = filled.pixel(18, 18)
    for (part, value) in helped.pixel(18, 18).enumerated() {
      #expect(abs(Int(value) - Int(before[part]) / 4) <= 2)
    }
    try display.press("Escape")
    #expect(child.wait().exitCode == 0)
  }

  private func write(_ color: String) throws {
    try folder.write(
      Array("vec4 effect(vec2 uv) { return vec4(\(color), 1.0); }\n".utf8), to: "plain.comp")
  }

  @Test("before and after stand side by side, and a still is what a file gets")
  func comparison() throws {
    try makeImage("320x180")
    try write("0.0, 1.0, 0.0")
    let words = ["-i", "in.png", "-e", folder.file("plain.comp")]
    let expected = try recorded(words + ["-t", "0.1"])
    let before = try recorded(["-i", "in.png", "-t", "0.1"])
    let display = try VirtualDisplay()
    let child = try start(["preview", "-t", "60"] + words, on: display)
    let after = try display.waitForPicture(child) { $0.difference(from: expected) <= 1 }
    try display.press("c")
    let both = try display.waitForPicture(child) { $0.pixel(10, 90) != after.pixel(10, 90) }
    #expect(both.pixel(310, 90) == after.pixel(310, 90))
    for (part, value) in both.pixel(10, 90).enumerated() {
      #expect(abs(Int(value) - Int(before[(90 * 320 + 10) * 3 + part])) <= 1)
    }
    #expect(both.pixel(160, 90) == [255, 255, 255])
    try display.press("s")
    #expect(child.waitForError("saved kfrec-0001.png"))
    #expect(try pixels(of: "kfrec-0001.png") == expected)
    try display.press("q")
    #expect(child.wait().exitCode == 0)
  }

  @Test("the error of an effect that is edited lies over the last good picture until it is mended")
  func reload() throws {
    try makeImage("320x180")
    try write("0.0, 1.0, 0.0")
    let display = try VirtualDisplay()
    let child = try start(
      ["preview", "-t", "60", "-i", "in.png", "-e", folder.file("plain.comp"), "--reload"],
      on: display)
    let good = try display.waitForPicture(child) { !$0.isBlack }
    try write("0.0, 1.0, zero")
    let wrong = try display.waitForPicture(child) { $0.pixel(20, 20) != good.pixel(20, 20) }
    #expect(wrong.pixel(300, 170) == good.pixel(300, 170))
    try write("0.0, 0.0, 1.0")
    let mended = try display.waitForPicture(child) { picture in
      picture.pixel(20, 20)[2] > 240 && picture.pixel(300, 170)[2] > 240
    }
    #expect(mended.pixel(20, 20) == mended.pixel(300, 170))
    try display.press("q")
    #expect(child.wait().exitCode == 0)
  }

  @Test("keys choose a parameter and change it, and the changes are kept for a replay")
  func parameters() throws {
    try makeImage("320x180")
    let text = """
      /*{"INPUTS": [
        {"NAME": "inputImage", "TYPE": "image"},
        {"NAME": "red", "TYPE": "float", "DEFAULT": 0.0, "MIN": 0.0, "MAX": 1.0},
        {"NAME": "blue", "TYPE": "float", "DEFAULT": 0.0, "MIN": 0.0, "MAX": 1.0}
      ]}*/
      void main() { gl_FragColor = vec4(red, 0.5, blue, 1.0); }

      """
    try folder.write(Array(text.utf8), to: "two.fs")
    let display = try VirtualDisplay()
    let child = try start(
      [
        "preview", "-t", "60", "-i", "in.png", "-e", folder.file("two.fs"), "--automation",
        "moves.jsonl",
      ], on: display)
    _ = try display.waitForPicture(child) { !$0.isBlack }
    try display.press("Tab")
    try display.press("Tab")
    try display.press("shift+Right")
    try display.press("shift+Right")
    // 20 of 100 steps, which is 51 of 255; the list lies over the other corner.
    let blue = try display.waitForPicture(child) { abs(Int($0.pixel(310, 170)[2]) - 51) <= 3 }
    #expect(blue.pixel(310, 170)[0] <= 3)
    #expect(blue.pixel(18, 18) != blue.pixel(310, 170))
    try display.press("BackSpace")
    try display.press("Up")
    try display.press("Right")
    _ = try display.waitForPicture(child) { $0.pixel(310, 170)[2] <= 3 }
    try display.press("q")
    let end = child.wait()
    #expect(end.exitCode == 0, "\(end)")
    let lines = String(decoding: try readFile(folder.file("moves.jsonl")), as: UTF8.self)
      .split(separator: "\n")
    #expect(lines.count >= 3)
    #expect(lines.contains { $0.contains("\"blue\"") && $0.contains("0.2") }, "\(lines)")
    #expect(lines.contains { $0.contains("\"red\"") && $0.contains("0.01") }, "\(lines)")
  }

  @Test("a key puts other effects at the end of the chain, with their own parameters")
  func otherEffects() throws {
    try makeImage("320x180")
    try write("0.0, 1.0, 0.0")
    // The first effects of the list, in its order.
    let names = try KfrecProcess.run(["effects", "--json"], in: folder).text
    #expect(names.contains("\"name\":\"anamorphic\"") && names.contains("\"name\":\"ascii\""))
    let display = try VirtualDisplay()
    let child = try start(
      ["preview", "-t", "60", "-i", "in.png", "-e", folder.file("plain.comp")], on: display)
    let green = try display.waitForPicture(child) { $0.pixel(310, 170)[1] > 200 }
    try display.press("e")
    #expect(child.waitForError("reloaded anamorphic"))
    try display.press("e")
    #expect(child.waitForError("reloaded ascii"))
    let other = try display.waitForPicture(child) { picture in
      picture.difference(from: green.bytes) > 100 && picture.pixel(18, 18) != [0, 63, 0]
    }
    #expect(!other.isBlack)
    try display.press("Tab")
    _ = try display.waitForPicture(child) { $0.difference(from: other.bytes) > 30 }
    try display.press("q")
    #expect(child.wait().exitCode == 0)
  }

  @Test("the window and the page of --control work on the same chain and the same movie")
  func page() throws {
    try makeImage("320x180")
    try write("0.0, 1.0, 0.0")
    let display = try VirtualDisplay()
    let port = try HTTPClient.freePort()
    let child = try start(
      [
        "preview", "-t", "120", "-i", "in.png", "-e", folder.file("plain.comp"), "--control",
        "\(port)",
      ], on: display)
    func post(_ json: String) throws -> Int {
      try HTTPClient.request(
        "POST", "/page/change", port: port, headers: ["Content-Type: application/json"],
        body: Array(json.utf8)
      ).status
    }
    func waitForState(_ condition: (String) -> Bool) throws {
      let isExpected = try waitUntil(child, every: 0.1) {
        condition(try HTTPClient.request("GET", "/page/state", port: port).text)
      }
      #expect(isExpected)
    }
    _ = try display.waitForPicture(child) { $0.pixel(310, 170)[1] > 200 }
    #expect(child.waitForError("the page is at"))
    #expect(try post(#"{"do":"add","name":"invert"}"#) == 200)
    _ = try display.waitForPicture(child) { picture in
      picture.pixel(310, 170)[1] < 50 && picture.pixel(310, 170)[0] > 200
    }
    // The key replaces the effect that the page has added, and keeps the first one.
    try display.press("e")
    try waitForState { !$0.contains("\"invert\"") && $0.contains("\"plain\"") }
    try display.press("r")
    try waitForState { $0.contains("kfrec-0001.mov") }
    #expect(try post(#"{"do":"record","on":false}"#) == 200)
    #expect(child.waitForError("saved kfrec-0001.mov"))
    try display.press("q")
    #expect(child.wait().exitCode == 0)
  }

  @Test("a key records what is shown into movies that begin at zero, also one that runs at the end")
  func movies() throws {
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=60", "-f", "lavfi", "-i",
        "sine=d=60", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-shortest",
        folder.file("in.mp4"),
      ])
    let display = try VirtualDisplay()
    let child = try start(["preview", "-i", "in.mp4", "-e", "vignette"], on: display)
    let plain = try display.waitForPicture(child) { !$0.isBlack }
    try display.press("r")
    _ = try display.waitForPicture(child) { $0.pixel(20, 20) != plain.pixel(20, 20) }
    _ = child.waitForError("there is no such line", seconds: 1)
    try display.press("r")
    #expect(child.waitForError("saved kfrec-0001.mov"))
    try display.press("r")
    _ = child.waitForError("there is no such line", seconds: 1)
    try display.press("q")
    let end = child.wait()
    #expect(end.exitCode == 0, "\(end)")
    #expect(end.errors.contains("saved kfrec-0002.mov"), "\(end)")
    for name in ["kfrec-0001.mov", "kfrec-0002.mov"] {
      let text = try runTool(
        "ffprobe",
        [
          "-v", "error", "-count_frames", "-show_entries",
          "stream=codec_type,start_time,nb_read_frames", "-of", "csv=p=0", folder.file(name),
        ])
      let lines = text.split(separator: "\n").map { $0.split(separator: ",") }
      let video = try #require(lines.first { $0[0] == "video" })
      #expect(Double(video[1]) == 0)
      #expect(try #require(Int(video[2])) > 0)
      let audio = try #require(lines.first { $0[0] == "audio" })
      #expect(try #require(Double(audio[1])) < 0.1, "\(name): \(text) \(end)")
    }
    #expect(folder.names.filter { $0.hasSuffix(".part") } == [])
  }

  @Test("the pointer moves iMouse while its button is down")
  func pointer() throws {
    try makeImage("200x100")
    let text = """
      void mainImage(out vec4 color, in vec2 place) {
        color = vec4(iMouse.xy / iResolution.xy, iMouse.z > 0.0 ? 1.0 : 0.0, 1.0);
        if (iMouse.xy == vec2(0.0)) color = texture(iChannel0, place / iResolution.xy);
      }

      """
    try folder.write(Array(text.utf8), to: "toy.frag")
    let display = try VirtualDisplay()
    let child = try start(
      ["preview", "-t", "60", "-i", "in.png", "-e", folder.file("toy.frag")], on: display)
    _ = try display.waitForPicture(child) { !$0.isBlack }
    try display.drag(to: 150, 75, button: "mousedown")
    // Three quarters from the left, one quarter from the bottom, and the button is down.
    let pressed = try display.waitForPicture(child) { $0.pixel(10, 10)[2] > 240 }
    for (value, expected) in zip(pressed.pixel(10, 10), [191, 64, 255]) {
      #expect(abs(Int(value) - expected) <= 4)
    }
    try display.drag(to: 50, 50, button: nil)
    let dragged = try display.waitForPicture(child) { $0.pixel(10, 10)[0] < 100 }
    for (value, expected) in zip(dragged.pixel(10, 10), [64, 128, 255]) {
      #expect(abs(Int(value) - expected) <= 4)
    }
    try display.drag(to: 50, 50, button: "mouseup")
    let released = try display.waitForPicture(child) { $0.pixel(10, 10)[2] < 10 }
    #expect(abs(Int(released.pixel(10, 10)[0]) - 64) <= 4)
    try display.press("q")
    #expect(child.wait().exitCode == 0)
  }

  @Test("a split movie, a window and a page go together")
  func split() throws {
    let display = try VirtualDisplay()
    let child = try start(
      [
        "-i", "testsrc", "--size", "96x64", "--frames", "60", "-e", "vignette", "--split", "1",
        "--codec",
        "mpeg4", "-o", "out.mov", "--preview", "--control", "\(try HTTPClient.freePort())",
      ], on: display)
    let end = child.wait()
    #expect(end.exitCode == 0, "\(end)")
    #expect(end.errors.contains("the page is at http://"), "\(end)")
    #expect(folder.names == ["out-001.mov", "out-002.mov"])
  }

  @Test("a window changes nothing in the file beside it")
  func sameFile() throws {
    let display = try VirtualDisplay()
    var movies: [[UInt8]] = []
    for words in [[], ["--preview"]] {
      let child = try start(
        [
          "-y", "-i", "testsrc", "--size", "96x64", "--frames", "20", "-e", "separateRGB", "-e",
          "vignette:mix=0.5", "-o", "out.mov",
        ] + words, on: display)
      let end = child.wait()
      #expect(end.exitCode == 0, "\(end)")
      movies.append(try readFile(folder.file("out.mov")))
    }
    #expect(movies[0] == movies[1])
  }

  @Test("a recording that is stopped by a key of its window is whole")
  func stop() throws {
    let display = try VirtualDisplay()
    let child = try start(
      [
        "-i", "testsrc", "--size", "320x180", "--realtime", "-t", "60", "-e", "separateRGB",
        "--preview", "--stats", "-o", "out.mov",
      ], on: display)
    _ = try display.waitForPicture(child) { !$0.isBlack }
    try display.press("q")
    let end = child.wait()
    #expect(end.exitCode == 0, "\(end)")
    #expect(end.errors.contains("source to the window"), "\(end)")
    let count = try #require(frameCount(of: folder.file("out.mov")))
    #expect(count > 0)
    #expect(end.errors.contains("\(count) out"), "\(end)")
  }

  // Each time another call of the window's or of the recording's thread finds out first.
  @Test(
    "a display that goes away does not end the recording",
    arguments: [0, 20, 45, 70, 95] as [Int64])
  func displayLost(milliseconds: Int64) throws {
    let display = try VirtualDisplay()
    let child = try start(
      [
        "-i", "testsrc", "--size", "320x180", "--realtime", "-t", "600", "--preview", "-o",
        "out.mov",
      ], on: display)
    _ = try display.waitForPicture(child) { !$0.isBlack }
    MonotonicTime.sleep(until: .now + Rational(milliseconds, 1000))
    display.takeAway()
    #expect(child.waitForError("the recording goes on without this output"))
    // The recording does go on.
    let part = folder.file("out.mov.part")
    let before = try readFile(part).count
    for _ in 0..<600 where try readFile(part).count == before {
      MonotonicTime.sleep(until: .now + Rational(1, 10))
    }
    #expect(try readFile(part).count > before)
    child.send(SIGINT)
    let end = child.wait()
    // The movie is whole; the other output is not.
    #expect(end.exitCode == 3, "\(end)")
    let count = try #require(frameCount(of: folder.file("out.mov")))
    // A machine with much other work leaves out some.
    #expect(count > 0 && end.errors.contains("\(count) out"), "\(end)")
    #expect(fileExists(folder.file("out.mov")))
    #expect(!fileExists(folder.file("out.mov.part")))
  }

  @Test("a display that goes away while its window is closed does not matter any more")
  func displayLostAtEnd() throws {
    let display = try VirtualDisplay()
    let end = try KfrecProcess.run(
      ["-i", "testsrc", "--size", "96x64", "--frames", "20", "--preview", "-o", "out.mov"],
      in: folder, environment: display.environment, preloading: "DisplayCut")
    #expect(end.exitCode == 0, "\(end)")
    #expect(frameCount(of: folder.file("out.mov")) == 20)
  }

  @Test("a window of Wayland shows the pixels that a file gets, and can be closed")
  func wayland() throws {
    try makeImage("320x180")
    let expected = try recorded(["-i", "in.png", "-t", "0.1", "-e", "vignette"])
    let display = try WaylandDisplay()
    let child = try KfrecProcess.start(
      ["preview", "-i", "in.png", "-t", "60", "-e", "vignette"], in: folder,
      environment: display.environment)
    _ = try display.waitForPicture(child, 320, 180) { $0.difference(from: expected) <= 1 }
    try display.closeWindow()
    let end = child.wait()
    #expect(end.exitCode == 0, "\(end)")
  }

  @Test("without a display nothing begins, and a sentence says why")
  func noDisplay() throws {
    for words in [["preview"], ["--preview", "-o", "out.mov"]] {
      let end = try KfrecProcess.run(
        words + ["-i", "testsrc", "-t", "1"], in: folder,
        environment: ["DISPLAY": nil, "WAYLAND_DISPLAY": nil, "SDL_VIDEODRIVER": "x11"])
      #expect(end.exitCode == 1, "\(end)")
      #expect(end.errors.contains("no window can be opened"), "\(end)")
    }
    #expect(folder.names == [])
  }
}
