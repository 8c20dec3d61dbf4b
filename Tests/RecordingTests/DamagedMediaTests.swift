import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Tests with small clips of many containers, damaged the same way in each run: readable parts are
/// recorded and the report matches the output; otherwise there is an error in a sentence, and no file.
@Suite struct DamagedMediaTests {
  /// The clips and ffmpeg's options to make half a second of video and audio.
  static let clips: [(name: String, words: String)] = [
    ("in.mov", "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 5 -c:a aac"),
    ("in.mp4", "-c:v libx264 -preset ultrafast -g 5 -movflags frag_keyframe+empty_moov -c:a aac"),
    ("in.mkv", "-c:v ffv1 -level 3 -c:a flac"),
    ("in.webm", "-c:v libvpx -deadline realtime -c:a libvorbis"),
    ("in.ts", "-c:v libx264 -preset ultrafast -c:a aac"),
    ("in.ogv", "-c:v libtheora -c:a libvorbis"), ("in.gif", "-an"), ("in.png", "-an -frames:v 1"),
  ]

  /// A random generator with the same numbers in each run (linear congruential, with Knuth's constants).
  private struct Chance {
    var state: UInt64
    mutating func next(below bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % max(bound, 1)
    }
  }

  enum Harm: UInt64, CaseIterable { case bits, cut, hole, zeros, doubled, header }

  private func harmed(_ bytes: [UInt8], _ harm: Harm) -> [UInt8] {
    var chance = Chance(state: harm.rawValue &* 977 &+ 11)
    var bytes = bytes
    let place = chance.next(below: bytes.count)
    switch harm {
    case .bits:
      for _ in 0..<40 {
        bytes[chance.next(below: bytes.count)] ^= 1 << UInt8(chance.next(below: 8))
      }
    case .cut: bytes.removeSubrange((bytes.count / 2)...)
    case .hole: bytes.removeSubrange(place..<min(place + 300, bytes.count))
    case .zeros: for index in place..<min(place + 1000, bytes.count) { bytes[index] = 0 }
    case .doubled: bytes.insert(contentsOf: bytes[..<min(500, bytes.count)], at: place)
    case .header:
      let start = chance.next(below: min(bytes.count - 4, 400))
      for index in start..<(start + 4) { bytes[index] = 0xff }
    }
    return bytes
  }

  private struct End: Decodable {
    struct Output: Decodable { let frames: Int? }
    let type: String
    let outputs: [Output]?
  }

  @Test("the report of a damaged file is true, and nothing crashes", arguments: clips.map(\.name))
  func recorded(name: String) throws {
    let folder = try TemporaryFolder()
    let words = try #require(Self.clips.first { $0.name == name }).words
    try make(
      "whole-" + name, in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.4", "-f", "lavfi", "-i", "sine=d=0.4",
        "-bitexact",
      ]
        + words.split(separator: " ").map(String.init))
    let whole = try readFile(folder.file("whole-" + name))
    for harm in Harm.allCases {
      try folder.write(harmed(whole, harm), to: name)
      let before = folder.names
      let result = try KfrecProcess.run(
        ["-i", name, "-t", "1", "--no-audio", "--progress", "json", "-o", "out.mkv"], in: folder)
      let code = try #require(result.exitCode, "\(harm): \(result)")
      #expect([0, 1, 3].contains(code) && !result.timedOut, "\(harm): \(result)")
      if code != 0 { #expect(result.errors.contains(name), "\(harm): \(result)") }
      guard code != 1 else {
        #expect(folder.names == before, "\(harm): \(result)")
        continue
      }
      #expect(folder.names == (before + ["out.mkv"]).sorted(), "\(harm): \(result)")
      let last = try #require(result.text.split(separator: "\n").last)
      let end = try JSONDecoder().decode(End.self, from: Data(last.utf8))
      let frames = try Probe.rows(folder.file("out.mkv"), "packet=pts", of: "v:0").count
      #expect(end.type == "end" && frames > 0, "\(harm): \(result)")
      #expect(end.outputs?.first?.frames == frames, "\(harm): \(result)")
      try runTool("rm", [folder.file("out.mkv")])
    }
  }

