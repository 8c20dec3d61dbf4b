import FoundationEssentials
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
        ["-i", name, "-t", "1", "--no-audio", "--progress", "json", "-o", "out.mkv"], in: folder,
        seconds: 60)
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
}
