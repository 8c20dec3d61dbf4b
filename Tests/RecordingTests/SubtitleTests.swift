import Glibc
import TestSupport
import Testing

/// `--subtitles` and `--subtitles-track`: what is in the picture and in the tracks, when, and what is refused.
@Suite struct SubtitleTests {
  let folder: TemporaryFolder

  private static let srt =
    "1\n00:00:00,500 --> 00:00:01,500\nHello\n\n2\n00:00:02,000 --> 00:00:09,000\n<i>Bye</i>\n"
  private static let vtt =
    "WEBVTT\n\n00:00.500 --> 00:01.500\nHello\n\n00:02.000 --> 00:09.000\n<i>Bye</i>\n"

  /// A script of ASS for a picture of 320x180, with more sections and events.
  private static func ass(_ events: String, _ sections: String = "") -> String {
    """
    [Script Info]
    ScriptType: v4.00+
    PlayResX: 320
    PlayResY: 180
    ScaledBorderAndShadow: yes

    [V4+ Styles]
    Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
    Style: Default,DejaVu Sans,24,&H0030C0F0,&H000000FF,&H00400000,&H80000000,0,0,0,0,100,100,0,0,1,2,2,2,10,10,10,1

    \(sections)
    [Events]
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
    \(events)

    """
  }

  private static let plain =
    "Dialogue: 0,0:00:00.50,0:00:01.50,Default,,0,0,0,,Hello\nDialogue: 0,0:00:02.00,0:00:09.00,Default,,0,0,0,,{\\i1}Bye"

  init() throws {
    folder = try TemporaryFolder()
    try make(
      "in.mkv", in: folder,
      ["-f", "lavfi", "-i", "color=black:s=320x180:r=10:d=3", "-c:v", "ffv1"])
    try folder.write(Self.srt.utf8, to: "a.srt")
    try folder.write(Self.vtt.utf8, to: "a.vtt")
    try folder.write(Self.ass(Self.plain).utf8, to: "a.ass")
    let units = Array(Self.srt.utf16)
    let wide: [UInt8] =
      [0xFF, 0xFE]
      + units.map { UInt8($0 & 255) }.enumerated().flatMap { [$1, UInt8(units[$0] >> 8)] }
    try folder.write(wide, to: "wide.srt")
  }

  /// The samples of a video's frames in a format of one plane, and the times of the frames.
  private func frames(
    _ path: String, as format: String = "gray", bytes: Int = 320 * 180
  ) throws -> [(time: Double, samples: ArraySlice<UInt8>)] {
    let samples = try ChildProcess(
      "ffmpeg",
      [
        "-v", "error", "-i", path, "-fps_mode", "passthrough", "-pix_fmt", format, "-f", "rawvideo",
        "-",
      ]
    ).wait().output
    let times = try Probe.rows(path, "packet=pts_time", of: "v:0").compactMap {
      $0["pts_time"].flatMap(Double.init)
    }.sorted()
    #expect(samples.count == bytes * times.count)
    return times.enumerated().map { ($1, samples[(bytes * $0)..<(bytes * ($0 + 1))]) }
  }

  private func record(_ words: [String], _ name: String = "out.mkv") throws -> String {
    let output = folder.file(name)
    let result = try KfrecProcess.run(words + ["-y", "-o", output], in: folder)
    #expect(result.exitCode == 0, "\(words): \(result)")
    return output
  }

