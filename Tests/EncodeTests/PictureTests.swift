import Frames
import Testing

@testable import Encode

@Suite("Images")
struct PictureTests {
  let folder = TestFolder()

  @Test(
    "A PNG holds the pixels bit for bit",
    arguments: [
      (false, 1, 1), (false, 3, 5), (true, 3, 5), (false, 161, 121), (true, 160, 120),
    ])
  func exact(hasAlpha: Bool, width: Int, height: Int) throws {
    let file = folder.file("out.png")
    let output = try Output(file)
    let format = output.frameFormat(
      width: width, height: height, color: .hd, sampleAspectRatio: .one, hasAlpha: hasAlpha)
    #expect(format.color.matrix == .rgb)
    #expect(format.color.range == .full)
    #expect(output.frameLimit == 1)
    let sink = try output.open(
      SinkRequest(format: format, frameRate: 25, timeBase: Rational(1, 25)))
    let frames = TestFrames(format)
    try sink.write(try frames.frame(7, at: 0))
    #expect(throws: EncodeError.self) { try sink.write(try frames.frame(8, at: 1)) }
    let report = try sink.finish()
    #expect(report.frames == 1)
    #expect(folder.names == ["out.png"])
    let decoded = shellBytes(
      "ffmpeg -v error -i \(file) -f rawvideo -pix_fmt \(hasAlpha ? "rgba" : "rgb24") -")
    #expect(decoded == frames.raw(7))
  }

  @Test("An sRGB image is tagged as sRGB")
  func tagged() throws {
    let file = folder.file("out.png")
    let output = try Output(file)
    let format = output.frameFormat(width: 4, height: 4, color: .sRGB)
    let sink = try output.open(
      SinkRequest(format: format, frameRate: 25, timeBase: Rational(1, 25)))
    try sink.write(try TestFrames(format).frame(0, at: 0))
    _ = try sink.finish()
    let bytes = hex(file)
    #expect(bytes.contains("73524742"))  // sRGB
    #expect(bytes.contains("67414d410000b18f"))  // gAMA 0.45455
  }

  @Test("A sequence is numbered from 1, and every file is complete")
  func sequence() throws {
    let pattern = folder.file("shot-%03d.png")
    let output = try Output(pattern)
    let format = output.frameFormat(width: 20, height: 10, color: .sRGB)
    #expect(output.existingPath == nil)
    let sink = try output.open(
      SinkRequest(format: format, frameRate: 25, timeBase: Rational(1, 25)))
    let frames = TestFrames(format)
    for index in 0..<11 { try sink.write(try frames.frame(index, at: Rational(Int64(index), 25))) }
    let report = try sink.finish()
    #expect(report.frames == 11)
    #expect(folder.names.sorted() == (1...11).map { "shot-\($0 < 10 ? "00" : "0")\($0).png" })
    let decoded = shellBytes("ffmpeg -v error -i \(pattern) -f rawvideo -pix_fmt rgb24 -")
    #expect(decoded == (0..<11).flatMap { frames.raw($0) })
    #expect(try Output(pattern).existingPath == folder.file("shot-001.png"))
    sink.abandon()
    #expect(folder.names.count == 11)
  }

  @Test("A sequence does not overwrite existing images without permission")
  func sequenceStops() throws {
    shell("echo mine > \(folder.file("a2.png"))")
    let output = try Output(folder.file("a%d.png"))
    let format = output.frameFormat(width: 20, height: 10, color: .sRGB)
    let sink = try output.open(
      SinkRequest(format: format, frameRate: 25, timeBase: Rational(1, 25)))
    let frames = TestFrames(format)
    let error = #expect(throws: EncodeError.self) {
      for index in 0..<11 { try sink.write(try frames.frame(index, at: 0)) }
      _ = try sink.finish()
    }
    #expect(try sink.finish().frames == 1)
    #expect(error?.description.contains("a2.png exists") == true)
    #expect(shell("cat \(folder.file("a2.png"))") == "mine\n")
    #expect(folder.names.sorted() == ["a1.png", "a2.png"])
  }

  @Test(
    "Numbers in names follow printf",
    arguments: [
      ("a-%04d.png", "a-0012.png"), ("%d", "12"), ("%3d.png", "012.png"),
      ("50%%-%d.png", "50%-12.png"),
    ])
  func patterns(pattern: String, name: String) throws {
    let parsed = try #require(SequencePattern(pattern))
    #expect(parsed.path(12) == name)
    #expect(parsed.makes(name))
    #expect(!parsed.makes("x" + name))
  }

  @Test(
    "A name without exactly one number is no sequence",
    arguments: [
      "a.png", "50%.png", "%s.png", "%d-%d.png", "%04x.png", "a%", "%d/a.png",
    ])
  func noPatterns(name: String) {
    #expect(SequencePattern(name) == nil)
  }
}
