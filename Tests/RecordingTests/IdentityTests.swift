import Glibc
import TestSupport
import Testing

/// Tests that without effects the frame after the GPU pipeline equals the frame before it.
@Suite struct IdentityTests {
  struct Color: CustomTestStringConvertible, Sendable {
    let matrix: String
    let range: String
    var testDescription: String { "\(matrix), \(range)" }
    /// The encoder's tag options for an input.
    var tags: [String] {
      [
        "-colorspace", matrix, "-color_primaries", matrix, "-color_trc", matrix, "-color_range",
        range,
      ]
    }
  }

  static let colors = ["smpte170m", "bt709"].flatMap { matrix in
    ["tv", "pc"].map { Color(matrix: matrix, range: $0) }
  }

  private static let lossless = ["-c:v", "ffv1"]

  /// Makes three frames of 96x64 in 4:4:4 with every value of the range in every plane, each beside
  /// many others: mostly far out of the RGB gamut.
  private func noise(_ color: Color, in folder: TemporaryFolder) throws -> String {
    var state: UInt64 = 1
    var bytes: [UInt8] = []
    for _ in 0..<3 {
      for plane in 0..<3 {
        let low: UInt64 = color.range == "tv" ? 16 : 0
        let span: UInt64 = color.range == "tv" ? (plane == 0 ? 219 : 224) : 255
        for _ in 0..<(96 * 64) {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          bytes.append(UInt8(low + (state >> 33) % (span + 1)))
        }
      }
    }
    let raw = try folder.write(bytes, to: "noise.yuv")
    return try make(
      "in.mkv", in: folder,
      ["-f", "rawvideo", "-pix_fmt", "yuv444p", "-s", "96x64"] + ["-i", raw] + color.tags
        + IdentityTests.lossless)
  }

  @Test("4:4:4 is unchanged, in and out of the RGB gamut", arguments: colors)
  func exact444(_ color: Color) throws {
    let folder = try TemporaryFolder()
    let input = try noise(color, in: folder)
    #expect(try Probe.stream(input, "color_range,color_space")["color_range"] == color.range)
    let expected = try Probe.pixels(input)
    #expect(expected.count == 3 * 96 * 64 * 3)
    for words in [["--force-gpu"], ["-e", "separateRGB:amount=0"]] {
      let output = folder.file("out.mkv")
      let result = try KfrecProcess.run(
        ["-y", "-i", input, "-o", output, "--crf", "0", "--pixel-format", "yuv444p"] + words)
      #expect(result.exitCode == 0, "\(result)")
      let found = try Probe.pixels(output)
      let errors = Difference(expected, found)
      #expect(errors.maximum == 0, "\(words): \(errors)")
    }
  }

  @Test(
    "4:2:0 and 4:2:2 keep luma to the bit, and chroma to 50 dB, on a real clip",
    arguments: ["yuv420p", "yuv422p"], colors)
  func subsampled(_ format: String, _ color: Color) throws {
    let folder = try TemporaryFolder()
    let sample = repositoryRoot + "/samples/big-buck-bunny.mp4"
    // A small crop of the sample: real edges and colours at a size that is quick to compare.
    let input = try make(
      "in.mkv", in: folder,
      [
        "-ss", "2", "-i", sample, "-frames:v", "3", "-an", "-vf",
        "crop=512:320:360:200,scale=in_color_matrix=bt709:in_range=tv:"
          + "out_color_matrix=\(color.matrix):out_range=\(color.range):flags=accurate_rnd,"
          + "format=\(format)",
      ] + color.tags + IdentityTests.lossless)
    let output = folder.file("out.mkv")
    let result = try KfrecProcess.run(
      ["-i", input, "-o", output, "--crf", "0", "--pixel-format", format, "--force-gpu"])
    #expect(result.exitCode == 0, "\(result)")
    let (before, after) = (try Probe.pixels(input), try Probe.pixels(output))
    #expect(before.count == after.count)
    let luma = 512 * 320
    let frame = format == "yuv420p" ? luma * 3 / 2 : luma * 2
    for start in stride(from: 0, to: min(before.count, after.count), by: frame) {
      let lumaErrors = Difference(before[start..<(start + luma)], after[start..<(start + luma)])
      let chromaErrors = Difference(
        before[(start + luma)..<(start + frame)], after[(start + luma)..<(start + frame)])
      #expect(lumaErrors.maximum == 0, "luma: \(lumaErrors)")
      #expect(chromaErrors.psnr >= 50, "chroma: \(chromaErrors)")
    }
  }