  @Test(
    "the words are in the picture at the times of the input, whatever becomes of its time",
    arguments: [
      ("a.srt", ["-i", "in.mkv"], [0.5...1.5, 2...3]),
      ("a.vtt", ["-i", "in.mkv"], [0.5...1.5, 2...3]),
      ("a.ass", ["-i", "in.mkv"], [0.5...1.5, 2...3]),
      ("wide.srt", ["-i", "in.mkv"], [0.5...1.5, 2...3]),
      ("a.srt", ["-i", "in.mkv", "--start", "1"], [0...0.5, 1...2]),
      ("a.srt", ["-i", "in.mkv", "-t", "1"], [0.5...1]),
      ("a.srt", ["-i", "in.mkv", "--fps", "20"], [0.5...1.5, 2...3]),
      ("a.srt", ["-i", "in.mkv", "--speed", "0.5"], [1...3, 4...6]),
      ("a.srt", ["-i", "in.mkv", "--start", "1", "--speed", "2"], [0...0.25, 0.5...1]),
      ("a.srt", ["-i", "in.mkv", "--reverse"], [0...1, 1.5...2.5]),
      ("a.srt", ["-i", "in.mkv", "--loop", "2"], [0.5...1.5, 2...3, 3.5...4.5, 5...6]),
      ("a.srt", ["-i", "in.mkv", "--frame-range", "8-22"], [0...0.7, 1.2...1.5]),
      ("a.srt", ["-i", "in.mkv", "-i", "in.mkv"], [0.5...1.5, 2...6]),
      ("a.srt", ["-i", "late.mkv"], [0.5...1.5, 2...3]),
      ("a.srt", ["-i", "color:000000", "--size", "320x180", "-t", "3"], [0.5...1.5, 2...3]),
      ("a.srt", ["-i", "in.mkv", "-e", "invert", "-e", "invert"], [0.5...1.5, 2...3]),
    ] as [(String, [String], [ClosedRange<Double>])])
  func times(_ file: String, _ words: [String], _ shown: [ClosedRange<Double>]) throws {
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-y", "-i", folder.file("in.mkv"), "-c", "copy", "-output_ts_offset", "5",
        "-avoid_negative_ts",
        "disabled", folder.file("late.mkv"),
      ])
    let output = try record(words + ["--subtitles", file, "--codec", "ffv1"])
    let frames = try frames(output)
    #expect(!frames.isEmpty)
    for frame in frames {
      let isBright = frame.samples.contains { $0 > 120 }
      let isWanted = shown.contains {
        $0.lowerBound - 0.001 <= frame.time && frame.time < $0.upperBound - 0.001
      }
      #expect(isBright == isWanted, "\(words): \(frame.time)")
    }
  }

  @Test(
    "the picture is that of FFmpeg's filter, with styles, drawings, blur and opacity",
    arguments: [
      Self.plain.replacing("Hello", with: "Hello, {\\c&H0000FF&}world{\\fad(200,200)}"),
      "Dialogue: 0,0:00:00.00,0:00:03.00,Default,,0,0,0,,{\\pos(40,40)\\alpha&H80&\\p1}m 0 0 l 100 0 100 50 0 50{\\p0}",
      "Dialogue: 0,0:00:00.00,0:00:03.00,Default,,0,0,0,,{\\pos(310,20)\\blur3\\fs40}over the edge",
    ])
  func likeFFmpeg(_ events: String) throws {
    let isDrawing = events.contains("\\p1")
    try folder.write(Self.ass(events).utf8, to: "look.ass")
    try make(
      "look.mkv", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=4:d=2,format=bgr0", "-c:v", "ffv1"])
    let ours = try frames(
      record([
        "-i", "look.mkv", "--subtitles", "look.ass", "--codec", "ffv1", "--pixel-format", "bgr0",
      ]),
      as: "rgb24", bytes: 3 * 320 * 180)
    let theirs = try frames(
      make(
        "theirs.mkv", in: folder,
        [
          "-i", folder.file("look.mkv"), "-vf", "subtitles=\(folder.file("look.ass"))", "-c:v",
          "ffv1",
          "-pix_fmt", "bgr0",
        ]), as: "rgb24", bytes: 3 * 320 * 180)
    #expect(ours.count == theirs.count && ours.count == 8)
    for (own, other) in zip(ours, theirs) {
      let apart = zip(own.samples, other.samples).map { abs(Int($0) - Int($1)) }
      // FFmpeg's filter hints letters, which moves their edges. FFmpeg 9's makes half of 128 72.
      let mean = Double(apart.reduce(0, +)) / Double(apart.count)
      #expect(apart.max() ?? 255 <= (isDrawing ? 12 : 80) && mean < 0.5, "\(own.time): \(mean)")
    }
  }

  @Test(
    "white is the reference white of HDR that is kept",
    arguments: [("smpte2084", 573), ("arib-std-b67", 721)])
  func hdr(_ transfer: String, _ white: Int) throws {
    let square = "{\\c&HFFFFFF&\\bord0\\shad0\\p1}m 0 0 l 100 0 100 50 0 50"
    try folder.write(
      Self.ass("Dialogue: 0,0:00:00.00,0:00:03.00,Default,,0,0,0,,\(square)").utf8, to: "white.ass")
    try make(
      "hdr.mkv", in: folder,
      [
        "-f", "lavfi", "-i",
        "color=black:s=320x180:r=4:d=1,format=yuv444p10le,setparams=range=limited", "-c:v", "ffv1",
        "-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc",
      ])
    let output = try record([
      "-i", "hdr.mkv", "--hdr", "keep", "--subtitles", "white.ass", "--codec", "ffv1",
      "--pixel-format",
      "yuv444p10le",
    ])
    let bytes = try frames(output, as: "yuv444p10le", bytes: 6 * 320 * 180)[3].samples
    let luma = bytes.prefix(2 * 320 * 180).withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
    #expect(abs(Int(luma.max() ?? 0) - white) <= 3, "\(luma.max() ?? 0)")
  }

  /// When each text of a track is shown, in milliseconds; the empty ones of a MOV are left out.
  private func texts(_ path: String, track: Int = 0) throws -> [[Int]] {
    try Probe.rows(path, "packet=pts_time,duration_time,size", of: "s:\(track)").compactMap { row in
      guard row["size"] != "2", let time = row["pts_time"].flatMap(Double.init),
        let length = row["duration_time"].flatMap(Double.init)
      else { return nil }
      return [time, time + length].map { Int(($0 * 1000).rounded()) }
    }
  }

  @Test(
    "a track has the exact times and the language, in the text of its container",
    arguments: [
      ("out.mkv", "subrip", "a.srt"), ("out.mkv", "ass", "a.ass"), ("out.mp4", "mov_text", "a.srt"),
      ("out.mov", "mov_text", "a.vtt"), ("out.webm", "webvtt", "a.srt"),
      ("out.mp4", "mov_text", "a.ass"),
    ])
  func tracks(_ name: String, _ codec: String, _ file: String) throws {
    let output = try record(["-i", "in.mkv", "--subtitles-track", file + "~language=deu"], name)
    let stream = try Probe.stream(output, "codec_name", of: "s:0")
    #expect(stream["codec_name"] == codec)
    let tags = try Probe.rows(output, "stream_tags=language", of: "s:0")
    #expect(["deu", "ger"].contains(tags.first?["tag:language"]))
    // None outlasts the last frame.
    #expect(try texts(output) == [[500, 1500], [2000, 3000]])
    let words = try runTool(
      "ffmpeg", ["-v", "error", "-i", output, "-map", "0:s:0", "-f", "srt", "-"])
    #expect(words.contains("Hello") && words.contains("Bye"))
  }

  @Test(
    "the times of a track follow the input",
    arguments: [
      (["-i", "in.mkv", "--start", "1"], [[0, 500], [1000, 2000]]),
      (["-i", "in.mkv", "--start", "1", "-t", "1.5"], [[0, 500], [1000, 1500]]),
      (["-i", "in.mkv", "--speed", "0.5"], [[1000, 3000], [4000, 6000]]),
      (["-i", "in.mkv", "--start", "1", "--speed", "2"], [[0, 250], [500, 1000]]),
      (["-i", "in.mkv", "--frame-range", "8-22"], [[0, 700], [1200, 1500]]),
      (["-i", "in.mkv", "-i", "in.mkv"], [[500, 1500], [2000, 6000]]),
      (["-i", "color:000000", "--size", "320x180", "-t", "2.5"], [[500, 1500], [2000, 2500]]),
    ] as [([String], [[Int]])])
  func trackTimes(_ words: [String], _ times: [[Int]]) throws {
    for name in ["out.mkv", "out.mp4"] {
      let output = try record(words + ["--subtitles-track", "a.srt"], name)
      #expect(try texts(output) == times, "\(words)")
    }
  }

  @Test(
    "a track ends with the frames of an output that stops before its source",
    arguments: [
      (["-i", "in.mkv", "--frames", "15", "--fps", "10"], [[500, 1500], [700, 1000]]),
      (["-i", "in.mkv", "--frames", "15"], [[500, 1500], [700, 1000]]),
      (
        ["-i", "in.mkv", "-i", "in.mkv", "--frames", "40", "--fps", "20"],
        [[500, 2000], [700, 1000]]
      ),
      (
        ["-i", "in.mkv", "--speed", "2", "--frames", "9", "--fps", "10"],
        [[250, 900], [350, 500]]
      ),
      (
        ["-i", "in.mkv", "--frames", "15", "--fps", "10", "--fps-mode", "nearest"],
        [[500, 1500], [700, 1000]]
      ),
      (
        ["-i", "testsrc", "--size", "64x36", "--realtime", "-t", "1.2"],
        [[500, 1200], [700, 1000]]
      ),
      (
        ["-i", "testsrc", "--size", "64x36", "--realtime", "--frames", "24", "--fps", "20"],
        [[500, 1200], [700, 1000]]
      ),
    ] as [([String], [[Int]])])
  func trackLimits(_ words: [String], _ times: [[Int]]) throws {
    let long =
      "1\n00:00:00,500 --> 00:00:08,000\nLong\n\n2\n00:00:00,700 --> 00:00:01,000\nShort\n"
    try folder.write(long.utf8, to: "long.srt")
    let output = try record(words + ["--subtitles-track", "long.srt"])
    #expect(try texts(output) == times, "\(words)")
  }

  @Test("several tracks come after those of the input, and beside words in the picture")
  func several() throws {
    let input = try record(["-i", "in.mkv", "--subtitles-track", "a.srt~language=eng"], "own.mkv")
    let output = try record(
      [
        "-i", input, "--subtitles", "a.ass", "--subtitles-track", "a.vtt~language=fra",
        "--subtitles-track", "a.ass", "--codec", "ffv1",
      ])
    let codecs = try Probe.rows(output, "stream=codec_name", of: "s").map { $0["codec_name"] }
    #expect(codecs == ["subrip", "webvtt", "ass"])
    for track in 0...2 {
      #expect(try texts(output, track: track) == [[500, 1500], [2000, 3000]])
    }
    #expect(try frames(output)[7].samples.contains { $0 > 150 })
  }

  @Test(
    "what cannot be drawn or kept is refused in one sentence, and nothing is left",
    arguments: [
      (["--subtitles", "none.srt"], 1, "none.srt does not exist"),
      (["--subtitles", "in.png"], 1, "is no text"),
      (["--subtitles", "note.txt"], 1, "SubRip (.srt)"),
      (["--subtitles", "latin.srt"], 1, "iconv -f WINDOWS-1252 -t UTF-8"),
      (["--subtitles", "empty.srt"], 1, "empty"),
      (["--subtitles", "crowd.srt"], 1, "10001 subtitles at the same time"),
      (["--subtitles", "head.vtt"], 1, "no subtitles in it"),
      (["--subtitles", "cut.srt"], 1, "is not in UTF-16"),
      (["--subtitles-track", "wide.vtt"], 1, "iconv -f UTF-16 -t UTF-8"),
      (["--subtitles", "fifo"], 2, "is a pipe"), (["--subtitles", "."], 1, "directory"),
      (["--subtitles-track", "none.srt"], 1, "none.srt does not exist"),
      (["--subtitles-track", "latin.srt"], 1, "iconv"),
      (["--subtitles-track", "a.srt~german"], 2, "~language="),
      (["--subtitles-track", "a.srt~language=de"], 2, "three letters"),
      (["--subtitles-track", "a.srt", "--reverse"], 2, "--subtitles"),
      (["--subtitles-track", "a.srt", "--split", "1"], 2, "--subtitles"),
      (["--subtitles-track", "a.srt", "-o", "out.y4m"], 2, "out.y4m can hold no track"),
      (["--subtitles-track", "a.srt", "-o", "out.gif"], 2, "out.gif can hold no track"),
      (["--subtitles", "a.srt", "-y", "-o", "a.srt", "--container", "mkv"], 2, "the subtitles"),
    ] as [([String], Int32, String)])
  func refused(_ words: [String], _ code: Int32, _ sentence: String) throws {
    try make("in.png", in: folder, ["-f", "lavfi", "-i", "color=red:s=16x16", "-frames:v", "1"])
    try folder.write("A note.\n".utf8, to: "note.txt")
    try folder.write(
      [UInt8](Self.srt.replacing("Hello", with: "H?llo").utf8).map { $0 == 63 ? 0xE4 : $0 },
      to: "latin.srt")
    try folder.write("".utf8, to: "empty.srt")
    if words.contains("crowd.srt") {
      // As many before them are not shown with them.
      let lines = (0...20_000).map { number in
        "\(number)\n00:00:0\(number < 10_000 ? "0,000" : "1,000") --> 00:00:0\(number < 10_000 ? "1" : "2"),000\nx\(number)\n"
      }
      try folder.write(lines.joined(separator: "\n").utf8, to: "crowd.srt")
    }
    try folder.write("WEBVTT\n\n".utf8, to: "head.vtt")
    // Half of a pair.
    try folder.write(readFile(folder.file("wide.srt")) + [0x00, 0xD8, 0x0A, 0], to: "cut.srt")
    try folder.write([0xFE, 0xFF] + Self.vtt.utf8.flatMap { [0, $0] }, to: "wide.vtt")
    mkfifo(folder.file("fifo"), 0o600)
    let before = folder.names.sorted()
    let output = words.contains("-o") ? [] : ["-o", "out.mov"]
    let result = try KfrecProcess.run(["-i", "in.mkv"] + words + output, in: folder)
    #expect(result.exitCode == code && result.errors.contains(sentence), "\(result)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result)")
    #expect(folder.names.sorted() == before)
  }

  @Test("nothing is drawn before the first words, whatever is in the memory")
  func before() throws {
    // Each byte that malloc gives is 1: a rectangle of 257x257 pixels at 257/257, of a gray that is not black.
    let words = [
      "-i", "color:000000", "--size", "640x640", "--frames", "2", "--subtitles", "a.srt",
    ]
    let result = try KfrecProcess.run(
      words + ["-o", "black.y4m"], in: folder,
      environment: ["GLIBC_TUNABLES": "glibc.malloc.perturb=254"])
    #expect(result.exitCode == 0, "\(result)")
    let file = try readFile(folder.file("black.y4m"))
    let start = try #require(file.firstRange(of: Array("FRAME\n".utf8))).upperBound
    #expect(file[start..<(start + 640 * 640)].allSatisfy { $0 == 16 })
  }

  @Test("an output that can hold no track is named, and the others have it")
  func someHold() throws {
    let result = try KfrecProcess.run(
      ["-i", "in.mkv", "--subtitles-track", "a.srt", "-o", "a.mkv", "-o", "a.m3u8"], in: folder)
    #expect(result.exitCode == 0 && result.errors.contains("a.m3u8 can hold no track"), "\(result)")
    #expect(try texts(folder.file("a.mkv")).count == 2)
  }

  @Test("a script opens no other file, and one that asks for much ends")
  func hostile() throws {
    mkfifo(folder.file("fifo"), 0o600)
    let path = folder.file("fifo")
    let events = """
      Dialogue: 0,0:00:00.00,0:00:03.00,Default,,0,0,0,,{\\fn\(path)}one
      Dialogue: 0,0:00:00.00,0:00:03.00,Default,,0,0,0,\(path),{\\fs99999999\\bord9999\\blur9999\\fscx9999999}huge
      Dialogue: 0,0:00:00.00,0:00:03.00,Default,,0,0,0,,{\\p1}m -9999999 -9999999 l 99999999 0 99999999 99999999 0 5{\\p0}
      Dialogue: 0,0:00:00.00,0:00:03.00,Default,,0,0,0,,{\\t(0,1,99999,\\frx99999)\\move(0,0,9999999,-9999999)\\org(1e30,-1e30)}x
      Dialogue: 0,0:00:00.00,0:00:03.00,None,,-99999999,99999999,99999999,,\(String(repeating: "{\\b1", count: 5000))
      """
    // A font of the script itself, which is no font.
    let fonts = "[Fonts]\nfontname: evil.ttf\n\(String(repeating: "!!!!", count: 2000))\n\n"
    let script = Self.ass(events, fonts).replacing(
      "Style: Default,DejaVu Sans", with: "Style: Default,\(path)")
    try folder.write(script.utf8, to: "evil.ass")
    let many = (1...4_000).map { number in
      "\(number)\n00:00:00,000 --> 00:00:00,00\(number % 9 + 1)\n\(number)\n"
    }.joined(separator: "\n")
    try folder.write(many.utf8, to: "many.srt")
    for file in ["evil.ass", "many.srt"] {
      let result = try KfrecProcess.run(
        ["-i", "in.mkv", "--subtitles", file, "-y", "-o", "out.mov"], in: folder)
      #expect(result.exitCode == 0, "\(file): \(result)")
    }
  }

  @Test("a batch draws the file on each input, and makes the outputs again when it changed")
  func batch() throws {
    try runTool("cp", [folder.file("in.mkv"), folder.file("second.mkv")])
    let words = ["batch", "in.mkv", "second.mkv", "--subtitles", "a.srt", "--output-dir", "made"]
    for expected in [2, 0] {
      let result = try KfrecProcess.run(words, in: folder)
      #expect(result.exitCode == 0 && result.errors.contains("\(expected) made"), "\(result)")
    }
    try folder.write(Self.srt.replacing("Hello", with: "Hullo").utf8, to: "a.srt")
    let again = try KfrecProcess.run(words, in: folder)
    #expect(again.exitCode == 0 && again.errors.contains("2 made"), "\(again)")
    let missing = try KfrecProcess.run(
      ["batch", "in.mkv", "--subtitles", "none.srt", "--output-dir", "none"], in: folder)
    #expect(missing.exitCode != 0 && missing.errors.contains("none.srt does not exist"))
  }
}
