import Frames
import Glibc
import TestSupport
import Testing

/// Lengths, rates and times that a container states wrongly, or does not state: what is known is not taken from an
/// estimate, and what is assumed is said.
@Suite struct StatedTimesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ words: [String]) throws -> ChildResult {
    try KfrecProcess.run(["-y"] + words, in: folder)
  }

  private func picture(_ seconds: Int, rate: String = "25") -> [String] {
    ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=\(rate):d=\(seconds)"]
  }

  private static let h264 = ["-c:v", "libx264", "-preset", "ultrafast"]

  /// Makes two pictures that are shown for ten seconds each.
  private func makeSlides() throws {
    try make(
      "slides.mp4", in: folder,
      picture(20, rate: "1/10") + Self.h264 + ["-video_track_timescale", "12800"])
  }

  /// Returns the seconds that a file states; the samples of a MOV must add up to as much.
  private func length(_ name: String) throws -> Double {
    let path = folder.file(name)
    let stated = try Probe.rows(path, "format=duration").first?["duration"].flatMap(Double.init)
    guard name.hasSuffix(".mov") else { return stated ?? 0 }
    let added = try Probe.stream(path, "duration")["duration"].flatMap(Double.init)
    return min(stated ?? 0, added ?? 0)
  }

  @Test(
    "a whole output with a variable rate passes its verification",
    arguments: ["mkv", "webm", "mov"],
    [[], ["--speed", "2"], ["--split", "1"]])
  func verified(ending: String, words: [String]) throws {
    try make(
      "in.mp4", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=30:d=1.5", "-vf", "select='lt(mod(n\\,10)\\,6)'"]
        + ["-fps_mode", "vfr"] + Self.h264)
    let result = try run(["-i", "in.mp4", "--verify", "full", "-o", "out.\(ending)"] + words)
    #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
    guard words.isEmpty else { return }
    let batch = try KfrecProcess.run(
      ["batch", "in.mp4", "--container", ending, "--output-dir", "made"], in: folder)
    #expect(batch.exitCode == 0 && batch.errors.contains("1 made"), "\(batch)")
  }

  @Test(
    "a length ends a picture that is shown for longer, in each container",
    arguments: ["mov", "mkv"])
  func slides(ending: String) throws {
    try makeSlides()
    let result = try run(["-i", "slides.mp4", "-t", "12", "-o", "out.\(ending)"])
    #expect(result.exitCode == 0, "\(result)")
    #expect(try abs(length("out.\(ending)") - 12) < 0.002)
    // Matroska has a usual length of all frames, and none of the last one.
    let again = try run(["-i", "out.\(ending)", "-o", "again.mov"])
    #expect(again.exitCode == 0, "\(again)")
    #expect(try length("again.mov") == 12)
  }

  @Test(
    "a part that ends within a long frame of a variable rate shows it until the part's end",
    arguments: ["mkv", "mp4"])
  func longFrame(ending: String) throws {
    // Matroska states the usual length of each frame, and MP4 with reordered frames none: frame 9 is shown from 0.36 to 1.6.
    try make(
      "in.\(ending)", in: folder,
      picture(3) + ["-vf", "select='lt(n\\,10)+gte(n\\,40)'", "-fps_mode", "vfr"] + Self.h264
        + ["-bf", ending == "mp4" ? "2" : "0"])
    for (words, seconds) in [
      ("-t 1", 1.0), ("--end 2", 2), ("--fps 25 -t 1", 1), ("--end 1 --loop 2", 2),
      ("--frames 10", 1.6), ("--frame-range 5-9", 1.4),
    ] {
      let result = try run(
        ["-i", "in.\(ending)", "-o", "out.mov"] + words.split(separator: " ").map(String.init))
      #expect(result.exitCode == 0, "\(words): \(result)")
      let found = try length("out.mov")
      #expect(abs(found - seconds) < 0.002, "\(words): \(found)")
    }
  }

  @Test(
    "a last frame whose length a container does not store is shown as long as the others",
    arguments: ["flv", "asf", "mov"])
  func lastFrame(ending: String) throws {
    try make(
      "in.\(ending)", in: folder,
      picture(2, rate: "5") + ["-c:v", ending == "asf" ? "wmv2" : "libx264", "-bf", "0"])
    let input = "in.\(ending)"
    // Behind a start between two frames a part begins with the next one: less than a frame is missing of each input.
    for (words, seconds) in [
      ([input], 2.0), ([input, "--fps", "25"], 2), ([input, "-t", "1.5"], 1.5),
      ([input, "-t", "1.5", "--fps", "20"], 1.5), ([input, "--start", "0.5", "-t", "1.5"], 1.4),
      ([input, "--start", "0.5", "-t", "1.5", "--fps", "25"], 1.4),
      ([input + "~start=0.9", "-i", input + "~start=0.9", "-t", "1.5"], 1.5),
      ([input + "~start=0.5~end=1", "-i", input + "~start=0.5~end=1", "-t", "1"], 0.8),
      (
        [
          input + "~start=0.9", "-i", input + "~start=0.9", "-e", "crossfade", "--overlap", "0.3",
          "-t", "1.5",
        ], 1.5
      ),
    ] {
      let result = try run(["-i"] + words + ["-o", "out.mov"])
      #expect(result.exitCode == 0, "\(words): \(result)")
      let found = try length("out.mov")
      #expect(abs(found - seconds) < 0.002, "\(words): \(found)")
    }
    // More than that is missing.
    let short = try run(["-i", input, "--start", "0.5", "-t", "1.7", "-o", "out.mov"])
    #expect(short.exitCode == 3, "\(short)")
  }

  @Test("y4m of a variable rate has its own length in the summary, and a warning says what is lost")
  func withoutTimes() throws {
    try make(
      "in.mp4", in: folder,
      picture(4) + ["-vf", "select='not(between(n\\,10\\,80))'", "-fps_mode", "vfr"] + Self.h264)
    let result = try run(["-i", "in.mp4", "-o", "out.y4m"])
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.errors.contains("came within 4.00 seconds and play in 1."), "\(result)")
    #expect(result.errors.contains("29 out") && result.errors.contains("0:01."), "\(result)")
    let steady = try run(["-i", "in.mp4", "--fps", "25", "-o", "out.y4m"])
    #expect(steady.exitCode == 0 && !steady.errors.contains("warning"), "\(steady)")
    #expect(steady.errors.contains("100 out"), "\(steady)")
  }

  @Test("an AVI with reordered frames begins at zero, with all of its sound")
  func avi() throws {
    try make(
      "in.avi", in: folder,
      picture(3) + ["-f", "lavfi", "-i", "sine=d=3", "-c:v", "libx264", "-bf", "2", "-g", "75"]
        + ["-sc_threshold", "0", "-c:a", "pcm_s16le"])
    let result = try run(["-i", "in.avi", "-o", "out.mkv"])
    #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
    #expect(try Timeline(folder.file("out.mkv")).times == (0..<75).map { Rational($0, 25) })
    #expect(try Timeline(folder.file("out.mkv"), of: "a:0").times.first == .zero)
    let sound = try ChildProcess(
      "ffmpeg",
      ["-v", "error", "-i", folder.file("out.mkv"), "-map", "0:a", "-f", "s16le", "-ac", "1", "-"]
    ).wait().output
    #expect(sound.count >= 2 * 3 * 44_100, "\(sound.count)")
    #expect(try run(["-i", "in.avi", "--start", "2.9", "-o", "end.mov"]).errors.contains(" 2 out"))
  }

  @Test("audio before the first frame is told with its whole length, and hidden audio is not told")
  func early() throws {
    try make(
      "in.mp4", in: folder,
      picture(3) + ["-f", "lavfi", "-i", "sine=d=3"] + Self.h264 + ["-c:a", "aac"])
    for late in ["0.15", "0.48"] {
      try make(
        "late.mp4", in: folder,
        ["-itsoffset", late, "-i", folder.file("in.mp4"), "-i", folder.file("in.mp4")]
          + ["-map", "0:v", "-map", "1:a", "-c", "copy"])
      let result = try run(["-i", "late.mp4", "-o", "out.mov"])
      #expect(result.exitCode == 0 && result.errors.contains("\(late)"), "\(result)")
      #expect(result.errors.contains("seconds of audio are left out"), "\(result)")
    }
    try make("cut.mp4", in: folder, ["-ss", "0.52", "-i", folder.file("in.mp4"), "-c", "copy"])
    let cut = try run(["-i", "cut.mp4", "-o", "out.mov"])
    #expect(cut.exitCode == 0 && !cut.errors.contains("left out"), "\(cut)")
  }

  @Test("an assumed frame rate is said, and --fps gives the right one")
  func elementary() throws {
    let coder = [
      "-c:v", "libx265", "-x265-params", "vui-timing-info=0:log-level=error", "-f", "hevc",
    ]
    try make("in.hevc", in: folder, picture(1, rate: "30") + coder)
    let assumed = try run(["-i", "in.hevc", "-o", "out.mov"])
    #expect(assumed.exitCode == 0 && assumed.errors.contains("25 frames a second are assumed"))
    #expect(try Timeline(folder.file("out.mov")).times.last == Rational(29, 25))
    let given = try run(["-i", "in.hevc", "--fps", "30", "-o", "out.mov"])
    #expect(given.exitCode == 0 && !given.errors.contains("warning"), "\(given)")
    #expect(given.errors.contains("30 out, 0 dropped, 0 duplicated"), "\(given)")
    #expect(try Timeline(folder.file("out.mov")).times == (0..<30).map { Rational($0, 30) })
    try make("said.h264", in: folder, picture(1, rate: "30") + Self.h264 + ["-f", "h264"])
    let said = try run(["-i", "said.h264", "-o", "out.mov"])
    #expect(said.exitCode == 0 && !said.errors.contains("assumed"), "\(said)")
  }

  @Test("a second movie in the same file is named")
  func joined() throws {
    let film = try make("in.mp4", in: folder, picture(1) + Self.h264)
    try folder.write(readFile(film) + readFile(film), to: "twice.mp4")
    let twice = try run(["-i", "twice.mp4", "-o", "out.mov"])
    #expect(twice.errors.contains("a second movie behind the first one"), "\(twice)")
    #expect(try !run(["-i", "in.mp4", "-o", "out.mov"]).errors.contains("second movie"))
  }

  @Test(
    "encoded audio ends with the frames, also where a length ends within one",
    arguments: [[], ["--fps", "25"]])
  func end(words: [String]) throws {
    try make(
      "in.mov", in: folder, picture(3) + ["-f", "lavfi", "-i", "sine=d=3:r=48000"] + Self.h264)
    let result = try run(
      ["-i", "in.mov", "-t", "1.5", "--audio-codec", "alac", "-o", "out.mov"] + words)
    #expect(result.exitCode == 0, "\(result)")
    let lengths = try ["v:0", "a:0"].map {
      try Probe.stream(folder.file("out.mov"), "duration", of: $0)["duration"] ?? ""
    }
    #expect(lengths[0] == lengths[1], "\(lengths)")
  }

  @Test(
    "copied audio lasts as long as the frames of a constant rate",
    arguments: [
      ("--frames 20 --fps 25", 0.8), ("--frames 45 --fps 25", 1.8), ("--frames 2 --fps 1", 2),
    ])
  func copiedAudio(words: String, seconds: Double) throws {
    // A second of video, then its audio.
    try make(
      "in.mov", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=4", "-f", "lavfi", "-i", "sine=d=4"]
        + Self.h264 + ["-c:a", "aac", "-max_interleave_delta", "1"])
    let result = try run(
      ["-i", "in.mov", "--audio-codec", "copy", "-o", "out.mov"]
        + words.split(separator: " ").map(String.init))
    #expect(result.exitCode == 0, "\(result)")
    let rows = try Probe.rows(folder.file("out.mov"), "stream=codec_type,duration")
    for kind in ["video", "audio"] {
      let row = try #require(rows.first { $0["codec_type"] == kind })
      let length = row["duration"].flatMap(Double.init) ?? 0
      #expect(abs(length - seconds) < 0.05, "\(kind): \(length)")
    }
  }

  @Test(
    "a number of frames at a constant rate ends the reading of the source",
    arguments: ["", "-e vignette", "-e vignette --audio-codec pcm"])
  func endOfReading(words: String) throws {
    try make(
      "in.mp4", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=20", "-f", "lavfi", "-i", "sine=d=20"]
        + Self.h264 + ["-c:a", "aac"])
    let result = try run(
      ["-i", "in.mp4", "--frames", "10", "--fps", "20", "-o", "out.mov"]
        + words.split(separator: " ").map(String.init))
    #expect(result.exitCode == 0 && result.errors.contains(" 10 out,"), "\(result)")
    let line = try #require(
      result.errors.split(separator: "\n").first { $0.contains(" frames in,") })
    let count = line.split(separator: " ").dropFirst(2).first.flatMap { Int($0) }
    #expect(try #require(count) < 100, "\(line)")
    let audio = try Probe.stream(folder.file("out.mov"), "duration", of: "a:0")["duration"]
    #expect(abs((audio.flatMap(Double.init) ?? 0) - 0.5) < 0.03)
  }

  @Test(
    "a number of frames at a constant rate goes on behind a gap that is cut",
    arguments: ["", "-e vignette"])
  func framesBehindGap(words: String) throws {
    try make(
      "in.mkv", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=4,setpts='PTS+if(gte(N,50),700/TB,0)'"]
        + ["-fps_mode", "vfr", "-c:v", "ffv1"])
    let result = try run(
      ["-i", "in.mkv", "--frames", "80", "--fps", "25", "-o", "out.mkv"]
        + words.split(separator: " ").map(String.init))
    #expect(result.exitCode == 0 && result.errors.contains("700 seconds"), "\(result)")
    try make("out.md5", in: folder, ["-i", folder.file("out.mkv"), "-f", "framemd5"])
    let sums = try String(decoding: readFile(folder.file("out.md5")), as: UTF8.self)
      .split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: ",").last }
    // Some pictures of the pattern are equal.
    #expect(sums.count == 80 && Set(sums).count > 65)
  }

  @Test("FLAC in an MP4 made of PCM is a whole movie, without fragments")
  func flacInMP4() throws {
    try make(
      "pcm.mov", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-f", "lavfi", "-i", "sine=d=2"]
        + Self.h264 + ["-c:a", "pcm_s16le"])
    let result = try run(["-i", "pcm.mov", "-o", "out.mp4"])
    #expect(result.exitCode == 0, "\(result)")
    #expect(try readFile(folder.file("out.mp4")).firstRange(of: Array("moof".utf8)) == nil)
    let rows = try Probe.rows(folder.file("out.mp4"), "stream=codec_name,duration")
    #expect(rows.contains { $0["codec_name"] == "flac" })
    #expect(
      rows.allSatisfy { abs((($0["duration"]).flatMap(Double.init) ?? 0) - 2) < 0.001 }, "\(rows)")
  }

  @Test("a part that ends before its first frame is refused at a constant rate, too")
  func emptyPart() throws {
    try make(
      "in.mp4", in: folder, ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=2"] + Self.h264)
    for rate in [[], ["--fps", "25"], ["--fps-mode", "cfr"]] {
      let result = try run(
        ["-i", "in.mp4", "--start", "0.41", "--end", "0.43", "-o", "o.mov"] + rate)
      #expect(
        result.exitCode == 1 && result.errors.contains("has no frame between"), "\(rate): \(result)"
      )
    }
  }

  @Test("a file of a time that nanoseconds cannot count is a file as any other")
  func lateFile() throws {
    mkdir(folder.file("clips"), 0o755)
    try make(
      "clips/in.mp4", in: folder, ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=1"] + Self.h264)
    try make("logo.png", in: folder, ["-f", "lavfi", "-i", "color=red:s=8x8", "-frames:v", "1"])
    for file in ["clips/in.mp4", "logo.png"] {
      try runTool("touch", ["-d", "2300-01-01", folder.file(file)])
    }
    let batch = try KfrecProcess.run(
      ["batch", "clips", "--output-dir", "out", "-e", "overlay:image=logo.png"], in: folder)
    #expect(batch.exitCode == 0, "\(batch)")
  }

  @Test(
    "an output whose last frame is shown for seconds passes its verification, and is read as whole",
    arguments: ["mov", "mkv"])
  func longLastFrame(container: String) throws {
    let made = try BatchFolder()
    try make(
      "clips/slides.mp4", in: made.folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=1/10:d=20"] + Self.h264)
    try make(
      "pause.mp4", in: made.folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=10", "-vf", "select='lt(t,1.62)+gt(t,9)'",
        "-fps_mode", "vfr",
      ] + Self.h264)
    let batch = try made.batch("clips --output-dir out --container \(container)")
    #expect(batch.exitCode == 0, "\(batch)")
    let output = "a.\(container)"
    for words in [
      ["-i", "pause.mp4", "--end", "5", "--verify", "full", "-o", output],
      ["-y", "-i", "pause.mp4", "--end", "5", "--verify", "fast", "-o", output],
      ["-i", output, "-o", "b.mov"],
    ] {
      let result = try KfrecProcess.run(words, in: made.folder)
      #expect(result.exitCode == 0, "\(words): \(result)")
    }
    let times = try Timeline(made.folder.file("b.mov")).times
    #expect(times.count == 41 && times.last == Rational(8, 5))
  }

  @Test("a file of one sample is repeated as fast as a long one")
  func oneSample() throws {
    try make(
      "one.wav", in: folder,
      ["-f", "lavfi", "-i", "aevalsrc=0.5:s=48000:d=1", "-af", "atrim=end_sample=1"])
    let result = try run(
      [
        "-i", "testsrc", "--size", "64x48", "-t", "4", "--audio-in", "one.wav~loop",
        "--audio-codec", "pcm",
      ]
        + ["-o", "out.mov"])
    #expect(result.exitCode == 0, "\(result)")
    let audio = try ChildProcess(
      "ffmpeg", ["-v", "error", "-i", folder.file("out.mov"), "-map", "0:a", "-f", "s16le", "-"]
    ).wait().output
    #expect(audio.count == 4 * 48000 * 2 && Set(audio).count <= 2)
  }

  @Test(
    "frames of another size in mid-stream take their place as --scale says, and the change is told")
  func changedSize() throws {
    for (name, size) in [("a.ts", "128x96"), ("b.ts", "96x128")] {
      try make(
        name, in: folder, ["-f", "lavfi", "-i", "color=red:s=\(size):r=25:d=1"] + Self.h264)
    }
    try folder.write(readFile(folder.file("a.ts")) + readFile(folder.file("b.ts")), to: "in.ts")
    for (scale, corner) in [("fit", 0), ("fill", 253), ("stretch", 253)] {
      let result = try run(["-i", "in.ts", "--scale", scale, "-o", "out.mov"])
      #expect(result.exitCode == 0, "\(result)")
      #expect(result.errors.contains("in.ts has another size"), "\(result)")
      #expect(result.errors.ranges(of: "has another size").count == 1, "\(result)")
      let pixels = try Probe.pixels(
        folder.file("out.mov"), "rgb24", filters: ["crop=1:1:2:2:exact=1"])
      #expect(
        pixels.count == 150 && abs(Int(pixels[147]) - corner) < 6, "\(scale) \(pixels.suffix(3))")
    }
    try make(
      "c.ts", in: folder,
      ["-f", "lavfi", "-i", "color=red:s=128x96:r=25:d=1,format=yuv444p"] + Self.h264)
    try folder.write(readFile(folder.file("a.ts")) + readFile(folder.file("c.ts")), to: "in.ts")
    let layout = try run(["-i", "in.ts", "-o", "out.mov"])
    #expect(layout.errors.contains("other colours (yuv444p)"), "\(layout)")
  }
}
