import Capture
import FFmpegHandles
import Frames
import TestSupport
import Testing

@Suite("The start of a part")
struct StartTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let picture = ["-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=4"]
  private static let tone = ["-f", "lavfi", "-i", "sine=r=48000:d=4"]
  private static let codecs = [
    "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-c:a", "aac",
  ]

  private func make(_ name: String, _ words: [String]) throws -> String {
    let path = folder.file(name)
    try ffmpeg(words + [path])
    return path
  }

  /// Expects half a second from second 2 on to equal that part of the whole file.
  private func isRight(_ path: String, _ whole: ReadSource, zero: Rational) throws {
    let part = try ReadSource(path) {
      $0.start = Rational(2)
      $0.duration = Rational(1, 2)
    }
    let expected = whole.frames.filter {
      $0.time >= zero + Rational(2) && $0.time < zero + Rational(255, 100)
    }.prefix(13)
    #expect(part.times == expected.map { $0.time }, "\(path)")
    #expect(zip(part.frames, expected).allSatisfy { $0.rawVideo == $1.rawVideo })
    #expect(part.audio.count > 20)
  }

  @Test("an end leaves out what begins at that time or later, wherever the first frame lies")
  func end() throws {
    let path = try make(
      "a.mp4", StartTests.picture + StartTests.tone + StartTests.codecs)
    let whole = try ReadSource(path)
    for (start, end) in [(nil, Rational(1)), (Rational(101, 100), Rational(3, 2))] {
      let part = try ReadSource(path) { ($0.start, $0.end) = (start, end) }
      #expect(part.times == whole.times.filter { $0 >= start ?? .zero && $0 < end })
      #expect(!part.audio.isEmpty)
    }
    let said = try #require(
      complaint(path) { ($0.start, $0.end) = (Rational(41, 40), Rational(103, 100)) })
    #expect(said.contains("no frame between the start") && said.contains("the end at"), "\(said)")
  }

  @Test("fragmented HLS is read up to the start, because FFmpeg's reader does not seek there")
  func fragments() throws {
    let path = try make(
      "a.m3u8",
      StartTests.picture + StartTests.tone + StartTests.codecs
        + ["-f", "hls", "-hls_time", "1", "-hls_segment_type", "fmp4", "-hls_playlist_type", "vod"])
    try isRight(path, try ReadSource(path), zero: .zero)
  }

  @Test(
    "a file on a server without byte ranges is read up to the start",
    arguments: ["fragments.mp4", "a.mp4", "a.mkv"])
  func server(name: String) throws {
    // Larger than the part that is read to open the file.
    let path = try make(
      name,
      ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=4"] + StartTests.tone
        + StartTests.codecs + [
          "-qp", "1", "-movflags",
          name == "a.mp4" ? "faststart" : "frag_keyframe+empty_moov+default_base_moof",
        ])
    #expect(try readFile(path).count > 700_000)
    let server = try FileServer(folder)
    try isRight(server.url(name), try ReadSource(path), zero: .zero)
  }

  @Test("without byte ranges an index behind the frames is reported as unreachable")
  func indexBehind() throws {
    _ = try make("a.mp4", ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=4", "-qp", "4"])
    let server = try FileServer(folder)
    for start in [nil, Rational(2)] {
      let said = try #require(complaint(server.url("a.mp4")) { $0.start = start })
      #expect(said.contains("index after the frames") && said.contains("server"), "\(said)")
    }
  }

  @Test("a start behind the end is refused with a length", arguments: ["a.mp4", "a.mkv", "a.ts"])
  func behind(name: String) throws {
    let path = try make(name, StartTests.picture + StartTests.codecs)
    for start in [Rational(4), Rational(9), Rational(100_000)] {
      let said = try #require(complaint(path) { $0.start = start })
      #expect(said.contains("\(path) lasts 4.0"), "\(said)")
      #expect(said.contains("the start at"))
    }
    #expect(complaint(path) { $0.start = Rational(395, 100) } == nil)
  }

  @Test(
    "a start between two keyframes has the pixels of a reading from the start",
    arguments: ["a.ts", "a.mkv", "a.mp4"], ["libx264", "libx265"])
  func betweenKeyFrames(name: String, encoder: String) throws {
    let parameters =
      encoder == "libx264"
      ? ["-x264-params", "open-gop=1:keyint=50:bframes=3"]
      : ["-x265-params", "log-level=error:open-gop=1:keyint=50:bframes=3"]
    let path = try make(
      name,
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=5"]
        + ["-c:v", encoder, "-preset", "ultrafast"] + parameters)
    let whole = try ReadSource(path)
    let zero = whole.times[0]
    for start in [Rational(13, 10), Rational(198, 100), Rational(333, 100), Rational(49, 10)] {
      let part = try ReadSource(path) {
        $0.start = start
        $0.frames = 3
      }
      let expected = whole.frames.filter { $0.time - zero >= start }.prefix(3)
      #expect(part.times == expected.map(\.time), "\(start)")
      #expect(zip(part.frames, expected).allSatisfy { $0.rawVideo == $1.rawVideo }, "\(start)")
    }
  }

  @Test(
    "the start counts from the file's zero, as in players, and not from its first frame",
    arguments: ["a.mp4", "a.mkv", "a.ts", "far.ts"])
  func zero(name: String) throws {
    let path = try make(
      name,
      ["-itsoffset", "0.48"] + StartTests.picture + StartTests.tone + StartTests.codecs
        + ["-fps_mode", "passthrough"] + (name == "far.ts" ? ["-output_ts_offset", "95000"] : []))
    let whole = try ReadSource(path)
    let text = try runTool(
      "ffprobe", ["-v", "error", "-show_entries", "format=start_time", "-of", "csv=p=0", path])
    let zero = try #require(Double(text.split(whereSeparator: \.isNewline).first ?? ""))
    #expect(whole.times[0].doubleValue > zero + 0.4)
    let part = try ReadSource(path) {
      $0.start = Rational(101, 100)
      $0.frames = 1
    }
    let expected = try #require(whole.times.firstIndex { $0.doubleValue >= zero + 1.01 })
    #expect((12...14).contains(expected))
    #expect(part.times == [whole.times[expected]])
    #expect(part.frames[0].rawVideo == whole.frames[expected].rawVideo)
    // A start before the first frame gives the first frame.
    let early = try ReadSource(path) {
      $0.start = Rational(1, 10)
      $0.frames = 1
    }
    #expect(early.times == [whole.times[0]])
  }
}
