import Capture
import Frames
import Glibc
import TestSupport
import Testing

@Suite("Truncated files")
struct CompletenessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes four seconds of video at 25 frames per second, with audio if requested.
  private func movie(_ name: String, audio: Bool, _ words: [String]) throws -> String {
    let path = folder.file(name)
    try ffmpeg(
      ["-f", "lavfi", "-i", "testsrc=s=160x120:r=25"]
        + (audio ? ["-f", "lavfi", "-i", "sine"] : []) + ["-t", "4"] + words + [path])
    return path
  }

  private func cut(_ path: String, to part: Double) throws -> String {
    let bytes = try readFile(path)
    let name = "cut-" + path.split(separator: "/").last!
    return try folder.write(bytes[..<Int(Double(bytes.count) * part)], to: name)
  }

  private static let h264 = ["-c:v", "libx264", "-bf", "2", "-g", "12"]
  private static let kinds: [(name: String, words: [String])] = [
    ("a.mp4", h264), ("fast.mp4", h264 + ["-movflags", "+faststart"]),
    ("a.mov", ["-c:v", "mpeg4"]), ("a.mkv", h264), ("a.avi", ["-c:v", "mpeg4"]),
    ("a.ts", h264), ("a.webm", ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"]),
    ("a.flv", ["-c:v", "flv1", "-ar", "44100"]), ("b.avi", ["-c:v", "libx264", "-bf", "2"]),
    ("fragments.mp4", h264 + ["-movflags", "frag_keyframe+empty_moov"]),
    ("late.mp4", h264 + ["-movflags", "frag_keyframe"]), ("a.mpg", ["-c:v", "mpeg2video"]),
    ("a.ogv", ["-c:v", "libtheora"]), ("a.nut", ["-c:v", "ffv1"]),
    ("after.mkv", h264 + ["-output_ts_offset", "1000"]),
  ]

  @Test("complete files of every kind are not reported", arguments: kinds, [true, false])
  func whole(kind: (name: String, words: [String]), audio: Bool) throws {
    let path = try movie(kind.name, audio: audio, kind.words)
    for includesAudio in [true, false] {
      let read = try ReadSource(path) { $0.includesAudio = includesAudio }
      #expect(read.frames.count == 100)
      #expect(read.report.incomplete == nil)
      #expect(read.report.damaged == 0)
      #expect(read.audio.isEmpty == !(audio && includesAudio))
      // The announced frame count is about right, and exact where an index has it.
      let announced = read.description.frameCount ?? 100
      #expect(abs(announced - 100) <= 5, "\(kind.name): \(announced)")
      if kind.name.hasSuffix(".mp4"), kind.words.count < 8 { #expect(announced == 100) }
    }
  }

  @Test(
    "a truncated file is reported with the length that was read",
    arguments: ["fast.mp4", "a.mkv", "a.avi", "a.webm", "a.flv", "b.avi", "fragments.mp4"],
    [true, false])
  func truncated(name: String, audio: Bool) throws {
    let kind = try #require(CompletenessTests.kinds.first { $0.name == name })
    let path = try cut(try movie(kind.name, audio: audio, kind.words), to: 0.5)
    for includesAudio in [true, false] {
      let read = try ReadSource(path) { $0.includesAudio = includesAudio }
      #expect((20..<90).contains(read.frames.count))
      let said = try #require(read.report.incomplete)
      #expect(said.contains("ends early"))
      #expect(said.contains(path))
      if !name.hasPrefix("frag") { #expect(said.contains(" of 4.")) }
    }
  }

  @Test(
    "a truncated file is reported too if a part of it was wanted that it does not hold",
    arguments: ["fast.mp4", "a.mkv", "a.avi", "a.flv", "b.avi", "fragments.mp4", "a.webm"])
  func truncatedPart(name: String) throws {
    let kind = try #require(CompletenessTests.kinds.first { $0.name == name })
    let whole = try movie(kind.name, audio: true, kind.words)
    let path = try cut(whole, to: 0.5)
    let parts: [(String, (inout SourceRequest) -> Void)] = [
      ("start", { $0.start = Rational(1) }), ("end", { $0.end = Rational(7, 2) }),
      ("duration", { $0.duration = Rational(7, 2) }), ("frames", { $0.frames = 90 }),
      ("start and duration", { ($0.start, $0.duration) = (Rational(1), Rational(5, 2)) }),
    ]
    for (words, part) in parts {
      let said = try ReadSource(path, part).report.incomplete
      #expect(said?.contains("ends early") == true, "\(words): \(said ?? "nothing")")
      #expect(try ReadSource(whole, part).report.incomplete == nil, "\(words)")
      #expect(try ReadSource(whole, part).report.shortage == nil, "\(words)")
    }
    // What it holds is whole.
    let held = try ReadSource(path) { $0.duration = Rational(1, 2) }.report
    #expect(held.incomplete == nil && held.shortage == nil)
  }

  @Test(
    "a truncated file is reported too if it is read backwards or again",
    arguments: ["fast.mp4", "fragments.mp4", "a.mkv"])
  func truncatedRetimed(name: String) throws {
    let kind = try #require(CompletenessTests.kinds.first { $0.name == name })
    for hasAudio in [false, true] { try truncatedRetimed(kind, hasAudio: hasAudio) }
  }

  private func truncatedRetimed(_ kind: (name: String, words: [String]), hasAudio: Bool) throws {
    let whole = try movie(kind.name, audio: hasAudio, kind.words)
    let path = try cut(whole, to: 0.5)
    func come(_ sentence: String?) -> Double {
      sentence?.firstMatch(of: /early: ([0-9.]+) of/).flatMap { Double($0.1) } ?? .nan
    }
    let forwards = try ReadSource(path).report.incomplete
    for (isReversed, turns) in [(true, 1), (false, 2), (true, 2)] {
      let said = try ReadSource(path) {
        ($0.retiming.isReversed, $0.retiming.turns) = (isReversed, turns)
      }.report.incomplete
      #expect(said?.contains("ends early") == true, "\(isReversed), \(turns): \(said ?? "nothing")")
      #expect(abs(come(said) - come(forwards)) < 0.05, "\(said ?? "nothing")")
      let report = try ReadSource(whole) {
        ($0.retiming.isReversed, $0.retiming.turns) = (isReversed, turns)
      }.report
      #expect(report.incomplete == nil && report.shortage == nil && report.damaged == 0)
    }
  }

  @Test("a source that is shorter than what was asked for says so; less than a frame is rounding")
  func shorter() throws {
    let path = try movie("a.mp4", audio: true, CompletenessTests.h264)
    func shortage(_ part: (inout SourceRequest) -> Void) throws -> String? {
      let report = try ReadSource(path, part).report
      #expect(report.incomplete == nil)
      return report.shortage
    }
    #expect(try shortage { $0.duration = Rational(30) }?.contains("only 4.00 of the 30.00") == true)
    #expect(try shortage { $0.end = Rational(9) }?.contains("before the end at 9.00") == true)
    #expect(try shortage { $0.frames = 101 }?.contains("only 100 of the 101 frames") == true)
    #expect(
      try shortage { ($0.start, $0.duration) = (Rational(3), Rational(2)) }?
        .contains("only 1.00 of the 2.00") == true)
    #expect(try shortage { $0.duration = Rational(4) } == nil)
    #expect(try shortage { $0.duration = Rational(403, 100) } == nil)
    #expect(try shortage { $0.end = Rational(4) } == nil)
    #expect(try shortage { $0.frames = 100 } == nil)
  }

  @Test("a file that was cut within the header of a fragment gives the fragments before it")
  func cutInFragment() throws {
    let kind = try #require(CompletenessTests.kinds.first { $0.name == "fragments.mp4" })
    let path = try movie(kind.name, audio: true, kind.words)
    let bytes = try readFile(path)
    let fragments = bytes.indices.dropLast(4).filter {
      bytes[$0..<$0 + 4].elementsEqual("moof".utf8)
    }.map { $0 - 4 }
    let last = try #require(fragments.dropLast().last)
    let before = try ReadSource(try folder.write(bytes[..<last], to: "before.mp4"))
    #expect(before.frames.count >= 24)
    for length in [4, 8, 20, 60, 120, 200, 300] {
      let cut = try folder.write(bytes[..<(last + length)], to: "cut.mp4")
      let read = try ReadSource(cut)
      #expect(read.frames.count == before.frames.count, "\(length)")
      #expect(read.report.incomplete?.contains("ends early") == true, "\(length)")
    }
  }

  @Test("an FLV whose first frame waits a second for the ones decoded before it is complete")
  func slowReorderedFLV() throws {
    let path = folder.file("slow.flv")
    try ffmpeg(
      "-f", "lavfi", "-i", "testsrc=s=160x120:r=2", "-t", "6", "-c:v", "libx264", "-bf", "2",
      path)
    let read = try ReadSource(path)
    #expect(read.frames.count == 12)
    #expect(read.report.incomplete == nil)
    #expect(read.description.duration == Rational(6))
    #expect(try ReadSource(path) { $0.start = Rational(3) }.report.incomplete == nil)
    let bytes = try readFile(path)
    let short = try folder.write(bytes[..<(bytes.count * 2 / 3)], to: "short.flv")
    let said = try #require(try ReadSource(short).report.incomplete)
    #expect(said.contains("ends early") && said.contains(" of 6.00 seconds"), "\(said)")
  }

  @Test("a loss of a few bytes is reported where the file has an index")
  func nearlyWhole() throws {
    let path = try movie("a.mp4", audio: false, CompletenessTests.kinds[1].words)
    let bytes = try readFile(path)
    let short = try folder.write(bytes.dropLast(10), to: "short.mp4")
    #expect(try ReadSource(short).report.incomplete != nil)
  }

  @Test("a transport stream that ends with a whole packet does not say that it was longer")
  func transportStream() throws {
    let bytes = try readFile(try movie("a.ts", audio: true, CompletenessTests.h264))
    let end = bytes.count * 6 / 10 / 188 * 188
    let read = try ReadSource(try folder.write(bytes[..<end], to: "cut.ts"))
    #expect(read.report.incomplete == nil)
    #expect(read.frames.count > 20)
  }

  @Test("a transport stream that is filled up with packets whose bytes look like others is whole")
  func filledTransportStream() throws {
    let bytes = try readFile(try movie("a.ts", audio: false, CompletenessTests.h264))
    // Null packets, all equal, with every byte in them, or with nothing but the mark of a packet.
    for filling in [(0..<184).map { UInt8($0) }, [UInt8](repeating: 0x47, count: 184)] {
      let packet: [UInt8] = [0x47, 0x1f, 0xff, 0x10] + filling
      let fillers = [UInt8](repeatElement(packet, count: 12).joined())
      let whole = try folder.write(bytes + fillers, to: "filled.ts")
      #expect(try ReadSource(whole).report.incomplete == nil)
      let pipe = folder.file("filled-pipe")
      unlink(pipe)
      #expect(mkfifo(pipe, 0o600) == 0)
      for (content, isWhole) in [(bytes + fillers, true), (Array(bytes.dropLast(51)), false)] {
        try folder.write(content, to: "piped")
        let writer = try ChildProcess("sh", ["-c", "cat piped > filled-pipe"], folder: folder.path)
        let read = try ReadSource(pipe)
        _ = writer.wait()
        #expect((read.report.incomplete == nil) == isWhole, "\(read.report.incomplete ?? "")")
      }
    }
  }

  @Test(
    "a file that ends without what its container ends with is reported, however little is missing",
    arguments: [
      "a.ts", "a.ogv", "a.gif", "a.y4m", "a.mkv", "a.webm", "a.avi", "a.flv", "a.apng", "a.mp4",
    ])
  func lostEnd(name: String) throws {
    let words = [
      "a.gif": ["-pix_fmt", "rgb8"], "a.apng": ["-f", "apng"], "a.webm": ["-c:v", "libvpx"],
      "a.mp4": ["-movflags", "frag_keyframe+empty_moov+default_base_moof", "-c:v", "mpeg4"],
    ]
    let path = try movie(name, audio: false, words[name] ?? ["-pix_fmt", "yuv420p"])
    #expect(try ReadSource(path).report.incomplete == nil)
    let bytes = try readFile(path)
    // An odd number is no number of whole packets or frames.
    for missing in [1, 51, bytes.count / 3 | 1] {
      let read = try ReadSource(try folder.write(bytes.dropLast(missing), to: "cut-" + name))
      #expect(!read.frames.isEmpty, "\(missing)")
      let said = read.report.incomplete ?? ""
      // An APNG that ends within a chunk is one that FFmpeg cannot read there.
      #expect(
        said.contains("ends early") || said.contains("could be read for"), "\(missing): \(said)")
    }
    // In a pipe only its end can be looked up.
    let pipe = folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    for missing in ["a.ts", "a.ogv", "a.y4m", "a.flv"].contains(name) ? [0, 51] : [] {
      try folder.write(bytes.dropLast(missing), to: "piped")
      let writer = try ChildProcess("sh", ["-c", "cat piped > pipe"], folder: folder.path)
      let read = try ReadSource(pipe)
      _ = writer.wait()
      #expect(!read.frames.isEmpty && (read.report.incomplete == nil) == (missing == 0))
    }
    guard name == "a.ogv" || name == "a.gif" else { return }
    let longer = try ReadSource(try folder.write(bytes + [0, 0, 7], to: "longer-" + name))
    #expect(longer.report.incomplete == nil)
  }

  @Test("a Matroska file whose end is zeros, as a power cut leaves them, ends early")
  func zeros() throws {
    let path = try movie("a.mkv", audio: false, CompletenessTests.h264)
    var bytes = try readFile(path)
    for place in (bytes.count / 2)..<bytes.count { bytes[place] = 0 }
    let report = try ReadSource(try folder.write(bytes, to: "zeros.mkv")).report
    #expect(report.incomplete?.contains("ends early") == true, "\(report)")
  }

  @Test("an edit list, a long subtitle or a requested part is not reported")
  func innocent() throws {
    let whole = try movie("a.mp4", audio: true, CompletenessTests.h264)
    let edited = folder.file("edited.mp4")
    try ffmpeg("-ss", "1.3", "-i", whole, "-c", "copy", edited)
    #expect(try ReadSource(edited).report.incomplete == nil)
    try folder.write("1\n00:00:01,000 --> 00:00:09,000\nlong\n".utf8, to: "a.srt")
    let titled = folder.file("titled.mkv")
    try ffmpeg("-i", whole, "-i", folder.file("a.srt"), "-c", "copy", "-c:s", "srt", titled)
    #expect(try ReadSource(titled).report.incomplete == nil)
    #expect(try ReadSource(whole) { $0.duration = Rational(1) }.report.incomplete == nil)
    #expect(try ReadSource(whole) { $0.start = Rational(2) }.report.incomplete == nil)
  }
}
