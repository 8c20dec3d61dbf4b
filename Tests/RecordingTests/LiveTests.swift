import FoundationEssentials
import Frames
import Glibc
import TestSupport
import Testing

/// Tests of a source at its own pace with an output that is too slow.
@Suite struct LiveTests {
  private struct Line: Decodable, Sendable {
    struct Latency: Decodable, Sendable { var mean, longest: Double }
    var type: String
    var live: Bool?
    var framesIn, framesOut, dropped, exitCode: Int?
    var latency: Latency?
    var cores: Double?
  }

  @Test("frames that a blocked output cannot take are dropped and counted, and the rest keep times")
  func dropped() throws {
    let folder = try TemporaryFolder()
    // At 50 frames per second all timestamps are whole milliseconds, as in Matroska.
    let (end, path) = try throughBlockedOutput(
      ["-i", "testsrc", "--size", "320x240", "--fps", "50"], in: folder, stops: true)
    let (framesIn, framesOut) = (try #require(end.framesIn), try #require(end.framesOut))
    let dropped = try #require(end.dropped)
    #expect(dropped >= 5 && framesOut == framesIn - dropped && framesOut > 0)
    #expect(end.exitCode == 0)
    #expect(end.latency.map { $0.longest >= $0.mean && $0.mean > 0 } == true)
    #expect(end.cores.map { $0 > 0 } == true)
    let times = try Timeline(path).times
    #expect(times.count == framesOut)
    let numbers = times.map { $0 * Rational(50) }
    #expect(numbers.allSatisfy { $0.denominator == 1 }, "every frame is at its own time")
    #expect(numbers.first == .zero)
    // The newest frames are kept: the last one that was read is in the file.
    #expect(numbers.last == Rational(Int64(framesIn - 1)))
  }

  @Test("no audio is dropped with the frames")
  func audioStays() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x240:r=50:d=3", "-f", "lavfi", "-i",
        "anoisesrc=d=3:r=48000", "-c:v", "mpeg4", "-c:a", "aac",
      ])
    let (end, path) = try throughBlockedOutput(["-i", input], in: folder, stops: false)
    let dropped = try #require(end.dropped)
    #expect(dropped >= 5 && end.exitCode == 0)
    #expect(end.framesIn == 150 && end.framesOut == 150 - dropped)
    func audio(_ path: String) throws -> [UInt8] {
      Array(
        try runTool(
          "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-c", "copy", "-f", "md5", "-"]
        ).utf8)
    }
    #expect(try audio(path) == audio(input))
    #expect(
      try Timeline(path, of: "a:0").entries.count == Timeline(input, of: "a:0").entries.count)
  }

  @Test("nothing is dropped where the output keeps up, and a file's times and range stay")
  func keepsUp() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.mov", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-vf", "scale=out_range=full",
        "-color_range", "pc", "-pix_fmt", "yuv420p", "-c:v", "libx264",
      ])
    let result = try KfrecProcess.run(
      ["-i", "in.mov", "--realtime", "-o", "out.mov", "--progress", "json"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let lines = try lines(result.text)
    #expect(lines.first?.live == true)
    // A machine that stops for long still drops some; the frames in the file are right.
    let end = try #require(lines.last)
    #expect(end.framesIn == 25 && end.dropped.map { end.framesOut == 25 - $0 } == true)
    let output = folder.file("out.mov")
    let source = try Timeline(input)
    #expect(Set(try Timeline(output).times).isSubset(of: source.from(source.start).times))
    #expect(try Probe.stream(output, "color_range")["color_range"] == "pc")
  }

  @Test("the summary has cores and latency instead of a rate that is the source's own")
  func summary() throws {
    let folder = try TemporaryFolder()
    let words = ["-i", "testsrc", "--size", "64x48", "--frames", "5"]
    let live = try KfrecProcess.run(words + ["--realtime", "-o", "a.mov"], in: folder)
    #expect(live.errors.contains(" cores, ") && live.errors.contains(" s from source to file ("))
    #expect(!live.errors.contains(" fps"))
    let plain = try KfrecProcess.run(words + ["-o", "b.mov"], in: folder)
    #expect(plain.errors.contains(" fps") && !plain.errors.contains("from source to file"))
  }

  @Test(
    "the reported frames are in the file, however short the recording is",
    arguments: ["mov", "mp4", "mkv", "y4m"], [1, 5])
  func short(container: String, frames: Int) throws {
    let folder = try TemporaryFolder()
    let result = try KfrecProcess.run(
      [
        "-i", "testsrc", "--size", "64x48", "--realtime", "--frames", "\(frames)", "-o",
        "s.\(container)", "--progress", "json",
      ], in: folder)
    #expect(result.exitCode == 0)
    let held = try Probe.rows(folder.file("s.\(container)"), "packet=pts", of: "v:0").count
    #expect(try held > 0 && lines(result.text).last?.framesOut == held)
  }

  @Test("frames are kept if the recording ends before its audio", arguments: ["aac", "ac3"])
  func silent(codec: String) throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=3", "-itsoffset", "2", "-f", "lavfi", "-i",
        "sine=d=1", "-c:v", "mpeg4", "-c:a", codec,
      ])
    let result = try KfrecProcess.run(
      ["-i", input, "--realtime", "--frames", "4", "-o", "s.mov", "--progress", "json"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let held = try Probe.rows(folder.file("s.mov"), "packet=pts", of: "v:0").count
    #expect(try held > 0 && lines(result.text).last?.framesOut == held)
    #expect(result.text.contains("has no audio where") == (codec == "ac3"))
  }

  @Test("Ctrl-C ends the wait for a frame that is far in the future")
  func stopped() throws {
    let folder = try TemporaryFolder()
    let child = try KfrecProcess.start(
      [
        "-i", "testsrc", "--size", "64x48", "--fps", "1/1000", "--realtime", "-o", "out.mov",
        "--progress", "json",
      ], in: folder)
    #expect(child.waitForOutput { $0.contains("\"ready\"") })
    child.send(SIGINT)
    let result = child.wait()
    #expect(result.exitCode == 0 && !result.timedOut, "\(result)")
    #expect(try lines(result.text).last?.framesOut == 1)
  }

  /// Records at the source's pace into an unread pipe until five frames are dropped, then reads the
  /// pipe to its end, after a Ctrl-C if the source is endless.
  ///
  /// Returns the JSON end object, and the path of the copy of what came through the pipe.
  private func throughBlockedOutput(
    _ words: [String], in folder: TemporaryFolder, stops: Bool
  ) throws -> (end: Line, path: String) {
    mkfifo(folder.file("pipe"), 0o600)
    // A reader that does not read; it also opens the pipe for writing, so as not to wait for kfrec.
    let blocked = open(folder.file("pipe"), O_RDWR | O_CLOEXEC)
    let child = try KfrecProcess.start(
      words + [
        // Every frame fills a large part of the pipe.
        "--realtime", "-o", "pipe", "--container", "mkv", "--crf", "0", "--preset", "ultrafast",
        "--progress", "json",
      ], in: folder)
    let hasDropped = child.waitForOutput {
      $0.split(separator: "\n").dropLast().contains { line in
        (try? JSONDecoder().decode(Line.self, from: Data(line.utf8)))?.dropped ?? 0 >= 5
      }
    }
    #expect(hasDropped)
    let path = folder.file("out.mkv")
    let reader = try ChildProcess("cp", ["pipe", "out.mkv"], folder: folder.path)
    if stops { child.send(SIGINT) }
    // The reader has opened its end once bytes are in the file.
    waitUntil { (try? readFile(path).isEmpty) == false }
    close(blocked)
    let result = child.wait()
    #expect(!result.timedOut, "\(result)")
    #expect(reader.wait().exitCode == 0)
    return (try #require(try lines(result.text).last), path)
  }

  private func lines(_ text: String) throws -> [Line] {
    try text.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
  }
}
