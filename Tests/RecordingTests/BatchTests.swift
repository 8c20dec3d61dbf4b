import Glibc
import TestSupport
import Testing

/// Tests `kfrec batch` with the real program.
@Suite struct BatchTests {
  private func clips(_ names: [String]) throws -> TemporaryFolder {
    try BatchFolder(names, hasSound: true).folder
  }

  private func batch(_ folder: TemporaryFolder, _ words: String) throws -> ChildResult {
    try BatchFolder(folder).batch(words)
  }

  private func outputs(_ folder: TemporaryFolder) -> [String] { BatchFolder(folder).outputs }

  @Test("a folder's clips become outputs, once; other files are listed")
  func folder() throws {
    let folder = try clips(["a.mp4", "b.mkv"])
    try folder.write("text".utf8, to: "clips/notes.txt")
    try folder.write("#EXTM3U\n".utf8, to: "clips/c.m3u8")
    let first = try batch(folder, "clips --output-dir out -e invert")
    #expect(first.exitCode == 0, "\(first)")
    #expect(first.errors.contains("clips/notes.txt: skipped: "), "\(first)")
    #expect(first.errors.contains("clips/c.m3u8: skipped: it is a playlist"), "\(first)")
    #expect(outputs(folder) == ["a.mov", "b.mov"])
    #expect(!namesInFolder(folder.file("out")).contains(".kfrec-batch"))
    for name in ["a.mov", "b.mov"] {
      let output = folder.file("out/" + name)
      #expect(try Probe.rows(output, "packet=pts", of: "v:0").count == 10)
      #expect(try !Probe.rows(output, "packet=pts", of: "a:0").isEmpty)
    }
    let second = try batch(folder, "clips --output-dir out -e invert")
    #expect(second.exitCode == 0 && second.errors.contains("0 made, 2 done before"), "\(second)")
  }

