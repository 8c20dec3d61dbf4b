import TestSupport
import Testing

/// Tests of JPEG images, with an independent decoder.
@Suite struct JPEGOutputTests {
  @Test("one frame and numbered frames look like the same frames as PNG, in any size")
  func pixels() throws {
    let folder = try TemporaryFolder()
    for name in ["a.png", "a.jpg", "a.JPEG", "b-%d.png", "b-%d.jpg"] {
      let result = try KfrecProcess.run(
        [
          "-i", "testsrc", "--size", "161x121", "--frames", name.contains("%") ? "2" : "1", "-o",
          name,
        ], in: folder)
      #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
    }
    for (jpeg, png) in [
      ("a.jpg", "a.png"), ("a.JPEG", "a.png"), ("b-1.jpg", "b-1.png"), ("b-2.jpg", "b-2.png"),
    ] {
      let near = try Probe.pixels(folder.file(jpeg), "rgb24").map(Int.init)
      let exact = try Probe.pixels(folder.file(png), "rgb24").map(Int.init)
      try #require(near.count == exact.count && exact.count == 161 * 121 * 3)
      let error = zip(near, exact).reduce(0) { $0 + abs($1.0 - $1.1) }
      #expect(Double(error) / Double(exact.count) < 1.5, "\(jpeg): \(error)")
    }
  }

  @Test("colours are BT.601 of full range, as JFIF requires", arguments: ["255,128,0", "0,0,255"])
  func colors(_ color: String) throws {
    let folder = try TemporaryFolder()
    let channels = color.split(separator: ",").compactMap { Int($0) }
    let hexadecimal = channels.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let result = try KfrecProcess.run(
      ["-i", "color:\(hexadecimal)", "--frames", "1", "-o", "a.jpg"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let file = try readFile(folder.file("a.jpg"))
    #expect(file.prefix(4) == [0xff, 0xd8, 0xff, 0xe0] && file[6..<10] == Array("JFIF".utf8)[...])
    let stream = try Probe.stream(folder.file("a.jpg"), "codec_name,width,height,color_range")
    #expect(
      stream == ["codec_name": "mjpeg", "width": "1280", "height": "720", "color_range": "pc"])
    let pixel = try Probe.pixels(folder.file("a.jpg"), "rgb24").prefix(3).map(Int.init)
    #expect(zip(pixel, channels).allSatisfy { abs($0 - $1) <= 2 }, "\(pixel)")
  }

  @Test("transparency is blended over black, and formats that keep it are named")
  func transparency() throws {
    let folder = try TemporaryFolder()
    let result = try KfrecProcess.run(
      ["-i", "color:ffffff00", "--size", "32x32", "--frames", "1", "-o", "a.jpg"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    #expect(
      result.errors.contains(
        "a.jpg has no transparency: transparent pixels are blended over black; a .png, .gif, .apng, .webp or .webm keeps the transparency"
      ),
      "\(result)")
    #expect(try Probe.pixels(folder.file("a.jpg"), "gray").allSatisfy { $0 <= 2 })
  }

  @Test("an output that could keep the transparency is not said to have none for one beside it")
  func sharedFrames() throws {
    let folder = try TemporaryFolder()
    let result = try KfrecProcess.run(
      ["-i", "color:ffffff00", "--size", "32x32", "--frames", "2", "-o", "a.webm", "-o", "b.mov"],
      in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let words = "b.mov has no transparency, and a.webm takes the same frames"
    #expect(result.errors.contains(words), "\(result)")
  }

  @Test(
    "JPEG is refused beside outputs of other pixels, and one name takes one frame",
    arguments: [
      (["a.png", "b.jpg"], 2, "a.png takes RGB and b.jpg full-range YCbCr"),
      (["b.jpg", "a.mov"], 2, "b.jpg takes full-range YCbCr and a.mov yuv420p"),
      (
        ["a.jpg"], 0,
        "a.jpg holds one image: only the first of 3 frames is written; a name such as out-%04d.jpg"
      ),
    ])
  func refused(_ names: [String], _ exitCode: Int32, _ part: String) throws {
    let folder = try TemporaryFolder()
    let result = try KfrecProcess.run(
      ["-i", "testsrc", "--size", "32x32", "--frames", "3"] + names.flatMap { ["-o", $0] },
      in: folder)
    #expect(result.exitCode == exitCode, "\(result)")
    #expect(result.errors.contains(part), "\(result)")
  }
}
