import Frames
import GPU
import TestSupport
import Testing

@testable import Recorder

/// Tests of interlaced frames that stay woven: each field keeps its own time, and the output is tagged.
@Suite struct InterlacedTests {
  private let off = ["--deinterlace", "off"]

  /// Makes interlaced video; `flags` are the encoder's.
  private func input(
    _ name: String, size: String = "64x48", first: String, in folder: TemporaryFolder,
    coding: [String] = ["-c:v", "libx264", "-preset", "ultrafast"]
  ) throws -> String {
    try make(
      name, in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=\(size):r=50:d=0.24", "-vf",
        "interlace=scan=\(first):lowpass=off,setfield=\(first)",
      ] + coding + ["-flags", "+ildct+ilme"])
  }

  /// Returns the messages about fields.
  private static func sentences(_ result: ChildResult) -> [Substring] {
    result.errors.split(separator: "\n").filter { $0.contains("interlaced") }
  }

  @Test("outputs that cannot store a field order are named, in one sentence")
  func untagged() throws {
    let folder = try TemporaryFolder()
    let input = try input("in.mp4", first: "tff", in: folder)
    for (words, sentence) in [
      (["-o", "a.png", "--frames", "1"], "a.png shows both fields in one frame"),
      (["-o", "p%d.png"], "p%d.png shows both fields in one frame"),
      (["-o", "b.png", "--frames", "1", "--size", "32x24"], "mixes its fields: b.png"),
    ] {
      let result = try KfrecProcess.run(["-i", input] + off + words, in: folder)
      let said = InterlacedTests.sentences(result)
      #expect(result.exitCode == 0 && said.count == 1, "\(result)")
      #expect(said.first?.contains(sentence) == true, "\(result)")
    }
    let result = try KfrecProcess.run(["-i", input] + off + ["-o", "null"], in: folder)
    #expect(result.exitCode == 0 && InterlacedTests.sentences(result).isEmpty, "\(result)")
  }

  /// Returns the decoder's field information for each frame, in short.
  private func fields(_ path: String) throws -> [String] {
    try Probe.rows(path, "frame=interlaced_frame,top_field_first", of: "v:0")
      .filter { $0["interlaced_frame"] != nil }
      .map { $0["interlaced_frame"] == "0" ? "-" : $0["top_field_first"] == "1" ? "t" : "b" }
  }

  @Test(
    "the output's frames have the source's field order, which is reported",
    arguments: [("tff", "top", "t"), ("bff", "bottom", "b")])
  func kept(first: String, word: String, letter: String) throws {
    let folder = try TemporaryFolder()
    let input = try input("in.mp4", first: first, in: folder)
    try #require(try fields(input) == Array(repeating: letter, count: 6))
    for name in ["out.mov", "out.mkv"] {
      let output = folder.file(name)
      let result = try KfrecProcess.run(["-i", input] + off + ["-o", output])
      #expect(result.exitCode == 0, "\(result)")
      #expect(result.errors.contains("\(word) field first, and tagged so"), "\(result)")
      #expect(InterlacedTests.sentences(result).count == 1, "\(result)")
      #expect(try fields(output) == Array(repeating: letter, count: 6), "\(name)")
    }
    let matroska = try Probe.stream(folder.file("out.mkv"), "field_order")
    #expect(matroska["field_order"]?.hasPrefix(letter) == true, "\(matroska)")
    // In ProRes the container has the field order too.
    let output = folder.file("prores.mov")
    let result = try KfrecProcess.run(["-i", input] + off + ["--codec", "prores", "-o", output])
    #expect(result.exitCode == 0, "\(result)")
    #expect(try fields(output) == Array(repeating: letter, count: 6))
    #expect(try Probe.stream(output, "field_order")["field_order"]?.hasPrefix(letter) == true)
    let plain = folder.file("out.y4m")
    #expect(try KfrecProcess.run(["-i", input] + off + ["-o", plain]).exitCode == 0)
    let header = String(decoding: try readFile(plain).prefix { $0 != 10 }, as: UTF8.self)
    #expect(header.contains(" I\(letter)"), "\(header)")
  }

  @Test(
    "ProRes of fields that one encoder fails with is encoded by the other one",
    arguments: ["320x240", "64x80", "96x48"])
  func halfBlocks(size: String) throws {
    let folder = try TemporaryFolder()
    let input = try input("in.mp4", size: size, first: "tff", in: folder)
    for codec in ["prores", "prores_aw"] {
      let output = folder.file(codec + ".mov")
      let result = try KfrecProcess.run(["-i", input] + off + ["--codec", codec, "-o", output])
      #expect(result.exitCode == 0, "\(result)")
      #expect(
        result.errors.contains("is encoded by prores_ks, because \(codec) of this"), "\(result)")
      #expect(try fields(output) == Array(repeating: "t", count: 6))
    }
  }

  @Test("an encoder that ends the process on fields is refused")
  func crash() throws {
    let folder = try TemporaryFolder()
    let input = try input("in.mp4", size: "320x240", first: "tff", in: folder)
    let result = try KfrecProcess.run(
      ["-i", input] + off + ["--codec", "vc2", "-o", "a.mkv"], in: folder)
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.errors.contains("vc2 of this FFmpeg fails with frames that are interlaced"))
    let even = try KfrecProcess.run(["-i", input, "--codec", "vc2", "-o", "a.mkv"], in: folder)
    #expect(even.exitCode == 0 || even.errors.contains("vc2"), "\(even)")
  }

  @Test("MPEG-2 has the fields and the times of the source, at a rate that varies too")
  func mpeg2() throws {
    let folder = try TemporaryFolder()
    let input = try input("in.mp4", first: "bff", in: folder)
    for name in ["out.mov", "out.mp4", "out.mkv"] {
      let output = folder.file(name)
      let result = try KfrecProcess.run(
        ["-i", input] + off + ["--codec", "mpeg2video", "-o", output])
      #expect(result.exitCode == 0, "\(result)")
      #expect(try fields(output) == Array(repeating: "b", count: 6), "\(name)")
    }
    let varying = try make(
      "v.mp4", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=30:d=1", "-vf", "select='lt(mod(n,10),6)'",
        "-fps_mode", "vfr", "-c:v", "libx264", "-preset", "ultrafast",
      ])
    for words in [[], ["--encoder-option", "bf=2"]] {
      let output = folder.file("v.mov")
      let result = try KfrecProcess.run(
        ["-y", "-i", varying, "--codec", "mpeg2video", "-o", output] + words)
      #expect(result.exitCode == 0, "\(result)")
      func times(_ path: String) throws -> [String] {
        try Probe.rows(path, "packet=pts_time", of: "v:0").compactMap { $0["pts_time"] }.sorted()
      }
      #expect(try times(output) == times(varying) && times(output).count == 18)
    }
  }

  @Test("scaled frames are progressive, with a warning")
  func scaled() throws {
    let folder = try TemporaryFolder()
    let input = try input("in.mp4", first: "tff", in: folder)
    let output = folder.file("out.mov")
    let result = try KfrecProcess.run(["-i", input] + off + ["--size", "32x24", "-o", output])
    #expect(result.exitCode == 0 && result.errors.contains("mixes its fields"), "\(result)")
    #expect(InterlacedTests.sentences(result).count == 1, "\(result)")
    #expect(try fields(output) == Array(repeating: "-", count: 6))
  }

  @Test(
    "H.264 whose fields would have half a line of chroma is progressive, with a warning")
  func halfLine() throws {
    let folder = try TemporaryFolder()
    let input = try input(
      "in.mov", size: "64x50", first: "tff", in: folder, coding: ["-c:v", "prores_ks"])
    let output = folder.file("out.mov")
    let result = try KfrecProcess.run(["-i", input] + off + ["-o", output])
    #expect(result.exitCode == 0 && result.errors.contains("tagged progressive"), "\(result)")
    #expect(try fields(output) == Array(repeating: "-", count: 6))
  }

  @Test("progressive frames are not tagged and give no warning")
  func progressive() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.mp4", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.24", "-c:v", "libx264"])
    let output = folder.file("out.mov")
    let result = try KfrecProcess.run(["-i", input, "-o", output])
    #expect(result.exitCode == 0 && !result.errors.contains("interlaced"), "\(result)")
    #expect(try fields(output) == Array(repeating: "-", count: 6))
  }

  @Test("rotation and position change which field is first, and scaling removes the fields")
  func geometry() {
    func format(_ height: Int, turns: Int = 0, mirrored: Bool = false) -> FrameFormat {
      FrameFormat(
        width: 64, height: height, pixelFormat: .yuv420p, color: .sRGB,
        orientation: Orientation(quarterTurns: turns, mirrored: mirrored))
    }
    func order(_ format: FrameFormat, y: Int = 0, scaledTo height: Int? = nil) -> FieldOrder? {
      var geometry = FrameGeometry(source: format)
      geometry.y = y
      if let height { geometry.height = height }
      return geometry.fieldOrder(of: format, being: .topFirst)
    }
    #expect(order(format(48)) == .topFirst)
    #expect(order(format(48, mirrored: true)) == .topFirst)
    #expect(order(format(48, turns: 2)) == .bottomFirst)
    #expect(order(format(49, turns: 2)) == .topFirst)
    #expect(order(format(48), y: 1) == .bottomFirst)
    #expect(order(format(48, turns: 2), y: 1) == .topFirst)
    #expect(order(format(48, turns: 1)) == nil)
    #expect(order(format(64, turns: 1)) == nil)
    #expect(order(format(48), scaledTo: 24) == nil)
  }
}
