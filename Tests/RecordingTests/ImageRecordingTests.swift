import TestSupport
import Testing

/// Tests of images and events given on the command line.
@Suite struct ImageRecordingTests {
  private static let effect = """
    /*{"INPUTS": [{"NAME": "back", "TYPE": "image"}, {"NAME": "flash", "TYPE": "event"}]}*/
    vec4 effect(vec2 uv) { return flash ? vec4(1.0) : vec4(back(uv).rgb, 1.0); }
    """

  private func run(_ folder: TemporaryFolder, _ words: [String]) throws -> ChildResult {
    try folder.write(Self.effect.utf8, to: "mine.comp")
    return try KfrecProcess.run(
      ["-y", "-i", "testsrc", "--size", "32x24", "--frames", "4", "--no-audio"] + words, in: folder)
  }

  /// Returns the first pixel of a frame.
  private func color(_ folder: TemporaryFolder, _ name: String) throws -> [Int] {
    try Probe.pixels(folder.file(name), "rgb24").prefix(3).map(Int.init)
  }

  @Test("A path is relative to the working directory, and an event fires in one frame")
  func given() throws {
    let folder = try TemporaryFolder()
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "color=0x3060c0:s=16x12", "-frames:v", "1", "-pix_fmt",
        "rgb24", folder.file("a b.png"),
      ])
    let result = try run(
      folder, ["-e", "./mine.comp:back=a b.png,flash@0.05", "-o", "out-%d.png"])
    #expect(result.exitCode == 0, "\(result)")
    #expect(!result.errors.contains("warning"))
    // At 30 frames per second the first frame at or after 0.05 s is the third.
    let colors = try (1...4).map { try color(folder, "out-\($0).png") }
    let blue = try color(folder, "a b.png")
    #expect(blue[2] > 150 && colors == [blue, blue, [255, 255, 255], blue])
  }

  @Test("An imported video shows only its first frame, with a warning at its place")
  func film() throws {
    let folder = try TemporaryFolder()
    for (name, frames) in [("one.mkv", 1), ("paper.gif", 2)] {
      try runTool(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc=s=16x12", "-frames:v", "\(frames)",
          folder.file(name),
        ])
    }
    let still = try run(folder, ["-e", "./mine.comp:back=one.mkv", "-o", "out-%d.png"])
    #expect(still.exitCode == 0 && !still.errors.contains("warning"), "\(still.errors)")
    try folder.write(
      """
      /*{"IMPORTED": {"paper": {"PATH": "paper.gif"}}}*/
      vec4 effect(vec2 uv) { return paper(uv); }
      """.utf8, to: "brought.comp")
    let check = try KfrecProcess.run(["check", "./brought.comp"], in: folder)
    #expect(
      check.text.contains("./brought.comp:1:35: warning: paper.gif, given for the import 'paper',"),
      "\(check)")
  }

  @Test("Without an image the recording continues with a warning")
  func missing() throws {
    let folder = try TemporaryFolder()
    let result = try run(folder, ["-e", "./mine.comp", "-o", "out-%d.png"])
    #expect(result.exitCode == 0)
    #expect(result.errors.contains("effect 'mine' has no image for its image input back"))
    #expect(result.errors.contains("give an image with back=FILE"))
    #expect(try color(folder, "out-1.png") == [0, 0, 0])
  }

  @Test("An effect without a table that it needs is a usage error that says how to give it")
  func needed() throws {
    let folder = try TemporaryFolder()
    let lut = repositoryRoot + "/Effects/lut.comp"
    let result = try run(folder, ["-e", lut, "-o", "out.mov"])
    #expect(result.exitCode == 2, "\(result)")
    #expect(
      result.errors.contains(
        "effect 'lut' needs file, the path of an image or a table: write lut:file=FILE"),
      "\(result)")
    #expect(folder.names == ["mine.comp"])
  }

  @Test("An image that cannot be read ends the run with the effect, the input and the file")
  func wrong() throws {
    let folder = try TemporaryFolder()
    try folder.write("no picture".utf8, to: "text.png")
    try folder.write("LUT_3D_SIZE 2\n0 0\n".utf8, to: "bad.cube")
    for kind in ["png", "jpg"] {
      try make(
        "a.\(kind)", in: folder, ["-f", "lavfi", "-i", "testsrc2=s=96x64", "-frames:v", "1"])
      let bytes = try readFile(folder.file("a.\(kind)"))
      try folder.write(bytes[..<(bytes.count * 2 / 3)], to: "cut.\(kind)")
    }
    for (path, message) in [
      ("none.png", "effect 'mine': back: none.png does not exist"),
      ("text.png", "effect 'mine': back: text.png"),
      ("bad.cube", "effect 'mine': back: bad.cube:2: 3 numbers are expected here"),
      ("cut.png", "effect 'mine': back: cut.png has no frame that can be decoded"),
      ("cut.jpg", "effect 'mine': back: cut.jpg is damaged or was cut off"),
    ] {
      let result = try run(folder, ["-e", "./mine.comp:back=\(path)", "-o", "out.mov"])
      #expect(result.exitCode == 1)
      #expect(result.errors.contains(message), "\(result.errors)")
      #expect(!fileExists(folder.file("out.mov")))
    }
    let event = try run(folder, ["-e", "./mine.comp:flash=true", "-o", "out.mov"])
    #expect(event.exitCode == 2)
    #expect(event.errors.contains("flash is an event; give the times at which it fires"))
  }

  @Test(
    "an SVG is refused with what makes a picture of it, wherever it is given, and is never decoded")
  func drawings() throws {
    let folder = try TemporaryFolder()
    let text = """
      <?xml version="1.0"?>
      <svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><filter id="f"><feTurbulence baseFrequency="0.5" \
      numOctaves="2000000000"/></filter><rect width="64" height="48" filter="url(#f)"/></svg>
      """
    for name in ["a.svg", "b.png", "n1.svg"] { try folder.write(text.utf8, to: name) }
    try folder.write("ffconcat version 1.0\nfile a.svg\n".utf8, to: "list.txt")
    try make(
      "clip.mkv", in: folder, ["-f", "lavfi", "-i", "testsrc2=s=32x24:d=0.2", "-c:v", "ffv1"])
    for words in [
      ["-i", "a.svg"], ["-i", "b.png"], ["-i", "n%d.svg"],
      ["-i", "clip.mkv", "-e", "overlay:image=a.svg"],
    ] {
      let result = try KfrecProcess.run(
        words + ["-o", "o.png", "--frames", "1"], in: folder)
      #expect(
        result.exitCode == 1
          && result.errors.contains("is an SVG, a drawing, and kfrec reads pictures"),
        "\(result)")
    }
    let piped = try KfrecProcess.run(
      ["-i", "-", "-o", "o.png"], in: folder, input: .bytes(Array(text.utf8)))
    #expect(piped.exitCode == 1 && piped.errors.contains("is an SVG"), "\(piped)")
    for words in [["-i", "clip.mkv", "--audio-in", "a.svg"], ["-i", "list.txt"]] {
      let result = try KfrecProcess.run(words + ["-o", "o.mkv"], in: folder)
      #expect(result.exitCode != 0, "\(result)")
    }
  }
}
