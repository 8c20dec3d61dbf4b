import Frames
import TestSupport
import Testing

/// Tests `--frame-range` with the real program: `ffmpeg` compares the frames of a stretch with those of the
/// whole.
@Suite struct FrameRangeTests {
  /// Hashes of the frames, in order.
  private func hashes(_ path: String) throws -> [Substring] {
    let text = try runTool(
      "ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", "-f", "framemd5", "-"])
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: ",").last }
  }

  private func record(_ words: String, in folder: TemporaryFolder) throws -> ChildResult {
    try KfrecProcess.run(
      words.split(separator: " ").map(String.init) + ["--codec", "ffv1"], in: folder)
  }

  private func input(_ name: String, in folder: TemporaryFolder) throws {
    try make(
      name.contains("%") ? "in-%03d.png" : name, in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=30000/1001:d=3"]
        + (name.contains("%")
          ? []
          : [
            "-f", "lavfi", "-i", "sine=d=3", "-c:v", "libx264", "-g", "20", "-bf", "3", "-c:a",
            "aac",
          ]))
  }

  @Test(
    "a stretch has the frames of the whole, and its times start at 0",
    arguments: ["in.mp4", "in.mkv", "in.ts", "in-%03d.png"],
    ["0-3", "19-21", "20-45", "87-89"])
  func frames(name: String, range: String) throws {
    let folder = try TemporaryFolder()
    try input(name, in: folder)
    #expect(try record("-i \(name) -e glitch -o whole.mkv", in: folder).exitCode == 0)
    let result = try record(
      "-i \(name) -e glitch --frame-range \(range) -o part.mkv", in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let ends = range.split(separator: "-").compactMap { Int($0) }
    let whole = try hashes(folder.file("whole.mkv"))
    #expect(whole.count == 90)
    #expect(try hashes(folder.file("part.mkv")) == Array(whole[ends[0]...ends[1]]))
    let times = try Probe.rows(folder.file("part.mkv"), "packet=pts,dts", of: "v:0")
    #expect(times.first.map { $0["pts"] == "0" || $0["dts"] == "0" } == true, "\(times)")
    for row in try Probe.rows(folder.file("part.mkv"), "packet=pts", of: "a:0").prefix(1) {
      #expect(abs(Int(row["pts"] ?? "") ?? 999) < 50, "\(row)")
    }
  }

  @Test(
    "an effect that reads earlier frames gives a stretch the pixels of the whole",
    arguments: ["in.mp4", "in.ts", "in-%03d.png", "testsrc"], ["3-5", "20-45"])
  func history(name: String, range: String) throws {
    let folder = try TemporaryFolder()
    if name != "testsrc" { try input(name, in: folder) }
    let effect = """
      /*{"DESCRIPTION": "Three moments.", "CATEGORIES": ["Time"], "HISTORY": 8}*/
      vec4 effect(vec2 uv) {
        return vec4(earlierPixel(8, PIXEL).r, earlierPixel(4, PIXEL).g, framePixel().b, 1.0);
      }
      """
    try folder.write(effect.utf8, to: "three.comp")
    let common = "-i \(name)\(name == "testsrc" ? " --size 64x48" : "") -e ./three.comp"
    let end = name == "testsrc" ? " --frames 50" : ""
    #expect(try record(common + end + " -o whole.mkv", in: folder).exitCode == 0)
    let result = try record(common + " --frame-range \(range) -o part.mkv", in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let ends = range.split(separator: "-").compactMap { Int($0) }
    let whole = try hashes(folder.file("whole.mkv"))
    #expect(try hashes(folder.file("part.mkv")) == Array(whole[ends[0]...ends[1]]))
    let times = try Timeline(folder.file("part.mkv")).times
    #expect(times.first == .zero && times.count == ends[1] - ends[0] + 1)
    let one = try KfrecProcess.run(
      common.split(separator: " ").map(String.init)
        + ["--frame-range", "\(ends[0])", "-y", "-o", "one.png"], in: folder)
    #expect(one.exitCode == 0 && !one.errors.contains("warning"), "\(one)")
    guard name == "in.mp4" else { return }
    // The audio begins with the stretch too.
    let heard = try KfrecProcess.run(
      common.split(separator: " ").map(String.init)
        + ["--frame-range", range, "--audio-codec", "pcm", "-y", "-o", "part.mov"], in: folder)
    #expect(heard.exitCode == 0, "\(heard)")
    let lengths = try ["v:0", "a:0"].map {
      try Probe.stream(folder.file("part.mov"), "duration", of: $0)["duration"].flatMap {
        Double($0)
      } ?? 0
    }
    #expect(abs(lengths[0] - lengths[1]) < 0.001, "\(lengths)")
  }

  @Test("a generated source and a still image begin with any frame")
  func generated() throws {
    let folder = try TemporaryFolder()
    try make("in.png", in: folder, ["-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1"])
    for source in ["testsrc --size 64x48", "in.png"] {
      #expect(
        try record("-i \(source) -e glitch --frames 40 -o a.mkv -y", in: folder).exitCode == 0)
      #expect(
        try record("-i \(source) -e glitch --frame-range 37-39 -o b.mkv -y", in: folder).exitCode
          == 0)
      #expect(
        try hashes(folder.file("b.mkv")) == Array(hashes(folder.file("a.mkv"))[37...39]))
    }
  }

  @Test(
    "a stretch beyond the end and a source without frame numbers are told",
    arguments: [
      ("-i in.mp4 --frame-range 90-91", 1, "in.mp4 has 90 frames, from 0 to 89"),
      ("-i in.mkv --frame-range 90-91", 1, "in.mkv has 90 frames, from 0 to 89"),
      ("-i in.mp4 --frame-range 88-95", 3, "in.mp4 ends before frame 95"),
      ("-i - --frame-range 1-2", 2, "standard input has no frame numbers"),
      ("-i in.mp4 --frame-range 1-2 --start 1", 2, "--frame-range and --start contradict"),
      ("-i in.mp4 --frame-range 1-2 -t 1", 2, "--frame-range and --duration contradict"),
      ("-i in.mp4 --frame-range 1-2 --frames 1", 2, "--frame-range and --frames contradict"),
      ("-i in.mp4 --frame-range 1-2 --fps 10", 2, "--fps makes others"),
      ("-i in.mp4 --frame-range 2-1", 2, "two frame numbers from 0"),
      ("-i in.mp4 -i in.mkv --frame-range 1-2", 2, "--frame-range is for one input"),
    ])
  func mistakes(words: String, exitCode: Int32, message: String) throws {
    let folder = try TemporaryFolder()
    for name in ["in.mp4", "in.mkv"] { try input(name, in: folder) }
    let result = try record(words + " -o out.mkv", in: folder)
    #expect(result.exitCode == exitCode && result.errors.contains(message), "\(result)")
  }
}
