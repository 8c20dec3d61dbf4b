import Capture
import FFmpegHandles
import Frames
import Glibc
import TestSupport
import Testing

@Suite("Audio far from its frames in the file")
struct AudioPlaceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let picture = ["-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=6"]
  private static let tone = ["-f", "lavfi", "-i", "sine=r=48000:d=6"]
  private static let codecs = [
    "-c:v", "libx264", "-preset", "ultrafast", "-g", "1000", "-c:a", "aac",
  ]
  private static let fragments = ["-movflags", "frag_keyframe+empty_moov+default_base_moof"]

  private func make(_ name: String, _ words: [String]) throws -> String {
    let path = folder.file(name)
    try ffmpeg(words + [path])
    return path
  }

  /// Makes one fragment of 6 seconds: first all video, then all audio.
  private func oneFragment() throws -> String {
    try make(
      "a.mp4",
      AudioPlaceTests.picture + AudioPlaceTests.tone + AudioPlaceTests.codecs
        + AudioPlaceTests.fragments)
  }

  /// Expects a part of one second to have the audio of that time in the whole file.
  private func hasItsAudio(_ part: ReadSource, of whole: ReadSource) throws {
    let first = try #require(part.times.first)
    let expected = whole.audio.filter {
      $0.time + $0.duration > first && $0.time < first + Rational(1)
    }
    #expect(part.frames.count == 25)
    #expect(expected.count > 40)
    #expect(part.audio.map { $0.time } == expected.map { $0.time })
  }

  @Test("audio is read to the end of the part, from a pipe", arguments: [true, false])
  func pipe(isInSeconds: Bool) throws {
    let path = try oneFragment()
    let fifo = folder.file("fifo")
    #expect(mkfifo(fifo, 0o600) == 0)
    let writer = try ChildProcess("sh", ["-c", "cat \(path) > \(fifo)"])
    let part = try ReadSource(fifo) {
      if isInSeconds { $0.duration = Rational(1) } else { $0.frames = 25 }
    }
    _ = writer
    let whole = try ReadSource(path)
    // The first frame of such a file lasts longer.
    let end = whole.times[25]
    #expect(part.frames.count == 25)
    let expected = whole.audio.filter { $0.time < (isInSeconds ? whole.times[0] + .one : end) }
    #expect(expected.count > 40)
    #expect(part.audio.map { $0.time } == expected.map { $0.time })
  }

  @Test("audio is read to the end of the part, from a server without byte ranges")
  func server() throws {
    let path = try oneFragment()
    let server = try FileServer(folder)
    let part = try ReadSource(server.url("a.mp4")) {
      $0.start = Rational(3)
      $0.duration = .one
    }
    try hasItsAudio(part, of: try ReadSource(path))
  }

  @Test("audio is read to the end of the part, from fragmented HLS")
  func playlist() throws {
    let path = try make(
      "a.m3u8",
      AudioPlaceTests.picture + AudioPlaceTests.tone + AudioPlaceTests.codecs
        + ["-f", "hls", "-hls_segment_type", "fmp4", "-hls_playlist_type", "vod"])
    let part = try ReadSource(path) { $0.duration = .one }
    let whole = try ReadSource(path)
    let expected = whole.audio.filter { $0.time < whole.times[0] + .one }
    #expect(part.frames.count == 25 && expected.count > 40)
    #expect(part.audio.map { $0.time } == expected.map { $0.time })
  }

  /// Makes a transport stream in which the audio packets are 3 seconds before or behind their frames.
  private func moved(_ isAhead: Bool) throws -> String {
    let bytes = try readFile(
      make(
        "a.ts",
        AudioPlaceTests.picture + AudioPlaceTests.tone
          + ["-c:v", "libx264", "-preset", "ultrafast", "-g", "10", "-c:a", "aac"]))
    let packets = stride(from: 0, to: bytes.count, by: 188).map { bytes[$0..<$0 + 188] }
    func isAudio(_ packet: ArraySlice<UInt8>) -> Bool {
      Int(packet[packet.startIndex + 1] & 31) << 8 | Int(packet[packet.startIndex + 2]) == 0x101
    }
    let audio = packets.filter(isAudio)
    let half = audio.count / 2
    var result: [UInt8] = []
    if isAhead { result = audio[..<half].flatMap { $0 } }
    var place = isAhead ? half : -half
    for packet in packets {
      guard isAudio(packet) else {
        result += packet
        continue
      }
      if audio.indices.contains(place) { result += audio[place] }
      place += 1
    }
    if !isAhead { result += audio[half...].flatMap { $0 } }
    return try folder.write(result, to: "moved.ts")
  }

  @Test("a part has its own audio, wherever that is stored", arguments: [true, false])
  func transportStream(isAhead: Bool) throws {
    let path = try moved(isAhead)
    let whole = try ReadSource(path)
    #expect(whole.frames.count == 150)
    for start in [0, 4] {
      let part = try ReadSource(path) {
        $0.start = start == 0 ? nil : Rational(Int64(start))
        $0.duration = .one
      }
      guard start > 0 else {
        #expect(part.audio.count > 40)
        #expect(part.audio.last.map { $0.time + Rational(1, 40) > part.times[0] + .one } == true)
        continue
      }
      try hasItsAudio(part, of: whole)
    }
  }

  @Test("the reader does not wait without end for audio that has stopped")
  func stopped() throws {
    _ = try make(
      "a.m3u8",
      [
        "-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=60", "-f", "lavfi", "-i", "sine=r=48000:d=0.5",
        "-c:v", "libx264", "-preset", "ultrafast", "-g", "10", "-c:a", "aac", "-f", "hls",
        "-hls_time", "2", "-hls_playlist_type", "vod",
      ])
    let server = try FileServer(folder)
    let part = try ReadSource(server.url("a.m3u8")) { $0.duration = .one }
    #expect(part.frames.count == 5 && !part.audio.isEmpty)
    #expect(server.requested.contains("a5.ts"))
    #expect(!server.requested.contains("a29.ts"))
  }

  private static let early = ["-itsoffset", "1"] + picture
  /// The durations in seconds of audio that begins one second before the first frame.
  private static let lengths = ["0.6", "0.9", "3"]

  @Test(
    "audio before the first frame is left out and reported, except what the decoder needs",
    arguments: lengths, ["a.mp4", "fragments.mp4", "a.mkv", "a.ts"])
  func early(length: String, name: String) throws {
    let path = try make(
      name,
      AudioPlaceTests.early + ["-f", "lavfi", "-i", "sine=r=48000:d=\(length)"]
        + ["-fps_mode", "passthrough"] + AudioPlaceTests.codecs
        + (name.hasPrefix("frag")
          ? ["-movflags", "frag_keyframe+empty_moov+delay_moov"] : []))
    let read = try ReadSource(path)
    #expect(read.frames.count == 150)
    let zero = try #require(read.times.first)
    let left = read.report.audioBeforeFrames.doubleValue
    guard length == "3" else {
      #expect(read.audio.isEmpty)
      let all = try #require(Double(length))
      #expect(abs(left - all) < 0.06, "\(left)")
      return
    }
    let before = read.audio.filter { $0.time + $0.duration <= zero }
    #expect(!before.isEmpty && before.allSatisfy { $0.time > zero - Rational(1, 4) })
    #expect(read.audio.last.map { $0.time > zero + Rational(9, 5) } == true)
    // What the decoder needs is not played either.
    #expect(abs(left - 1) < 0.06, "\(left)")
    #expect(
      zip(read.audio, read.audio.dropFirst()).allSatisfy {
        abs(($1.time - $0.time).doubleValue - 1024.0 / 48000) < 0.002
      })
  }
}
