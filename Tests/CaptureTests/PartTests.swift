import CPosix
import Capture
import FFmpegHandles
import Frames
import Glibc
import TestSupport
import Testing

@Suite("Parts and audio")
struct PartTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let kinds: [(name: String, words: [String])] = [
    ("a.mp4", ["-c:v", "libx264", "-bf", "3", "-g", "20"]),
    ("open.mp4", ["-c:v", "libx264", "-bf", "3", "-g", "20", "-x264-params", "open-gop=1"]),
    ("a.mkv", ["-c:v", "libx264", "-bf", "3", "-g", "20"]),
    ("a.ts", ["-c:v", "libx264", "-bf", "3", "-g", "20"]),
    ("a.avi", ["-c:v", "mpeg4"]),
  ]

  private func movie(_ kind: (name: String, words: [String])) throws -> String {
    let path = folder.file(kind.name)
    try ffmpeg(
      ["-f", "lavfi", "-i", "testsrc=s=64x48:r=25", "-f", "lavfi", "-i", "sine", "-t", "4"]
        + kind.words + [path])
    return path
  }

  /// Returns the time at which players start to count, by ffprobe: the start of the file's earliest
  /// stream.
  private func zero(_ path: String) throws -> Rational {
    let text = try runTool(
      "ffprobe", ["-v", "error", "-show_entries", "format=start_time", "-of", "csv=p=0", path])
    let digits = text.filter { $0.isNumber || $0 == "-" }
    return Rational(try #require(Int64(digits)), 1_000_000)
  }

  /// Expects a part to equal `count` frames of the whole file from index `from`, in timestamps and
  /// pixels.
  private func same(_ part: ReadSource, _ whole: ReadSource, from: Int, count: Int) {
    let expected = whole.frames[from..<from + count]
    #expect(part.times == expected.map { $0.time })
    #expect(zip(part.frames, expected).allSatisfy { $0.rawVideo == $1.rawVideo })
  }

  @Test(
    "a part begins at the first frame from the start on, wherever keyframes are", arguments: kinds)
  func start(kind: (name: String, words: [String])) throws {
    let path = try movie(kind)
    let whole = try ReadSource(path)
    let origin = try #require(whole.times.first)
    let zero = try zero(path)
    #expect(zero <= origin && zero > origin - Rational(1, 20))
    for first in [0, 1, 19, 20, 21, 38, 39, 40, 77, 99] {
      let exact = whole.times[first] - zero
      let part = try ReadSource(path) {
        $0.start = exact
        $0.frames = 1
      }
      same(part, whole, from: first, count: 1)
    }
    let between = try ReadSource(path) {
      $0.start = Rational(39, 25) + Rational(1, 100)
      $0.frames = 3
    }
    let next = try #require(whole.times.firstIndex { $0 - zero >= Rational(157, 100) })
    same(between, whole, from: next, count: 3)
  }

  @Test("a part has the requested length, in frames and in seconds", arguments: kinds)
  func length(kind: (name: String, words: [String])) throws {
    let path = try movie(kind)
    let whole = try ReadSource(path)
    let seconds = try ReadSource(path) {
      $0.start = Rational(1)
      $0.duration = Rational(1, 2)
    }
    let zero = try zero(path)
    let first = try #require(whole.times.firstIndex { $0 >= zero + Rational(1) })
    same(
      seconds, whole, from: first,
      count: whole.times.filter {
        $0 >= whole.times[first] && $0 < whole.times[first] + Rational(1, 2)
      }.count)
    #expect(seconds.description.frameCount.map { abs($0 - 13) <= 1 } ?? false)
    let frames = try ReadSource(path) { $0.frames = 7 }
    same(frames, whole, from: 0, count: 7)
    #expect(frames.description.frameCount == 7)
  }

  @Test("a part is the same from a FIFO as from a file")
  func pipe() throws {
    let path = try movie(PartTests.kinds[2])
    let whole = try ReadSource(path)
    let fifo = folder.file("fifo")
    #expect(mkfifo(fifo, 0o600) == 0)
    let writer = try ChildProcess("sh", ["-c", "cat \(path) > \(fifo)"])
    let read = try ReadSource(fifo) {
      $0.start = Rational(1)
      $0.duration = Rational(1)
    }
    _ = writer
    let second = try zero(path) + Rational(1)
    same(
      read, whole, from: try #require(whole.times.firstIndex { $0 >= second }), count: 25)
    #expect(read.report.incomplete == nil)
  }

  @Test("a frame comes first, and then all audio in order", arguments: kinds)
  func audio(kind: (name: String, words: [String])) throws {
    let path = try movie(kind)
    let read = try ReadSource(path)
    #expect(read.order.first == "F")
    let unit = try #require(read.description.codedAudio.first).timeBase
    let stamps = try runTool(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "a", "-show_entries", "packet=pts", "-of", "csv=p=0",
        path,
      ]
    ).split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Int64($0) }
    #expect(stamps.count > 50)
    #expect(read.audio.map { $0.time } == stamps.map { Rational($0) * unit })
    #expect(try ReadSource(path) { $0.includesAudio = false }.audio.isEmpty)
  }

  @Test("a part has the audio of its own time and no other", arguments: kinds)
  func audioOfPart(kind: (name: String, words: [String])) throws {
    let path = try movie(kind)
    let whole = try ReadSource(path)
    let part = try ReadSource(path) {
      $0.start = Rational(1)
      $0.duration = Rational(3, 2)
    }
    #expect(part.order.first == "F")
    let first = try #require(part.times.first)
    let expected = whole.audio.filter {
      $0.time + $0.duration > first && $0.time < first + Rational(3, 2)
    }
    #expect(part.audio.map { $0.time } == expected.map { $0.time })
    let frames = try ReadSource(path) { $0.frames = 10 }
    #expect(
      frames.audio.map { $0.time }
        == whole.audio.filter { $0.time < whole.times[10] }.map { $0.time })
  }
}
