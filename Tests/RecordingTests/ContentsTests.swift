import TestSupport
import Testing

/// Subtitles, chapters, covers, attached files, and what tracks are called: kept where the container has them.
@Suite struct ContentsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A Matroska file with all of them.
  private func input() throws -> String {
    let text =
      "1\n00:00:00,500 --> 00:00:01,500\nHello\n\n2\n00:00:02,000 --> 00:00:02,800\n<i>Bye</i>\n"
    let subtitles = try folder.write(text.utf8, to: "a.srt")
    let metadata = """
      ;FFMETADATA1
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=1000
      title=One
      [CHAPTER]
      TIMEBASE=1/1000
      START=1000
      END=3000
      title=Two
      """
    let chapters = try folder.write(metadata.utf8, to: "chapters.txt")
    let cover = try make(
      "cover.jpg", in: folder, ["-f", "lavfi", "-i", "color=red:s=16x16", "-frames:v", "1"])
    return try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=3", "-f", "lavfi", "-i", "sine=d=3", "-i",
        subtitles, "-i", chapters, "-map", "0", "-map", "1", "-map", "1", "-map", "2",
        "-map_chapters", "3", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "alac", "-c:s",
        "srt", "-metadata:s:v:0", "title=Main", "-metadata:s:a:0", "title=Director",
        "-metadata:s:a:1", "language=fre", "-metadata:s:s:0", "language=eng", "-disposition:a:0",
        "0", "-disposition:a:1", "default+comment", "-attach", cover, "-metadata:s:t:0",
        "mimetype=image/jpeg", "-metadata:s:t:0", "filename=cover.jpg", "-attach", chapters,
        "-metadata:s:t:1", "mimetype=text/plain", "-metadata:s:t:1", "filename=notes.txt",
      ])
  }

  private func record(_ input: String, _ name: String, _ words: [String] = []) throws -> (
    output: String, errors: String
  ) {
    let output = folder.file(name)
    let result = try KfrecProcess.run(["-i", input, "-y", "-o", output] + words)
    #expect(result.exitCode == 0, "\(result)")
    return (output, result.errors)
  }

  private func text(_ path: String) throws -> [String] {
    try runTool("ffmpeg", ["-v", "error", "-i", path, "-map", "0:s:0", "-f", "srt", "-"])
      .split(separator: "\n").map { String($0.filter { $0 != "\r" }) }
  }

  private func chapters(_ path: String) throws -> [String] {
    try Probe.rows(path, "chapter=start_time,end_time:chapter_tags=title").map {
      "\($0["tag:title"] ?? "") \($0["start_time"] ?? "") \($0["end_time"] ?? "")"
    }
  }

  @Test(
    "each container keeps what it can hold, and names the rest in one warning",
    arguments: [
      ("mkv", nil, "subrip", "title"), ("mp4", "an attached file", "mov_text", "handler_name"),
      (
        "mov", "a cover image, an attached file, flags of audio tracks (comment)", "mov_text",
        "handler_name"
      ),
    ])
  func kept(_ container: String, _ lost: String?, _ subtitles: String, _ title: String) throws {
    let input = try input()
    let (output, errors) = try record(input, "out.\(container)")
    let warnings = errors.split(separator: "\n").filter { $0.contains("left out") }
    #expect(warnings.count == (lost == nil ? 0 : 1), "\(errors)")
    if let lost { #expect(warnings.first?.hasSuffix("left out of the output: \(lost)") == true) }
    #expect(try Probe.stream(output, "codec_name", of: "s:0")["codec_name"] == subtitles)
    #expect(
      try text(output) == [
        "1", "00:00:00,500 --> 00:00:01,500", "Hello", "2", "00:00:02,000 --> 00:00:02,800",
        "<i>Bye</i>",
      ])
    #expect(
      try chapters(output) == ["One 0.000000 1.000000", "Two 1.000000 3.000000"])
    func tag(_ stream: String, _ name: String) throws -> String? {
      try Probe.rows(output, "stream_tags=\(name)", of: stream).first?["tag:\(name)"]
    }
    #expect(try tag("v:0", title) == "Main" && tag("a:0", title) == "Director")
    // Both are French; MOV has the second code alone.
    #expect(try tag("a:1", "language") == (container == "mov" ? "fra" : "fre"))
    #expect(try tag("s:0", "language") == "eng")
    let flags = try Probe.rows(output, "stream_disposition=default,comment", of: "a")
    #expect(flags.map { $0["disposition:default"] } == ["0", "1"])
    #expect(flags.last?["disposition:comment"] == (container == "mov" ? "0" : "1"))
    let covers = try Probe.rows(output, "stream_disposition=attached_pic", of: "v")
    #expect(covers.contains { $0["disposition:attached_pic"] == "1" } == (container != "mov"))
    if container == "mkv" {
      let names = try Probe.rows(output, "stream_tags=filename").compactMap { $0["tag:filename"] }
      #expect(names == ["cover.jpg", "notes.txt"])
    }
  }

  @Test(
    "a part has its own subtitles and chapters, moved and cut", arguments: ["out.mkv", "out.mp4"])
  func parts(_ name: String) throws {
    let (output, _) = try record(try input(), name, ["--start", "1", "-t", "1.4"])
    #expect(
      try text(output) == [
        "1", "00:00:00,000 --> 00:00:00,500", "Hello", "2", "00:00:01,000 --> 00:00:01,400",
        "<i>Bye</i>",
      ])
    #expect(try chapters(output) == ["Two 0.000000 1.400000"])
  }

  /// A movie of three seconds with texts that overlap.
  private func overlapping() throws -> String {
    let text =
      "1\n00:00:00,200 --> 00:00:02,800\nlong\n\n2\n00:00:01,100 --> 00:00:01,400\nmid\n\n"
      + "3\n00:00:02,000 --> 00:00:02,900\nlate\n"
    let subtitles = try folder.write(text.utf8, to: "b.srt")
    return try make(
      "over.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=3", "-f", "lavfi", "-i", "sine=d=3", "-i",
        subtitles, "-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264", "-preset",
        "ultrafast", "-c:a", "flac", "-c:s", "srt",
      ])
  }

  /// When each text is shown, in milliseconds; the empty ones of a MOV, which end a text, are left out.
  private func times(_ path: String) throws -> [[Int]] {
    try Probe.rows(path, "packet=pts_time,duration_time,size", of: "s:0").compactMap { row in
      guard row["size"] != "2", let time = row["pts_time"].flatMap(Double.init),
        let length = row["duration_time"].flatMap(Double.init)
      else { return nil }
      return [time, time + length].map { Int(($0 * 1000).rounded()) }
    }
  }

  /// The length of a file in seconds.
  private func length(_ path: String) throws -> Double {
    try Probe.rows(path, "format=duration").first?["duration"].flatMap(Double.init) ?? 0
  }

  @Test(
    "texts that overlap keep their times, and in a MOV or MP4 a later one takes the place of an earlier one",
    arguments: ["out.mov", "out.mp4", "out.mkv"])
  func overlaps(_ name: String) throws {
    let (output, _) = try record(try overlapping(), name)
    #expect(
      try times(output)
        == [[200, name == "out.mkv" ? 2800 : 1100], [1100, 1400], [2000, 2900]])
    #expect(try length(output) < 3.05)
    // Also where a live source would be written in fragments.
    let (live, _) = try record(try overlapping(), name, ["--realtime"])
    #expect(try times(live) == times(output))
  }

  @Test(
    "the texts of a part end with it, also those that began before it",
    arguments: [
      (["--frame-range", "25-40"], [[0, 640], [100, 400]], 0.64),
      (["--start", "1", "-t", "1"], [[0, 1000], [100, 400]], 1),
      (["--start", "1", "--end", "2"], [[0, 1000], [100, 400]], 1),
      (["--frames", "25"], [[200, 1000]], 1), (["--frames", "1"], [], 0.04),
      (["--frames", "70"], [[200, 2800], [1100, 1400], [2000, 2800]], 2.8),
      (["--frames", "10", "--fps", "10"], [[200, 1000]], 1),
    ] as [([String], [[Int]], Double)])
  func ends(_ words: [String], _ texts: [[Int]], _ seconds: Double) throws {
    let input = try overlapping()
    let (output, _) = try record(input, "out.mkv", words)
    #expect(try times(output) == texts)
    // A packet of FLAC lasts a tenth of a second.
    #expect(try abs(length(output) - seconds) < 0.11)
    let (movie, _) = try record(input, "out.mp4", words)
    #expect(try times(movie).map { $0[0] } == texts.map { $0[0] })
    #expect(try abs(length(movie) - seconds) < 0.11)
  }

  @Test("where a gap is cut, texts move with the frames behind it")
  func gap() throws {
    let first = try overlapping()
    let list = try folder.write(
      "file '\(first)'\nduration 1000\nfile '\(first)'\n".utf8, to: "list.txt")
    let input = try make(
      "gap.mkv", in: folder,
      ["-f", "concat", "-safe", "0", "-i", list, "-map", "0", "-c", "copy"])
    let (output, errors) = try record(input, "out.mkv", ["--fps-mode", "cfr"])
    #expect(errors.contains("997 seconds were cut"), "\(errors)")
    let found = try times(output)
    #expect(found.count == 6 && found.prefix(3) == [[200, 2800], [1100, 1400], [2000, 2900]])
    // The gap ends at the end of what came before it.
    for (time, old) in zip(found.suffix(3), found) {
      #expect(abs(time[0] - old[0] - 3000) < 60 && time[1] - time[0] == old[1] - old[0])
    }
    #expect(try length(output) < 6.2)
  }

  @Test("text of an MP4 becomes SubRip in Matroska, and --no-subtitles leaves it out unnamed")
  func converted() throws {
    let (packed, _) = try record(try input(), "in.mp4")
    let (output, _) = try record(packed, "out.mkv")
    #expect(try Probe.stream(output, "codec_name", of: "s:0")["codec_name"] == "subrip")
    #expect(try text(output)[2] == "Hello")
    let (none, errors) = try record(packed, "none.mkv", ["--no-subtitles"])
    #expect(try Probe.rows(none, "stream=codec_type", of: "s").isEmpty)
    #expect(!errors.contains("subtitle"), "\(errors)")
  }

  /// The bytes of a PGS stream: a white bar from 0.5 to 1.5 seconds, in an image of 64x48.
  private static let bar: [UInt8] = {
    func segment(_ time: Int, _ type: UInt8, _ body: [UInt8]) -> [UInt8] {
      let ticks = (0..<4).map { UInt8(truncatingIfNeeded: (time * 90) >> (24 - 8 * $0)) }
      return [0x50, 0x47] + ticks + [0, 0, 0, 0, type, 0, UInt8(body.count)] + body
    }
    // Its place is 8, 32, and its size 48x8.
    let window: [UInt8] = [1, 0, 0, 8, 0, 32, 0, 48, 0, 8]
    let lines = (0..<8).flatMap { _ -> [UInt8] in [0, 0x80 | 48, 1, 0, 0] }
    let object = [0, 0, 0, 0xC0, 0, 0, UInt8(lines.count + 4), 0, 48, 0, 8] + lines
    return segment(500, 0x16, [0, 64, 0, 48, 0x10, 0, 0, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 8, 0, 32])
      + segment(500, 0x17, window) + segment(500, 0x14, [0, 0, 1, 235, 128, 128, 255])
      + segment(500, 0x15, object) + segment(500, 0x80, [])
      + segment(1500, 0x16, [0, 64, 0, 48, 0x10, 0, 1, 0, 0, 0, 0])
      + segment(1500, 0x17, window) + segment(1500, 0x80, [])
  }()

  @Test(
    "bitmaps and stereo 3D data are kept where the container has them, and named otherwise",
    arguments: [
      ("out.mkv", nil), ("out.mp4", "a subtitle track"),
      ("out.mov", "a subtitle track, stereo 3D data"),
      ("out.webm", "a subtitle track, stereo 3D data"),
    ])
  func bitmaps(_ name: String, _ lost: String?) throws {
    let bar = try folder.write(ContentsTests.bar, to: "bar.sup")
    let input = try make(
      "bar.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-itsoffset", "0.5", "-i", bar, "-map",
        "0", "-map", "1", "-c:v", "libx264", "-preset", "ultrafast", "-c:s", "copy",
        "-metadata:s:v", "stereo_mode=left_right",
      ])
    let (output, errors) = try record(input, name)
    let warnings = errors.split(separator: "\n").filter { $0.contains("left out") }
    #expect(warnings.count == (lost == nil ? 0 : 1), "\(errors)")
    if let lost { #expect(warnings.first?.hasSuffix("left out of the output: \(lost)") == true) }
    let isStereo =
      if name == "out.mp4" {
        // FFmpeg 7.1 reads this box as "unspecified": 2 is side by side (Google's Spherical Video RFC).
        try readFile(output).firstRange(of: Array("st3d".utf8) + [0, 0, 0, 0, 2]) != nil
      } else {
        try Probe.rows(output, "stream_side_data=type", of: "v:0")
          .contains { $0.values.contains("side by side") }
      }
    #expect(isStereo == !(lost?.contains("3D") ?? false))
    let rows = "packet=pts_time,duration_time,size"
    let shown = try Probe.rows(output, rows, of: "s")
    #expect(try shown == (lost == nil ? Probe.rows(input, rows, of: "s") : []), "\(shown)")
    #expect(lost != nil || shown.count == 2)
  }

  @Test(
    "stereo 3D data goes where pixels leave their places",
    arguments: ["--crop", "--rotate", "--flip", "--aspect"])
  func moved(_ option: String) throws {
    let input = try make(
      "stereo.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.2", "-c:v", "libx264",
        "-metadata:s:v", "stereo_mode=left_right",
      ])
    let values = ["--crop": "0,0,32,48", "--rotate": "90", "--flip": "v", "--aspect": "2:1"]
    let (output, errors) = try record(input, "out.mkv", [option, values[option] ?? ""])
    let moves = option != "--aspect"
    #expect(errors.contains("left out of the output: stereo 3D data") == moves, "\(errors)")
    let data = try Probe.rows(output, "stream_side_data=type", of: "v:0")
    #expect(data.contains { $0.values.contains("side by side") } == !moves)
  }
}