  @Test("audio that is lost in the middle of a file ends a recording with exit code 3")
  func damagedAudio() throws {
    let made = try BatchFolder()
    let folder = made.folder
    try make(
      "whole.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-f", "lavfi", "-i", "anoisesrc=d=2",
        "-c:v", "libx264", "-c:a", "flac",
      ])
    try make(
      "clips/bad.mkv", in: folder,
      [
        "-i", folder.file("whole.mkv"), "-c", "copy", "-bsf:a",
        "noise=amount=if(between(n\\,6\\,9)\\,3\\,0)",
      ])
    for words in [
      ["-i", "clips/bad.mkv", "--audio-codec", "pcm"], ["-i", "clips/bad.mkv", "--speed", "2"],
      ["-i", "clips/bad.mkv", "--reverse"],
      ["-i", "whole.mkv", "-i", "clips/bad.mkv", "--audio-codec", "pcm"],
      ["-i", "whole.mkv", "--audio-in", "clips/bad.mkv"],
    ] {
      let result = try KfrecProcess.run(words + ["-y", "-o", "out.mkv"], in: folder)
      #expect(result.exitCode == 3, "\(words): \(result)")
      #expect(
        result.errors.contains("the audio of clips/bad.mkv is damaged: 4 packets did not decode"),
        "\(words): \(result)")
    }
    // What is copied is there, as it is in the source.
    let copy = try KfrecProcess.run(["-i", "clips/bad.mkv", "-y", "-o", "out.mkv"], in: folder)
    #expect(copy.exitCode == 0, "\(copy)")
    for _ in 0..<2 {
      let batch = try made.batch("clips --output-dir out --audio-codec pcm")
      #expect(batch.exitCode == 3 && batch.errors.contains("is damaged: 4 packets"), "\(batch)")
    }
  }

  /// Makes a movie of 20 seconds with a hole of a fifth of it, and numbered images with a broken one.
  private func damaged() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try make(
      "whole.mp4", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=20", "-c:v", "libx264", "-g", "25"])
    try make("whole.mkv", in: folder, ["-i", folder.file("whole.mp4"), "-c", "copy"])
    for name in ["mp4", "mkv"] {
      var bytes = try readFile(folder.file("whole." + name))
      for place in bytes.count * 2 / 5..<bytes.count * 3 / 5 {
        bytes[place] = UInt8(truncatingIfNeeded: place * 37)
      }
      try folder.write(bytes, to: "bad." + name)
    }
    try make(
      "s-%02d.png", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "6", "-start_number", "1"])
    var picture = try readFile(folder.file("s-04.png"))
    for place in picture.count / 3..<picture.count { picture[place] = 0 }
    try folder.write(picture, to: "s-04.png")
    return folder
  }

  @Test(
    "frames that are lost in the middle of a file end a recording with exit code 3",
    arguments: ["bad.mp4", "bad.mkv", "s-%02d.png"])
  func lostFrames(name: String) throws {
    let folder = try damaged()
    for words in [[], ["--verify", "full"], ["--realtime", "--start", "7", "-t", "2"]] {
      if name.contains("%"), !words.isEmpty, words[0] == "--realtime" { continue }
      let result = try KfrecProcess.run(["-i", name, "-y", "-o", "out.mov"] + words, in: folder)
      #expect(result.exitCode == 3, "\(words): \(result)")
      #expect(result.errors.contains("\(name) is damaged"), "\(words): \(result)")
      #expect(try Probe.rows(folder.file("out.mov"), "packet=pts", of: "v:0").count > 3)
    }
    // Damage outside the part that is wanted loses nothing.
    guard !name.contains("%") else { return }
    let film = try KfrecProcess.run(
      ["-i", "whole.mp4", "-e", "overlay:image=\(name)", "-y", "-o", "out.mov"], in: folder)
    #expect(film.exitCode == 3 && film.errors.contains("\(name) is damaged"), "\(film)")
    let part = try KfrecProcess.run(["-i", name, "-y", "-o", "out.mov", "-t", "4"], in: folder)
    #expect(part.exitCode == 0 && !part.errors.contains("damaged"), "\(part)")
  }

  /// Makes a transport stream of four seconds.
  private func makeStream(_ name: String, codec: String, in folder: TemporaryFolder) throws {
    try make(
      name, in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=4", "-f", "lavfi", "-i", "sine=d=4", "-c:v",
        codec, "-g", "25", "-b:v", "600k", "-c:a", "mp2",
      ])
  }

  @Test(
    "packets of a transport stream that are lost end a recording with exit code 3, wherever they were",
    arguments: ["libx264", "mpeg2video", "libx265"])
  func lostPackets(codec: String) throws {
    let folder = try TemporaryFolder()
    try makeStream("whole.ts", codec: codec, in: folder)
    let whole = try readFile(folder.file("whole.ts"))
    let packets = whole.count / 188
    // FFmpeg numbers the video 256. A packet of the lists of programs may be lost without harm.
    func isVideo(_ number: Int) -> Bool {
      whole[number * 188 + 1] & 0x5f == 1 && whole[number * 188 + 2] == 0
    }
    for (share, count) in [(1, 1), (2, 5), (3, 40), (4, 1), (5, 7), (6, 2)] {
      // Within a frame, at both ends.
      let number = try #require(
        (packets * share / 7..<packets - 50).first { isVideo($0) && isVideo($0 + count) })
      var bytes = whole
      for place in (number * 188)..<((number + count) * 188) { bytes[place] = 0 }
      try folder.write(bytes, to: "in.ts")
      let zeros = try KfrecProcess.run(["-i", "in.ts", "-y", "-o", "out.mov"], in: folder)
      #expect(zeros.exitCode == 3, "\(number), \(count): \(zeros)")
      #expect(zeros.errors.contains("in.ts is damaged"), "\(number), \(count): \(zeros)")
      bytes = whole
      bytes.removeSubrange((number * 188)..<((number + count) * 188))
      try folder.write(bytes, to: "in.ts")
      let missing = try KfrecProcess.run(["-i", "in.ts", "-y", "-o", "out.mov"], in: folder)
      #expect(missing.exitCode == 3, "\(number), \(count) left out: \(missing)")
    }
  }

  @Test(
    "transport streams that were joined, cut at their start, or have counters of no meaning are whole"
  )
  func joinedStreams() throws {
    let folder = try TemporaryFolder()
    try makeStream("a.ts", codec: "libx264", in: folder)
    try makeStream("b.ts", codec: "libx264", in: folder)
    let (a, b) = (try readFile(folder.file("a.ts")), try readFile(folder.file("b.ts")))
    try folder.write(a + b, to: "joined.ts")
    try folder.write(a + b.dropFirst(188 * 100), to: "later.ts")
    try folder.write(Array(a.dropFirst(188 * 100)), to: "begun.ts")
    try make(
      "seg.m3u8", in: folder,
      ["-i", folder.file("a.ts"), "-c", "copy", "-f", "hls", "-hls_time", "1"])
    let segments = try folder.names.filter { $0.hasPrefix("seg") && $0.hasSuffix(".ts") }
      .flatMap { try readFile(folder.file($0)) }
    try folder.write(segments, to: "segments.ts")
    var odd = a
    for place in stride(from: 0, to: a.count, by: 188) {
      odd[place + 3] = odd[place + 3] & 0xf0 | UInt8(place / 188 * 7 & 0xf)
    }
    try folder.write(odd, to: "odd.ts")
    // With the time before each packet, as cameras write it.
    let timed = stride(from: 0, to: a.count, by: 188).flatMap {
      [0, 0, 0, 0] + a[$0..<min($0 + 188, a.count)]
    }
    try folder.write(timed, to: "camera.m2ts")
    for name in [
      "a.ts", "joined.ts", "later.ts", "begun.ts", "segments.ts", "odd.ts", "camera.m2ts",
    ] {
      let result = try KfrecProcess.run(["-i", name, "-y", "-o", "out.mov"], in: folder)
      #expect(result.exitCode == 0, "\(name): \(result)")
    }
  }

  @Test("a batch keeps what is damaged, says so, and says it again when it has nothing to do")
  func damagedBatch() throws {
    let folder = try damaged()
    func batch(_ words: String) throws -> (ChildResult, String) {
      let result = try KfrecProcess.run(
        ["batch"] + words.split(separator: " ").map(String.init)
          + ["--output-dir", "out", "--report", "r.json"], in: folder)
      return (result, String(decoding: try readFile(folder.file("r.json")), as: UTF8.self))
    }
    let (first, report) = try batch(
      "bad.mp4 bad.mkv s-%02d.png whole.mp4 --name {index}-{stem}.mov")
    #expect(first.exitCode == 3, "\(first)")
    #expect(first.errors.contains("4 made, 0 done before, 3 of them damaged"), "\(first)")
    #expect(report.contains(#""state":"damaged""#) && report.contains(#""damaged":3"#), "\(report)")
    let (again, later) = try batch("bad.mp4 bad.mkv s-%02d.png whole.mp4 --name {index}-{stem}.mov")
    #expect(again.exitCode == 3, "\(again)")
    #expect(again.errors.contains("0 made, 4 done before, 3 of them damaged"), "\(again)")
    for name in ["bad.mp4", "bad.mkv", "s-%02d.png"] {
      #expect(again.errors.contains("\(name) is damaged"), "\(again)")
      let line = later.split(separator: "\n").first { $0.contains(#""input":"\#(name)""#) } ?? ""
      #expect(line.contains(#""state":"kept""#) && line.contains(#""flaw":"damaged""#), "\(line)")
      #expect(line.contains("\(name) is damaged"), "\(line)")
    }
    let status = try KfrecProcess.run(["batch", "--status", "out"], in: folder)
    #expect(
      status.exitCode == 3 && status.text.contains("4 done, 3 done and not whole"), "\(status)")
  }

  @Test("lengths that were asked for and are not there end with exit code 3")
  func shorter() throws {
    let folder = try TemporaryFolder()
    try make(
      "a.mp4", in: folder, ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-c:v", "libx264"])
    for words in [
      "-t 30", "--frames 900", "--end 30", "--start 1 -t 2", "--fps 30 --frames 900",
      "--fps 30 -t 30",
      "-i a.mp4 -t 30", "-i a.mp4 --frames 900", "--loop 2 --frames 900",
      "--loop 2 -t 30", "--boomerang -t 30", "--speed 2 -t 20", "--loop 2 --reverse -t 5",
      "-i a.mp4~duration=9", "-i a.mp4~end=9", "-i a.mp4 -i a.mp4~duration=9",
      "-i a.mp4~duration=9 -e crossfade --overlap 0.5",
    ] {
      let result = try KfrecProcess.run(
        ["-i", "a.mp4", "-y", "-o", "out.mov"] + words.split(separator: " ").map(String.init),
        in: folder)
      #expect(result.exitCode == 3, "\(words): \(result)")
    }
    for words in [
      "-t 2", "--frames 50", "--end 2", "--start 1 -t 1", "--fps 30 --frames 60", "-i a.mp4 -t 4",
      "-i a.mp4 --frames 100", "--loop 2 --frames 100", "-t 2 --fps 60",
      "--loop 2 -t 4", "--boomerang -t 3", "--speed 2 -t 1", "--speed 0.5 --reverse -t 4",
    ] {
      let result = try KfrecProcess.run(
        ["-i", "a.mp4", "-y", "-o", "out.mov"] + words.split(separator: " ").map(String.init),
        in: folder)
      #expect(result.exitCode == 0, "\(words): \(result)")
    }
    let batch = try KfrecProcess.run(
      ["batch", "a.mp4", "--output-dir", "out", "-t", "30"], in: folder)
    #expect(batch.exitCode == 3 && batch.errors.contains("1 of them short"), "\(batch)")
    #expect(namesInFolder(folder.file("out")).contains("a.mov"))
  }

  @Test(
    "added audio that was cut off ends with exit code 3",
    arguments: ["a.wav", "a.mp3", "a.flac", "a.w64", "a.caf", "a.aiff"])
  func cutAudio(name: String) throws {
    let folder = try TemporaryFolder()
    try make(
      "a.mp4", in: folder, ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=5", "-c:v", "libx264"])
    try make(name, in: folder, ["-f", "lavfi", "-i", "sine=d=5:r=48000"])
    let bytes = try readFile(folder.file(name))
    for (part, code) in [(bytes.count, Int32(0)), (bytes.count / 2, 3)] {
      try folder.write(bytes[..<part], to: name)
      let result = try KfrecProcess.run(
        ["-i", "a.mp4", "--audio-in", name, "-y", "-o", "out.mov"], in: folder)
      #expect(result.exitCode == code, "\(part): \(result)")
    }
  }
}
