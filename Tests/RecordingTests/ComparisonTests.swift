import TestSupport
import Testing

/// `--compare`: the source's own picture beside the result.
@Suite struct ComparisonTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func makeInput(_ name: String = "in.mkv", size: String = "120x80") throws -> String {
    try make(
      name, in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=\(size):r=10:d=0.3", "-c:v", "ffv1", "-pix_fmt", "yuv444p",
      ])
  }

  /// The pixels of the first frame that kfrec makes, gray, row by row.
  private func rows(_ words: [String], width: Int) throws -> [ArraySlice<UInt8>] {
    let out = folder.file("out.mkv")
    let result = try KfrecProcess.run(
      words + ["--codec", "ffv1", "--pixel-format", "yuv444p", "--frames", "1", "-y", "-o", out])
    #expect(result.exitCode == 0, "\(result)")
    let pixels = try Probe.pixels(out, "gray")
    #expect(pixels.count % width == 0)
    return stride(from: 0, to: pixels.count, by: width).map { pixels[$0..<$0 + width] }
  }

  @Test(
    "both halves are those of the recordings without and with the effects",
    arguments: [["-e", "invert"], ["-e", "gaussianBlur", "-e", "invert", "-e", "vignette"], []])
  func halves(_ effects: [String]) throws {
    let input = ["-i", try makeInput()]
    let before = try rows(input + ["--force-gpu"], width: 120)
    let after = try rows(input + effects + ["--force-gpu"], width: 120)
    let split = try rows(input + effects + ["--compare", "split"], width: 120)
    let side = try rows(input + effects + ["--compare", "side"], width: 240)
    #expect(split.count == 80 && side.count == 80)
    for y in 0..<min(side.count, split.count) {
      #expect(split[y].prefix(59) == before[y].prefix(59))
      #expect(split[y].dropFirst(59).first == 255)
      #expect(split[y].suffix(60) == after[y].suffix(60))
      #expect(side[y].prefix(120) == before[y] && side[y].suffix(120) == after[y])
    }
  }

  @Test("before is scaled as the result is, bars and all")
  func scaled() throws {
    for scale in ["fit", "fill", "stretch"] {
      let input = [
        "-i", try makeInput(), "--size", "100x100", "--scale", scale, "--pad-color", "gray",
      ]
      let before = try rows(input, width: 100)
      let after = try rows(input + ["-e", "invert"], width: 100)
      let side = try rows(input + ["-e", "invert", "--compare", "side"], width: 200)
      for y in 0..<100 {
        #expect(
          side[y].prefix(100) == before[y] && side[y].suffix(100) == after[y], "\(scale) \(y)")
      }
    }
  }

  @Test("a later input is compared with itself")
  func laterInput() throws {
    let inputs = ["-i", try makeInput(), "-i", try makeInput("b.mkv", size: "60x40")]
    let out = folder.file("all.mkv")
    let result = try KfrecProcess.run(
      inputs + [
        "-e", "crossfade", "--overlap", "0.1", "-e", "invert", "--compare", "side", "--codec",
        "ffv1",
        "--pixel-format", "yuv444p", "-o", out,
      ])
    #expect(result.exitCode == 0, "\(result)")
    let pixels = try Probe.pixels(out, "gray")
    let last = Array(pixels.suffix(240 * 80))
    #expect(pixels.count == 5 * 240 * 80)
    // The negative of a gray value, but for rounding.
    for y in 0..<80 {
      let pairs = zip(last[y * 240..<y * 240 + 120], last[y * 240 + 120..<y * 240 + 240])
      #expect(pairs.count(where: { abs(Int($0) + Int($1) - 255) > 40 }) < 24, "row \(y)")
    }
  }
}
