import Glibc
import TestSupport
import Testing

/// Tests `kfrec batch --chunks` with the real program: `ffmpeg` compares joined outputs with whole ones.
@Suite struct ChunkTests {
  private func folder(_ name: String = "in.mp4", seconds: Int = 4) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try make(
      name, in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=30000/1001:d=\(seconds)", "-f", "lavfi", "-i",
        "sine=d=\(seconds)", "-c:v", "libx264", "-g", "15", "-bf", "3", "-c:a", "aac",
      ])
    return folder
  }

  private func batch(_ folder: TemporaryFolder, _ words: String) throws -> ChildResult {
    try KfrecProcess.run(["batch"] + words.split(separator: " ").map(String.init), in: folder)
  }

  /// Times and hashes of the frames, and the packets' times of all streams.
  private func content(_ path: String, of folder: TemporaryFolder) throws -> (
    frames: [String], times: [String]
  ) {
    let path = folder.file(path)
    let text = try runTool(
      "ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", "-f", "framemd5", "-"])
    let packets = try Probe.rows(path, "packet=stream_index,pts,dts")
    return (
      text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init),
      ["pts", "dts"].flatMap { kind in
        packets.map { "\($0["stream_index"] ?? "") \(kind) \($0[kind] ?? "")" }
      }.sorted()
    )
  }

  private func chunks(_ folder: TemporaryFolder) throws -> [Substring] {
    try String(decoding: readFile(folder.file("cut/.kfrec-batch.jsonl")), as: UTF8.self)
      .split(separator: "\n").filter { $0.contains(#""event":"chunk""#) }
      .compactMap { line in
        line.split(separator: #""chunk":""#).last?.split(separator: "\"").first
      }
  }

  @Test(
    "a lossless output of chunks has the frames and the times of the whole",
    arguments: ["in.mp4", "in.mkv"],
    [
      "--codec ffv1 --container mkv -e glitch", "--crf 0 -e vhs", "--crf 0",
      "--crf 0 --container mp4 -e frameDelay:frames=5 -e filmGrain", "--crf 0 --no-audio -e invert",
    ])
  func lossless(name: String, words: String) throws {
    let folder = try folder(name)
    #expect(try batch(folder, "\(name) --output-dir whole \(words)").exitCode == 0)
    let result = try batch(folder, "\(name) --output-dir cut --chunks 4 --jobs 2 \(words)")
    #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
    #expect(try chunks(folder).count == 4)
    let output = namesInFolder(folder.file("whole")).first { $0.hasPrefix("in.") } ?? ""
    let (whole, cut) = (
      try content("whole/" + output, of: folder), try content("cut/" + output, of: folder)
    )
    #expect(whole.frames.count == 120 && whole.frames == cut.frames)
    #expect(whole.times == cut.times)
    #expect(!namesInFolder(folder.file("cut")).contains(".kfrec-batch"))
  }

  @Test(
    "a lossy output of chunks has the times of the whole",
    arguments: ["--crf 23", "--crf 23 --codec hevc", "--crf 23 --container mkv", "--codec prores"])
  func lossy(words: String) throws {
    let folder = try folder()
    #expect(try batch(folder, "in.mp4 --output-dir whole \(words)").exitCode == 0)
    #expect(try batch(folder, "in.mp4 --output-dir cut --chunks 1s \(words)").exitCode == 0)
    #expect(try chunks(folder).count == 4)
    let output = words.contains("mkv") ? "in.mkv" : "in.mov"
    let (whole, cut) = (
      try content("whole/" + output, of: folder), try content("cut/" + output, of: folder)
    )
    #expect(whole.times == cut.times && whole.frames.count == cut.frames.count)
  }

  @Test("inputs that cannot be cut exactly stay whole, with the reason")
  func whole() throws {
    let folder = try folder()
    let feedback = try batch(folder, "in.mp4 --output-dir a --chunks 4 --crf 20 -e echo")
    #expect(
      feedback.exitCode == 0 && feedback.errors.contains("'echo' keeps its result"), "\(feedback)")
    let lead = try batch(
      folder, "in.mp4 --output-dir cut --chunks 4 --crf 20 -e echo --chunk-lead-in 10")
    #expect(lead.exitCode == 0 && !lead.errors.contains("whole"), "\(lead)")
    #expect(try chunks(folder).count == 4)
    try make("in.ts", in: folder, ["-i", folder.file("in.mp4"), "-c", "copy"])
    let stream = try batch(folder, "in.ts --output-dir a --chunks 4 --crf 20")
    #expect(
      stream.exitCode == 0 && stream.errors.contains("in.ts cannot be cut exactly"), "\(stream)")
    try make("one.mp4", in: folder, ["-i", folder.file("in.mp4"), "-g", "1000"])
    let single = try batch(folder, "one.mp4 --output-dir a --chunks 4 --crf 20")
    #expect(single.exitCode == 0 && single.errors.contains("has no keyframe"), "\(single)")
    let short = try batch(folder, "in.mp4 --output-dir b --chunks auto --crf 20")
    #expect(short.exitCode == 0 && !short.errors.contains("whole"), "\(short)")
  }

  @Test("numbered images are the same in chunks, and an effect that hears keeps its input whole")
  func otherInputs() throws {
    let folder = try folder()
    try make("in-%03d.png", in: folder, ["-i", folder.file("in.mp4"), "-frames:v", "40"])
    try folder.write(
      """
      /*{"INPUTS": [{"NAME": "wave", "TYPE": "audio"}]}*/
      vec4 effect(vec2 uv) { return vec4(wave(uv).r, frame(uv).gba); }
      """.utf8, to: "hear.comp")
    for (input, effect) in [("in-%03d.png", "glitch"), ("in.mp4", "./hear.comp")] {
      let words = "\(input) --codec ffv1 --container mkv -e \(effect) --output-dir"
      #expect(try batch(folder, words + " whole").exitCode == 0)
      let result = try batch(folder, words + " cut --chunks 4")
      #expect(result.exitCode == 0, "\(result)")
      #expect(result.errors.contains("hears the audio") == (input == "in.mp4"), "\(result)")
      let (whole, cut) = (
        try content("whole/in.mkv", of: folder), try content("cut/in.mkv", of: folder)
      )
      #expect(whole.frames == cut.frames && whole.times == cut.times, "\(input)")
      #expect(try chunks(folder).count == 4)
    }
  }

  @Test("a killed batch goes on with the chunks that are missing")
  func killed() throws {
    let folder = try folder(seconds: 12)
    let words = "--codec ffv1 --container mkv -e invert"
    #expect(try batch(folder, "in.mp4 --output-dir whole \(words)").exitCode == 0)
    let cut = "in.mp4 --output-dir cut --chunks 12 --jobs 2 --verbose \(words)"
    let child = try KfrecProcess.start(
      ["batch"] + cut.split(separator: " ").map(String.init), in: folder)
    #expect(child.waitForError("of 12 chunks"))
    child.send(SIGKILL)
    _ = child.wait()
    let before = try chunks(folder)
    #expect(!before.isEmpty && before.count < 12)
    // A chunk without a line in the journal is made again.
    let result = try batch(folder, cut)
    #expect(result.exitCode == 0, "\(result)")
    let all = try chunks(folder)
    #expect(all.count == 12 && Set(all).count == 12, "\(all)")
    let (whole, joined) = (
      try content("whole/in.mkv", of: folder), try content("cut/in.mkv", of: folder)
    )
    #expect(whole.frames == joined.frames && whole.times == joined.times)
    #expect(!namesInFolder(folder.file("cut")).contains(".kfrec-batch"))
  }

  @Test(
    "chunks that could not be joined are usage errors",
    arguments: [
      ("--bitrate 2M", "parts cannot share a bit rate"),
      ("--codec mpeg4", "parts need a constant quality"),
      ("--crf 20 --start 1", "leave out --start"), ("--crf 20 --fps 10", "leave out --fps"),
      ("--container y4m", "cannot be joined from parts"),
    ])
  func mistakes(words: String, message: String) throws {
    let folder = try folder()
    let result = try batch(folder, "in.mp4 --output-dir out --chunks 4 \(words)")
    #expect(result.exitCode == 2 && result.errors.contains(message), "\(result)")
    let alone = try batch(folder, "in.mp4 --output-dir out --chunk-lead-in 4")
    #expect(alone.exitCode == 2 && alone.errors.contains("is for --chunks"), "\(alone)")
  }

  @Test("chunked inputs tell how far they are, and what --chunks refuses is named as it was typed")
  func progress() throws {
    let folder = try TemporaryFolder()
    try make(
      "in.mp4", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=12", "-c:v", "libx264", "-g", "25"])
    let result = try batch(
      folder, "in.mp4 --output-dir out --chunks 3 --crf 20 -e gaussianBlur --progress json")
    #expect(result.exitCode == 0, "\(result)")
    let lines = result.text.split(separator: "\n").filter { $0.contains(#""type":"progress""#) }
    #expect(!lines.isEmpty, "\(result)")
    #expect(
      lines.allSatisfy { $0.contains(#""output":"in.mov""#) && !$0.contains(#""percent":null"#) })
    for (words, named) in [
      ("--fps 30", "--fps"), ("--fps-mode cfr", "--fps-mode"),
      ("--fps-mode blend --fps 9", "--fps and --fps-mode"),
      ("--speed 2", "--speed"), ("--reverse", "--reverse"), ("--loop 2", "--loop"),
      ("--boomerang", "--boomerang"),
      ("--end 1", "--end"), ("--frame-range 1-2", "--frame-range"), ("-t 1", "--duration"),
      ("--frames 2", "--frames"),
    ] {
      let refused = try batch(folder, "in.mp4 --output-dir x --chunks 3 --crf 20 \(words)")
      #expect(refused.exitCode == 2 && refused.errors.contains("leave out \(named), or --chunks"))
    }
  }
}