  @Test("a PNG of YCbCr is within 1 of the closed-form RGB", arguments: colors)
  func png(_ color: Color) throws {
    let folder = try TemporaryFolder()
    let input = try noise(color, in: folder)
    let output = folder.file("out.png")
    let result = try KfrecProcess.run(["-i", input, "-o", output])
    #expect(result.exitCode == 0, "\(result)")
    let planes = try Probe.pixels(input)
    let found = try Probe.pixels(output, "rgb24")
    let count = 96 * 64
    let (kr, kb) = color.matrix == "bt709" ? (0.2126, 0.0722) : (0.299, 0.114)
    var worst = 0
    for pixel in 0..<count {
      let (y, b, r) = (
        Double(planes[pixel]), Double(planes[pixel + count]), Double(planes[pixel + 2 * count])
      )
      let luma = color.range == "tv" ? (y - 16) / 219 : y / 255
      let scale = color.range == "tv" ? 224.0 : 255.0
      let (cb, cr) = ((b - 128) / scale, (r - 128) / scale)
      let red = luma + 2 * (1 - kr) * cr
      let blue = luma + 2 * (1 - kb) * cb
      let green = (luma - kr * red - kb * blue) / (1 - kr - kb)
      for (channel, value) in [red, green, blue].enumerated() {
        let expected = Int((min(max(value, 0), 1) * 255).rounded())
        worst = max(worst, abs(expected - Int(found[pixel * 3 + channel])))
      }
    }
    #expect(worst <= 1)
  }

  @Test(
    "8-bit RGB to PNG is exact, with and without separateRGB:amount=0",
    arguments: ["rgb24", "rgba"])
  func rgb(_ format: String) throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.png", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc=s=67x41:d=0.04", "-vf",
        "noise=alls=60:all_seed=7,format=\(format)",
      ])
    for words in [["--force-gpu"], ["-e", "separateRGB:amount=0"]] {
      let output = folder.file("out.png")
      let result = try KfrecProcess.run(["-y", "-i", input, "-o", output] + words)
      #expect(result.exitCode == 0, "\(result)")
      let errors = Difference(try Probe.pixels(input, "rgb24"), try Probe.pixels(output, "rgb24"))
      #expect(errors.maximum == 0, "\(words): \(errors)")
    }
  }

  @Test("separateRGB:amount=0 gives the same bytes as no effect")
  func amountZero() throws {
    let folder = try TemporaryFolder()
    let sample = repositoryRoot + "/samples/big-buck-bunny.mp4"
    for (name, words) in [
      ("a.mov", ["--force-gpu"]), ("b.mov", ["-e", "separateRGB:amount=0"]),
    ] {
      let result = try KfrecProcess.run(
        ["-i", sample, "-o", folder.file(name), "--frames", "3", "--start", "2"] + words)
      #expect(result.exitCode == 0, "\(result)")
    }
    #expect(try readFile(folder.file("a.mov")) == readFile(folder.file("b.mov")))
  }
}

/// The difference between two sequences of bytes.
struct Difference: CustomStringConvertible {
  let maximum: Int
  /// The PSNR in decibels of 255; infinite where the bytes are equal.
  let psnr: Double

  init(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) {
    guard a.count == b.count, !a.isEmpty else {
      (maximum, psnr) = (256, 0)
      return
    }
    var worst = 0
    var squares = 0
    for (x, y) in zip(a, b) where x != y {
      let difference = abs(Int(x) - Int(y))
      worst = max(worst, difference)
      squares += difference * difference
    }
    maximum = worst
    psnr = 10 * log10(255 * 255 * Double(a.count) / Double(squares))
  }

  var description: String {
    "at most \(maximum), \(psnr.isFinite ? "\((psnr * 10).rounded() / 10) dB" : "the same")"
  }
}