  @Test(
    "only what changed is made again, and --dry-run says why and makes nothing",
    arguments: [
      ("-e invert --crf 20", ["a.mov: the options changed", "b.mov: the options changed"]),
      ("-e vignette", ["a.mov: the effects changed", "b.mov: the effects changed"]),
      (
        "-e invert --quiet --jobs 1 --gpu-timeout 20",
        ["a.mov: done already", "b.mov: done already"]
      ),
    ])
  func changed(words: String, reasons: [String]) throws {
    let folder = try clips(["a.mp4", "b.mp4"])
    #expect(try batch(folder, "clips --output-dir out -e invert").exitCode == 0)
    let before = try readFile(folder.file("out/a.mov"))
    let trial = try batch(folder, "clips --output-dir out --dry-run \(words)")
    #expect(trial.exitCode == 0, "\(trial)")
    for reason in reasons { #expect(trial.text.contains(reason), "\(trial)") }
    #expect(try readFile(folder.file("out/a.mov")) == before)
    let made = reasons.count { !$0.hasSuffix("done already") }
    let run = try batch(
      folder, "clips --output-dir out \(words) --verbose".replacing(" --quiet", with: ""))
    #expect(run.errors.contains("\(made) made, \(2 - made) done before"), "\(run)")
  }

  @Test(
    "an output that does not fit on the disk fails with its own name, and nothing is left of it",
    arguments: [
      ("--codec ffv1 --container mkv", 6, "out/a.mkv"), ("", 50, "out/a.mov"),
      ("", 90, "out/a.mov"),
    ])
  func sizeLimit(options: String, kibibytes: Int, output: String) throws {
    let folder = try clips([])
    try make(
      "clips/a.mp4", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=352x198:r=30:d=0.7", "-f", "lavfi", "-i", "sine=d=0.7",
        "-c:v", "libx264", "-c:a", "aac",
      ])
    let words = "batch clips --output-dir out \(options)"
    let result = try KfrecProcess.shell("ulimit -f \(kibibytes); exec \"$0\" \(words)", in: folder)
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.errors.contains(output), "\(result)")
    #expect(!result.errors.contains(".kfrec-batch/"), "\(result)")
    #expect(!result.errors.contains("until then"), "\(result)")
    #expect(!result.errors.contains("kept as"), "\(result)")
    #expect(outputs(folder).isEmpty)
  }

  @Test(
    "a changed effect file, a changed input and a missing output are made again, and nothing else")
  func files() throws {
    let folder = try clips(["a.mp4", "b.mp4", "c.mp4"])
    try folder.write("vec4 effect(vec2 uv) { return frame(uv); }".utf8, to: "e.comp")
    let words = "clips --output-dir out -e ./e.comp"
    #expect(try batch(folder, words).exitCode == 0)
    #expect(unlink(folder.file("out/a.mov")) == 0)
    #expect(rename(folder.file("clips/c.mp4"), folder.file("kept")) == 0)
    try make("clips/b.mp4", in: folder, ["-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=0.2"])
    #expect(rename(folder.file("kept"), folder.file("clips/c.mp4")) == 0)
    let trial = try batch(folder, words + " --dry-run")
    #expect(trial.text.contains("a.mov: the output is missing"), "\(trial)")
    #expect(trial.text.contains("b.mov: the input changed"), "\(trial)")
    #expect(trial.text.contains("c.mov: done already"), "\(trial)")
    #expect(try batch(folder, words).errors.contains("2 made, 1 done before"))
    try folder.write("vec4 effect(vec2 uv) { return frame(uv).bgra; }".utf8, to: "e.comp")
    #expect(try batch(folder, words).errors.contains("3 made, 0 done before"))
  }

  @Test("a bad input does not stop the others, and its reason is at the end")
  func failure() throws {
    let folder = try clips(["a.mp4", "c.mp4"])
    try folder.write("no video".utf8, to: "clips/b.mp4")
    let result = try batch(folder, "clips --output-dir out")
    #expect(result.exitCode == 3, "\(result)")
    #expect(outputs(folder) == ["a.mov", "c.mov"])
    #expect(result.errors.contains("2 made, 0 done before, 1 failed"), "\(result)")
    #expect(
      result.errors.contains("what failed:\nkfrec:   clips/b.mp4 is not a video"), "\(result)")
    let alone = try batch(folder, "clips/b.mp4 --output-dir other --retries 1")
    #expect(alone.exitCode == 1, "\(alone)")
  }

  @Test("--fail-fast ends with the first failure")
  func failFast() throws {
    let folder = try clips(["b.mp4", "c.mp4"])
    try folder.write("no video".utf8, to: "clips/a.mp4")
    let result = try batch(folder, "clips --output-dir out --fail-fast --jobs 1")
    #expect(result.exitCode == 1 && outputs(folder).isEmpty, "\(result)")
  }

  @Test("a file that the batch did not make is not replaced without -y")
  func foreignFile() throws {
    let folder = try clips(["a.mp4"])
    mkdir(folder.file("out"), 0o700)
    try folder.write("mine".utf8, to: "out/a.mov")
    let result = try batch(folder, "clips --output-dir out")
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.errors.contains("out/a.mov exists and is not from this batch"), "\(result)")
    #expect(try readFile(folder.file("out/a.mov")) == [UInt8]("mine".utf8))
    #expect(try batch(folder, "clips --output-dir out -y").exitCode == 0)
    // One that was changed since is somebody's own too.
    try folder.write("mine".utf8, to: "out/a.mov")
    #expect(try batch(folder, "clips --output-dir out").exitCode == 1)
    #expect(try readFile(folder.file("out/a.mov")) == [UInt8]("mine".utf8))
  }

  @Test(
    "folders inside keep their places, the output folder is no input, and names have their pattern")
  func tree() throws {
    let folder = try clips(["a.mp4"])
    mkdir(folder.file("clips/in"), 0o700)
    #expect(link(folder.file("clips/a.mp4"), folder.file("clips/in/a.mp4")) == 0)
    let words = "clips --recursive --output-dir clips/out --name {stem}-{effect}{ext} -e invert"
    #expect(try batch(folder, words).exitCode == 0)
    #expect(namesInFolder(folder.file("clips/out")).contains("a-invert.mov"))
    #expect(namesInFolder(folder.file("clips/out/in")) == ["a-invert.mov"])
    #expect(try batch(folder, words).errors.contains("0 made, 2 done before"))
  }

  @Test("names that differ only in how Unicode writes a letter are two inputs with two outputs")
  func equivalentNames() throws {
    let made = try BatchFolder("caf\u{e9}.mp4", "cafe\u{301}.mp4")
    let first = try made.batch("clips --output-dir out")
    #expect(first.exitCode == 0 && made.outputs.count == 2, "\(first)")
    let second = try made.batch("clips --output-dir out")
    #expect(second.exitCode == 0 && second.errors.contains("0 made, 2 done before"), "\(second)")
  }

  @Test("links in a circle give each clip one output, and links elsewhere are followed")
  func circles() throws {
    let folder = try clips(["a.mp4"])
    mkdir(folder.file("clips/in"), 0o700)
    mkdir(folder.file("other"), 0o700)
    for path in ["clips/in/b.mp4", "other/c.mp4"] {
      #expect(link(folder.file("clips/a.mp4"), folder.file(path)) == 0)
    }
    for (target, name) in [
      (".", "clips/a"), (".", "clips/b"), ("in", "clips/c"), ("..", "clips/in/up"),
      ("../../other", "clips/in/d"), ("../clips", "other/back"), ("../other", "clips/z"),
    ] {
      #expect(symlink(target, folder.file(name)) == 0)
    }
    let result = try batch(folder, "clips --recursive --output-dir out")
    #expect(result.exitCode == 0 && result.errors.contains("3 made"), "\(result)")
    #expect(result.errors.contains("clips/a: skipped: it leads to a folder that is read already"))
    #expect(outputs(folder) == ["a.mov", "in"])
    #expect(namesInFolder(folder.file("out/in")).sorted() == ["b.mov", "d"])
    #expect(namesInFolder(folder.file("out/in/d")) == ["c.mov"])
  }

  @Test("changed numbered images are made again, with --hash too", arguments: ["", " --hash"])
  func numberedImages(words: String) throws {
    let folder = try TemporaryFolder()
    func images(_ source: String, _ count: String) throws {
      try make(
        "s-%04d.png", in: folder,
        ["-f", "lavfi", "-i", source + "=s=64x48:r=25", "-frames:v", count])
    }
    try images("testsrc2", "4")
    let command = "s-%04d.png --output-dir out" + words
    #expect(try batch(folder, command).errors.contains("1 made, 0 done before"))
    #expect(try batch(folder, command).errors.contains("0 made, 1 done before"))
    try images("mandelbrot", "1")
    #expect(try batch(folder, command).errors.contains("1 made, 0 done before"))
    #expect(unlink(folder.file("s-0004.png")) == 0)
    #expect(try batch(folder, command).errors.contains("1 made, 0 done before"))
    #expect(try batch(folder, command).errors.contains("0 made, 1 done before"))
  }

  @Test("only content counts: not where files lie, and not how a number is written")
  func sameContent() throws {
    let folder = try clips(["a.mp4"])
    mkdir(folder.file("fx"), 0o700)
    let effect =
      "/*{\"INPUTS\": [{\"NAME\": \"k\", \"TYPE\": \"float\", \"DEFAULT\": 0.5}, "
      + "{\"NAME\": \"t\", \"TYPE\": \"text\", \"SIZE\": 20}]}*/ "
      + "vec4 effect(vec2 uv) { return frame(uv) * k; }"
    try folder.write(effect.utf8, to: "fx/mine.comp")
    try runTool("cp", ["-r", folder.file("fx"), folder.file("copy")])
    let first = "clips/a.mp4 -e ./fx/mine.comp:k=0.5,mix=0.50,t=1.50 --crf 20 --output-dir out"
    #expect(try batch(folder, first).errors.contains("1 made"))
    let path = folder.file("clips/a.mp4")
    for words in [
      "./clips/a.mp4 -e ./copy/mine.comp:k=.5,mix=0.5,t=1.50 --crf 20.0",
      "\(path) -e ./fx/mine.comp:k=0.500,mix=0.5,t=1.50 --crf 20.00",
    ] {
      let words = words.replacing("k=.5", with: "k=0.50")
      let result = try batch(folder, words + " --output-dir out")
      #expect(result.errors.contains("0 made, 1 done before"), "\(words): \(result)")
    }
    // What a text shows is not a number.
    let other = try batch(folder, first.replacing("t=1.50", with: "t=1.5"))
    #expect(other.errors.contains("1 made, 0 done before"), "\(other)")
    try folder.write(effect.replacing("* k", with: "* k * 0.5").utf8, to: "fx/mine.comp")
    #expect(
      try batch(folder, first.replacing("t=1.50", with: "t=1.5")).errors.contains("1 made, 0 done"))
  }

  @Test(
    "a file that changes while it is read, and back again, is not taken for what was read",
    arguments: [("clips/long.mp4", true), ("e.comp", true), ("clips/long.mp4", false)])
  func changedWhileRead(name: String, comesBack: Bool) throws {
    let folder = try clips([])
    try make(
      "clips/long.mp4", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=10", "-c:v", "libx264"])
    try folder.write("vec4 effect(vec2 uv) { return frame(uv).bgra; }".utf8, to: "e.comp")
    let words = "clips --output-dir out -e gaussianBlur -e ./e.comp -e gaussianBlur"
    let child = try KfrecProcess.start(
      ["batch"] + words.split(separator: " ").map(String.init) + ["--progress", "json"], in: folder)
    #expect(child.waitForOutput { $0.contains(#""type":"progress""#) })
    #expect(rename(folder.file(name), folder.file("kept")) == 0)
    try folder.write("other".utf8, to: name)
    #expect(unlink(folder.file(name)) == 0)
    if comesBack { #expect(rename(folder.file("kept"), folder.file(name)) == 0) }
    let result = child.wait()
    #expect(result.exitCode == 1, "\(result)")
    let what = comesBack ? "changed" : "moved or deleted"
    #expect(result.errors.contains("\(name) was \(what) while it was read"), "\(result)")
    #expect(outputs(folder).isEmpty)
  }

  @Test(
    "an input or effect that changes before its turn counts as what it was then, also when it changes back",
    arguments: ["clips/b.mp4", "e.comp"])
  func changedBeforeItsTurn(changed: String) throws {
    let folder = try clips(["a.mp4", "b.mp4"])
    try folder.write("vec4 effect(vec2 uv) { return frame(uv); }".utf8, to: "e.comp")
    if changed == "e.comp" {
      try folder.write("vec4 effect(vec2 uv) { return vec4(1.0); }".utf8, to: "other")
    } else {
      let made = try make(
        "other.mp4", in: folder,
        ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.8", "-c:v", "libx264"])
      rename(made, folder.file("other"))
    }
    // The first takes seconds.
    try folder.write(
      """
      {"input": "clips/a.mp4", "options": {"loop": 800}}
      {"input": "clips/b.mp4", "effects": ["./e.comp"]}

      """.utf8, to: "list")
    let words = ["batch", "--list", "list", "--output-dir", "out", "--jobs", "1"]
    let child = try KfrecProcess.start(words, in: folder)
    let journal = folder.file("out/.kfrec-batch.jsonl")
    waitUntil(child) {
      ((try? readFile(journal)) ?? []).firstRange(of: Array("begun".utf8)) != nil
    }
    rename(folder.file(changed), folder.file("kept"))
    rename(folder.file("other"), folder.file(changed))
    let first = child.wait()
    #expect(first.exitCode == 0, "\(first)")
    #expect(try BatchFolder(folder).frames("a.mov") == 8000)
    #expect(try BatchFolder(folder).frames("b.mov") == (changed == "e.comp" ? 10 : 20))
    rename(folder.file("kept"), folder.file(changed))
    let second = try KfrecProcess.run(words, in: folder)
    #expect(second.exitCode == 0 && second.errors.contains("1 made, 1 done before"), "\(second)")
    #expect(try BatchFolder(folder).frames("b.mov") == 10)
  }

  @Test("a warning about an output names the output, and not the file in the work folder")
  func warnedOutput() throws {
    let folder = try TemporaryFolder()
    try make(
      "a.mov", in: folder,
      ["-f", "lavfi", "-i", "color=red@0.5:s=64x48:r=25:d=0.2,format=rgba", "-c:v", "png"])
    let result = try batch(folder, "a.mov --output-dir out")
    #expect(result.exitCode == 0 && result.errors.contains("transparency"), "\(result)")
    #expect(result.errors.contains("out/a.mov") && !result.errors.contains(".kfrec-batch"))
  }

  @Test("a second batch into a folder that is in use ends with exit code 75, as the help says")
  func busy() throws {
    let folder = try clips(["a.mp4"])
    let child = try KfrecProcess.start(
      ["batch", "--watch", "clips", "--output-dir", "out"], in: folder)
    #expect(child.waitForError("a.mov: 10 frames"))
    let second = try batch(folder, "clips --output-dir out")
    #expect(second.exitCode == 75, "\(second)")
    #expect(second.errors.contains("another batch writes into out"), "\(second)")
    child.send(SIGINT)
    #expect(child.wait().exitCode == 0)
    #expect(try batch(folder, "clips --output-dir out").exitCode == 0)
  }

  @Test(
    "a folder's images of every kind that kfrec reads are inputs",
    arguments: ["pfm", "jp2", "pam", "pbm"])
  func kinds(name: String) throws {
    let folder = try TemporaryFolder()
    mkdir(folder.file("clips"), 0o700)
    try make(
      "clips/a." + name, in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1"])
    let result = try batch(folder, "clips --output-dir out")
    #expect(result.exitCode == 0 && outputs(folder) == ["a.png"], "\(result)")
  }

  @Test(
    "wrong words are usage errors, before anything is made",
    arguments: [
      ("clips", "needs a folder for its outputs"),
      ("--output-dir out", "no input was given"),
      ("nothing.mp4 --output-dir out", "nothing.mp4: No such file"),
      ("- --output-dir out", "cannot be in a batch"),
      ("clips/a.m3u8 --output-dir out", "it is a playlist, and a batch would not see"),
      ("clips/a.mp4 clips/a.mp4 --output-dir out", "would both become out/a.mov"),
      ("clips --output-dir clips", "is the folder of the inputs and of the outputs"),
      ("clips/a.mp4 -y --output-dir clips --name {name}", "would be written over clips/a.mp4"),
      ("clips --output-dir out --name .kfrec-batch/{stem}{ext}", "is the name of the batch's own"),
      ("clips --output-dir out -e nope", "nope"),
      ("clips --output-dir out --name {x}", "has no field {x}"),
      ("clips --output-dir out -o a.mov", "-o belongs to kfrec, not to kfrec batch"),
    ])
  func mistakes(words: String, message: String) throws {
    let folder = try clips(["a.mp4"])
    let result = try batch(folder, words)
    #expect(result.exitCode == 2 && result.errors.contains(message), "\(result)")
    #expect(!folder.names.contains("out"), "\(words)")
  }

  @Test("inputs come from a list too, and a bad line is told by its number")
  func list() throws {
    let folder = try clips(["a.mp4", "b.mp4"])
    try folder.write("clips/a.mp4\n\nclips/b.mp4".utf8, to: "list")
    #expect(try batch(folder, "--list list --output-dir out").errors.contains("2 made"))
    try folder.write(Array("clips/a.mp4\n".utf8) + [0xff, 10], to: "bad")
    let bad = try batch(folder, "--list bad --output-dir out")
    #expect(bad.exitCode == 2 && bad.errors.contains("line 2 of bad is not UTF-8"), "\(bad)")
  }

  @Test("a killed batch goes on with what is missing, and ends with the same folder")
  func killed() throws {
    let names = (0..<6).map { "\($0).mp4" }
    let folder = try clips(names)
    let words = ["batch", "clips", "--output-dir", "out", "--jobs", "2", "-e", "invert"]
    var kills = 0
    for delay in [20, 60, 100, 160, 250] as [useconds_t] {
      let child = try KfrecProcess.start(words, in: folder)
      usleep(delay * 1000)
      child.send(SIGKILL)
      let result = child.wait()
      if result.exitCode != 0 { kills += 1 }
      for output in outputs(folder) {
        #expect(try Probe.rows(folder.file("out/" + output), "packet=pts", of: "v:0").count == 10)
      }
    }
    #expect(kills > 0)
    let last = try KfrecProcess.run(words, in: folder)
    #expect(last.exitCode == 0, "\(last)")
    #expect(outputs(folder) == names.map { $0.replacing(".mp4", with: ".mov") })
    #expect(!namesInFolder(folder.file("out")).contains(".kfrec-batch"))
  }

  @Test(
    "x264 has the same number of threads for many inputs and for a few",
    .enabled(if: (2...4).contains(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
  func encoderThreads() throws {
    let folder = try TemporaryFolder()
    mkdir(folder.file("clips"), 0o700)
    try make("clips/0.mp4", in: folder, ["-f", "lavfi", "-i", "testsrc=s=64x128:r=25:d=0.2"])
    let count = 8 * sysconf(Int32(_SC_NPROCESSORS_ONLN))
    for number in 1..<count {
      #expect(link(folder.file("clips/0.mp4"), folder.file("clips/\(number).mp4")) == 0)
    }
    /// The numbers of threads that x264 wrote into the movies, each number once.
    func threads(_ words: String) throws -> Set<Substring> {
      let result = try batch(folder, words + " --output-dir out --force")
      #expect(result.exitCode == 0, "\(result)")
      return Set(
        try outputs(folder).map { output in
          let text = String(decoding: try readFile(folder.file("out/" + output)), as: UTF8.self)
          return text.split(separator: " ").first { $0.hasPrefix("threads=") } ?? ""
        })
    }
    let few = try threads("clips/0.mp4 clips/1.mp4")
    #expect(few == ["threads=8"], "\(few)")
    #expect(try threads("clips") == few)
    #expect(outputs(folder).count == count)
  }

  @Test("Ctrl-C ends a batch with exit code 75, and what was done stays")
  func stopped() throws {
    let folder = try clips(["a.mp4"])
    try make(
      "clips/b.mp4", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=60", "-c:v", "libx264"])
    let child = try KfrecProcess.start(
      ["batch", "clips", "--output-dir", "out", "--jobs", "1", "-e", "gaussianBlur"], in: folder)
    #expect(child.waitForError("a.mov: 10 frames"))
    child.send(SIGINT)
    let result = child.wait()
    #expect(result.exitCode == 75 && !result.timedOut, "\(result)")
    #expect(result.errors.contains("1 made, 0 done before, stopped"), "\(result)")
    #expect(outputs(folder) == ["a.mov"])
  }
}
