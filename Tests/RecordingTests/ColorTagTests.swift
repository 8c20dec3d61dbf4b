import TestSupport
import Testing

/// Tests of the output's colour tags, in the video stream (for decoders) and in the container.
@Suite struct ColorTagTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var size = "64x48"
    /// The tag options for libx264; empty leaves the input untagged.
    var tags: [String] = []
    var pixels = "yuv420p"
    var words: [String] = []
    var range = "tv"
    var matrix: String
    var primaries: String
    var transfer: String

    init(
      _ name: String, size: String = "64x48", tags: [String] = [], pixels: String = "yuv420p",
      words: [String] = [], range: String = "tv", _ matrix: String, _ primaries: String,
      _ transfer: String
    ) {
      testDescription = name
      (self.size, self.tags, self.pixels, self.words) = (size, tags, pixels, words)
      (self.range, self.matrix, self.primaries, self.transfer) =
        (range, matrix, primaries, transfer)
    }
  }

  private static func tags(_ matrix: String, _ primaries: String, _ transfer: String) -> [String] {
    ["-colorspace", matrix, "-color_primaries", primaries, "-color_trc", transfer]
  }

  private static let hd = tags("bt709", "bt709", "bt709")

  static let cases = [
    Case("untagged, small", "smpte170m", "smpte170m", "smpte170m"),
    Case("untagged, 576 lines", size: "32x576", "bt470bg", "bt470bg", "smpte170m"),
    Case("untagged, 578 lines", size: "32x578", "bt709", "bt709", "bt709"),
    Case("untagged, 1280 wide", size: "1280x32", "bt709", "bt709", "bt709"),
    Case("small, tagged BT.709", tags: hd, "bt709", "bt709", "bt709"),
    Case(
      "BT.2020", tags: tags("bt2020nc", "bt2020", "bt2020-10"), "bt2020nc", "bt2020", "bt2020-10"),
    Case("full range", tags: hd, pixels: "yuvj420p", range: "pc", "bt709", "bt709", "bt709"),
    Case(
      "full range asked for", tags: hd, words: ["--range", "full"], range: "pc", "bt709", "bt709",
      "bt709"),
    Case(
      "limited range asked for", tags: hd, pixels: "yuvj420p", words: ["--range", "limited"],
      "bt709", "bt709", "bt709"),
    Case(
      "another matrix believed", tags: hd, words: ["--input-matrix", "bt601"], "smpte170m",
      "bt709", "bt709"),
    Case(
      "made small, a large picture keeps its matrix", size: "1280x32", words: ["--size", "64x32"],
      "bt709", "bt709", "bt709"),
  ]

  @Test("the output is tagged in the video stream and in the container", arguments: cases)
  func tagged(_ item: Case) throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.mp4", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=\(item.size):d=0.08", "-pix_fmt", item.pixels]
        + item.tags + ["-c:v", "libx264", "-preset", "ultrafast"])
    let expected = [
      "color_range": item.range, "color_space": item.matrix, "color_primaries": item.primaries,
      "color_transfer": item.transfer,
    ]
    // The containers differ in their tags; the encoder does not.
    for name in item.range == "pc" ? ["out.mov", "out.mp4", "out.mkv"] : ["out.mov"] {
      let output = folder.file(name)
      let result = try KfrecProcess.run(["-i", input, "-o", output] + item.words)
      #expect(result.exitCode == 0, "\(result)")
      #expect(!result.errors.contains("HDR"))
      let fields = "color_range,color_space,color_primaries,color_transfer"
      #expect(try Probe.stream(output, fields) == expected, "\(name)")
      // The bare video stream, without the container.
      let video = try make(
        "\(name).h264", in: folder, ["-i", output, "-map", "0:v", "-c", "copy"])
      #expect(try Probe.stream(video, fields) == expected, "the video of \(name)")
      let box: [UInt8] = name == "out.mov" ? Array("colrnclc".utf8) : Array("colrnclx".utf8)
      if name != "out.mkv" { #expect(try contains(box, in: readFile(output)), "\(name)") }
    }
  }

  private func contains(_ part: [UInt8], in bytes: [UInt8]) -> Bool {
    bytes.indices.contains { index in
      bytes[index] == part[0] && bytes[index...].prefix(part.count).elementsEqual(part)
    }
  }

  @Test("a still's RGB becomes limited-range YCbCr with the matrix of its size and the sRGB curve")
  func still() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.png", in: folder, ["-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1"])
    let output = folder.file("out.mov")
    let result = try KfrecProcess.run(["-i", input, "--frames", "1", "-o", output])
    #expect(result.exitCode == 0, "\(result)")
    let stream = try Probe.stream(output, "color_range,color_space,color_primaries,color_transfer")
    #expect(
      stream == [
        "color_range": "tv", "color_space": "smpte170m", "color_primaries": "bt709",
        "color_transfer": "iec61966-2-1",
      ])
  }

  @Test(
    "YCgCo becomes RGB, and YCbCr with the matrix of its size", arguments: ["yuv444p", "yuv420p"])
  func greenAndOrange(pixels: String) throws {
    let folder = try TemporaryFolder()
    // zimg converts it; swscale would code BT.601 under another name.
    let bars = ["-f", "lavfi", "-i", "smptebars=s=64x48:d=0.08", "-vf"]
    let input = try make(
      "in.mkv", in: folder,
      bars + [
        "format=gbrp,zscale=matrix=ycgco:range=full,format=\(pixels)", "-c:v", "libx264", "-qp",
        "0",
      ])
    try #require(try Probe.stream(input, "color_space") == ["color_space": "ycgco"])
    let source = try make("bars.mkv", in: folder, bars + ["format=gbrp", "-c:v", "ffv1"])
    let expected = try Probe.pixels(source, "rgb24").prefix(64 * 48 * 3)
    let picture = folder.file("out.png")
    let result = try KfrecProcess.run(["-i", input, "-o", picture])
    #expect(result.exitCode == 0, "\(result)")
    let shown = try Probe.pixels(picture, "rgb24")
    try #require(shown.count == expected.count)
    let errors = zip(shown, expected).map { abs(Int($0) - Int($1)) }.sorted()
    // Subsampled chroma is blurred at the edges of the bars, which are nine pixels wide.
    let largest = pixels == "yuv444p" ? errors[errors.count - 1] : errors[errors.count / 2]
    #expect(largest <= 2, "\(largest)")
    let output = folder.file("out.mov")
    #expect(try KfrecProcess.run(["-i", input, "-o", output]).exitCode == 0)
    let tags = try Probe.stream(output, "color_range,color_space,color_primaries,color_transfer")
    #expect(
      tags == [
        "color_range": "pc", "color_space": "smpte170m", "color_primaries": "bt709",
        "color_transfer": "iec61966-2-1",
      ])
  }

  @Test("a matrix that kfrec cannot convert is refused by name with the remedy")
  func refused() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.mp4", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.08", "-colorspace", "ictcp", "-c:v", "libx264"])
    let result = try KfrecProcess.run(["-i", input, "-o", folder.file("out.mov")])
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.errors.contains("ictcp") && result.errors.contains("--input-matrix"))
    #expect(folder.names == ["in.mp4"])
    let believed = try KfrecProcess.run(
      ["-i", input, "-o", folder.file("out.mov"), "--input-matrix", "bt709"])
    #expect(believed.exitCode == 0, "\(believed)")
  }
}
