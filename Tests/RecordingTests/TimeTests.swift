import Frames
import TestSupport
import Testing

/// Tests that every output frame has exactly its input's timestamp and duration.
@Suite struct TimeTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let input: String
    let output: String
    let words: [String]

    init(_ name: String, _ input: String, _ output: String, _ words: [String]) {
      (testDescription, self.input, self.output, self.words) = (name, input, output, words)
    }
  }

  static let h264 = ["-c:v", "libx264", "-preset", "ultrafast"]
  static let bFrames = ["-c:v", "libx264", "-preset", "veryfast", "-bf", "3"]

  static func pattern(_ rate: String, seconds: String = "1") -> [String] {
    ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=\(rate):d=\(seconds)"]
  }

  /// A filter that leaves out some frames of 60 per second, so that successive gaps may differ.
  static let variable =
    pattern("60", seconds: "1.5") + [
      "-vf", "select='not(mod(n,3))+not(mod(n,7))'", "-fps_mode", "passthrough",
    ]

  static let cases = [
    Case("25, mp4 to mov", "in.mp4", "out.mov", pattern("25") + h264),
    Case("30000/1001, mp4 to mov", "in.mp4", "out.mov", pattern("30000/1001") + bFrames),
    Case("24000/1001, mp4 to mov", "in.mp4", "out.mov", pattern("24000/1001") + bFrames),
    Case("24000/1001, mp4 to mp4", "in.mp4", "out.mp4", pattern("24000/1001") + bFrames),
    Case("59.94 in 1/90000, mpegts to mov", "in.ts", "out.mov", pattern("60000/1001") + bFrames),
    Case(
      "30000/1001 in milliseconds, mkv to mov", "in.mkv", "out.mov", pattern("30000/1001") + h264),
    Case(
      "30000/1001 in milliseconds, mkv to mkv", "in.mkv", "out.mkv", pattern("30000/1001") + h264),
    Case("variable, mkv to mov", "in.mkv", "out.mov", variable + bFrames),
    Case("variable, mp4 to mov", "in.mp4", "out.mov", variable + bFrames),
    Case("variable, mov to mov", "in.mov", "out.mov", variable + h264),
  ]

  @Test(
    "each frame keeps its exact time and duration, and the first is at 0", arguments: cases,
    [[], ["--force-gpu"]])
  func frameTimes(_ item: Case, _ way: [String]) throws {
    let folder = try TemporaryFolder()
    let input = try make(item.input, in: folder, item.words)
    let output = folder.file(item.output)
    let result = try KfrecProcess.run(["-i", input, "-o", output] + way)
    #expect(result.exitCode == 0, "\(result)")
    let before = try Timeline(input)
    let expected = before.from(before.start).withoutGaps
    let found = try Timeline(output)
    #expect(expected.count > 20)
    #expect(found.times == expected.map(\.time))
    let last = try #require(expected.last)
    let duration = try #require(last.duration)
    let stream = try Probe.stream(output, "start_pts,duration_ts,time_base")
    #expect(stream["start_pts"] == "0")
    if item.output.hasSuffix(".mkv") {
      // Matroska has only the duration of the whole file, in milliseconds.
      let whole = try Probe.rows(output, "format=duration").first?["duration"].flatMap {
        Double($0)
      }
      #expect(abs((whole ?? 0) - (last.time + duration).doubleValue) <= 0.001)
    } else {
      // A track's frames last until the next one, and the last one until the track's end.
      let ticks = try #require(stream["duration_ts"].flatMap { Int64($0) })
      let base = try Timeline.rational(stream["time_base"])
      #expect(Rational(ticks) * base == last.time + duration)
    }
    #expect(result.errors.contains("\(expected.count) frames in, \(expected.count) out, 0 dropped"))
  }

  @Test("B-frames leave no gap at the start: the first displayed frame is at 0 in every track")
  func noGapAtStart() throws {
    let folder = try TemporaryFolder()
    let input = try make("in.mp4", in: folder, TimeTests.pattern("25") + TimeTests.bFrames)
    let output = folder.file("out.mov")
    let result = try KfrecProcess.run(["-i", input, "-o", output, "--preset", "medium"])
    #expect(result.exitCode == 0, "\(result)")
    #expect(try Probe.stream(output, "has_b_frames")["has_b_frames"] != "0")
    let frames = try Probe.rows(output, "frame=pts_time", of: "v:0")
    #expect(frames.first?["pts_time"].flatMap { Double($0) } == 0)
    #expect(frames.count == 25)
    #expect(try Probe.rows(output, "format=start_time").first?["start_time"] == "0.000000")
    #expect(try Probe.rows(output, "format=duration").first?["duration"] == "1.000000")
  }

  @Test("--start, --duration and --frames take exactly the requested frames")
  func part() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.mp4", in: folder, TimeTests.pattern("25", seconds: "2") + TimeTests.bFrames)
    let all = try Timeline(input).times
    let parts: [([String], ArraySlice<Rational>)] = [
      (["--start", "0.52"], all[13...]),
      (["--start", "0.53"], all[14...]),
      (["--duration", "0.4"], all[..<10]),
      (["-t", "0.41"], all[..<11]),
      (["--frames", "7"], all[..<7]),
      (["--start", "00:00:01.2", "--frames", "3"], all[30..<33]),
      (["--start", "1.0", "--duration", "0.2"], all[25..<30]),
    ]
    for (words, expected) in parts {
      let output = folder.file("out.mov")
      let result = try KfrecProcess.run(["-y", "-i", input, "-o", output] + words)
      #expect(result.exitCode == 0, "\(words): \(result)")
      let zero = try #require(expected.first)
      #expect(try Timeline(output).times == expected.map { $0 - zero }, "\(words)")
    }
  }

  @Test("the frames of a part are those of the source from that frame on, bit for bit")
  func partPictures() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.mkv", in: folder,
      TimeTests.pattern("25") + ["-c:v", "ffv1", "-pix_fmt", "yuv444p", "-g", "1"])
    let output = folder.file("out.mkv")
    let result = try KfrecProcess.run([
      "-i", input, "-o", output, "--start", "0.4", "--frames", "5", "--crf", "0", "--pixel-format",
      "yuv444p",
    ])
    #expect(result.exitCode == 0, "\(result)")
    let size = 64 * 48 * 3
    let all = try Probe.pixels(input, "yuv444p")
    #expect(try Probe.pixels(output, "yuv444p") == Array(all[(10 * size)..<(15 * size)]))
  }

  @Test("a start behind the end is an error that names the file")
  func startBehindEnd() throws {
    let folder = try TemporaryFolder()
    let input = try make("in.mp4", in: folder, TimeTests.pattern("25") + TimeTests.h264)
    let result = try KfrecProcess.run(["-i", input, "-o", folder.file("out.mov"), "--start", "9"])
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.errors.contains("in.mp4 lasts 1.00 seconds, and the start at 9.00"), "\(result)")
    #expect(folder.names == ["in.mp4"])
  }

  @Test("missing or decreasing timestamps are predicted from the one before, and counted")
  func predictedTimes() throws {
    let folder = try TemporaryFolder()
    // An elementary stream has no timestamps.
    let bare = try make("in.h264", in: folder, TimeTests.pattern("25") + TimeTests.h264)
    let film = try make("in.ts", in: folder, TimeTests.pattern("25") + TimeTests.h264)
    // Two pieces one after the other: in the middle the clock goes back to the start.
    let twice = try folder.write(readFile(film) + readFile(film), to: "twice.ts")
    for (input, count) in [(bare, 25), (twice, 50)] {
      let output = folder.file("out.mov")
      let result = try KfrecProcess.run(["-y", "-i", input, "-o", output, "--progress", "json"])
      #expect(result.exitCode == 0, "\(result)")
      let times = try Timeline(output).times
      #expect(times == (0..<count).map { Rational(Int64($0), 25) })
      if input == twice {
        #expect(!result.text.contains("\"predictedTimes\":0,"))
      }
    }
  }

  @Test(
    "a video file of one to three frames keeps their times with every encoder",
    arguments: ["libx264", "libx265", "libsvtav1", "libvpx-vp9"], 1...3)
  func shortest(encoder: String, count: Int) throws {
    let folder = try TemporaryFolder()
    // The C library fills fresh memory with a pattern: libx265 has returned uninitialized memory as a
    // timestamp.
    let result = try KfrecProcess.run(
      [
        "-i", "testsrc", "--size", "176x144", "--fps", "25", "--frames", "\(count)", "--codec",
        encoder, "-o", "out.mp4",
      ], in: folder, environment: ["MALLOC_PERTURB_": "85"])
    #expect(result.exitCode == 0, "\(result)")
    let times = try Timeline(folder.file("out.mp4")).times
    #expect(times == (0..<count).map { Rational(Int64($0), 25) })
  }
}
