import Glibc
import TestSupport
import Testing

/// Tests `kfrec batch --watch` with the real program.
@Suite struct BatchWatchTests {
  private func start(_ made: BatchFolder, _ words: String = "") throws -> ChildProcess {
    let all = "batch --watch clips --output-dir out --report r.json --verbose " + words
    return try KfrecProcess.start(all.split(separator: " ").map(String.init), in: made.folder)
  }

  @Test("files are made as they arrive and change, until Ctrl-C")
  func arrivals() throws {
    let made = try BatchFolder("old.mp4", "b.mp4")
    let file = made.folder.file
    #expect(rename(file("clips/b.mp4"), file("b.mp4")) == 0)
    let child = try start(made)
    #expect(child.waitForError("old.mov: 10 frames"))
    #expect(rename(file("b.mp4"), file("clips/b.mp4")) == 0)
    #expect(child.waitForError("b.mov: 10 frames"))
    // It has no frame yet, then another length.
    try made.folder.write("no video".utf8, to: "clips/c.mp4")
    #expect(child.waitForError("c.mov: clips/c.mp4 is not a video"))
    try make("clips/c.mp4", in: made.folder, ["-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=0.2"])
    #expect(child.waitForError("c.mov: 5 frames"))
    // Another input for an output that is taken fails alone.
    try make("clips/c.mkv", in: made.folder, ["-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=0.2"])
    #expect(child.waitForError("clips/c.mp4 has the output out/c.mov already"))
    child.send(SIGINT)
    let result = child.wait()
    #expect(result.exitCode == 3, "\(result)")
    #expect(made.outputs == ["b.mov", "c.mov", "old.mov"])
    let report = String(decoding: try readFile(file("r.json")), as: UTF8.self)
    #expect(report.contains(#""inputs":4,"done":3,"kept":0,"failed":1,"missing":0"#), "\(report)")
    // The next time nothing is left to do.
    #expect(unlink(file("clips/c.mkv")) == 0)
    let again = try start(made, "--progress json")
    #expect(again.waitForOutput { $0.contains("\"type\":\"planned\"") })
    #expect(try made.batch("--watch clips --output-dir out").errors.contains("another batch"))
    usleep(20_000_000)
    again.send(SIGINT)
    let second = again.wait()
    #expect(second.exitCode == 0, "\(second)")
    #expect(second.errors.contains("0 made, 3 done before"), "\(second)")
  }

  @Test(
    "an arrival whose output would be written over an input, or what an effect reads, fails, also with -y",
    arguments: [
      ("--output-dir . --name {effect}/{name} -e ./clips.comp", "./clips/logo.png"),
      ("--output-dir out -e overlay:image=out/logo.png", "out/logo.png"),
    ])
  func writtenOver(words: String, place: String) throws {
    let made = try BatchFolder()
    mkdir(made.folder.file("out"), 0o700)
    let files = ["clips/logo.png", "out/logo.png"].map(made.folder.file)
    for name in ["clips/logo.png", "out/logo.png"] {
      try make(
        name, in: made.folder, ["-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1"])
    }
    // They are old enough to be complete.
    try runTool("touch", ["-d", "1 minute ago"] + files)
    let before = try files.map(readFile)
    try made.folder.write("vec4 effect(vec2 uv) { return frame(uv); }".utf8, to: "clips.comp")
    let all = "batch --watch clips -y " + words
    let child = try KfrecProcess.start(all.split(separator: " ").map(String.init), in: made.folder)
    #expect(child.waitForError("\(place) would be written over"))
    child.send(SIGINT)
    let result = child.wait()
    #expect(result.exitCode == 1, "\(result)")
    #expect(try files.map(readFile) == before)
  }

  @Test("Ctrl-C during a recording exits with 75")
  func interrupted() throws {
    let made = try BatchFolder()
    try make(
      "long.mp4", in: made.folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=640x480:r=25:d=60", "-c:v", "libx264", "-preset",
        "ultrafast",
      ])
    let child = try start(made, "-e gaussianBlur")
    usleep(500_000)
    #expect(rename(made.folder.file("long.mp4"), made.folder.file("clips/long.mp4")) == 0)
    #expect(child.waitForError("clips/long.mp4: begun"))
    child.send(SIGINT)
    let result = child.wait()
    #expect(result.exitCode == 75 && made.outputs.isEmpty, "\(result)")
  }

  @Test(
    "a wrong folder or name is a usage error",
    arguments: [
      ("--watch none --output-dir out", "--watch none: No such file"),
      ("--watch clips/a.mp4 --output-dir out", "is not a folder; give its parent"),
      ("--watch clips --output-dir clips", "is the folder of the outputs"),
      ("--watch clips --output-dir . --name clips/{stem}-x{ext}", "is the folder of the outputs"),
      ("--watch clips --output-dir out --name {index}{ext}", "leave {index} out"),
      ("--watch clips --output-dir out --dry-run", "contradict"),
    ])
  func mistakes(words: String, message: String) throws {
    let made = try BatchFolder("a.mp4")
    let result = try made.batch(words)
    #expect(result.exitCode == 2 && result.errors.contains(message), "\(result)")
    #expect(!made.folder.names.contains("out"))
  }
}
