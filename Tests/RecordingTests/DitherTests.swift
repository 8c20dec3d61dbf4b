import Foundation
import TestSupport
import Testing

/// Tests of `--dither` and of sources of more than 8 bits, with the real program.
@Suite struct DitherTests {
  /// Makes a gray slope of ten 8-bit codes over 512 columns, as a PNG of 16 bits.
  private func slope(in folder: TemporaryFolder) throws -> String {
    try make(
      "slope.png", in: folder,
      [
        "-f", "lavfi", "-i", "color=black:s=512x32:d=0.04,format=gray16le,geq=lum=25700+X*5.02",
        "-frames:v", "1", "-pix_fmt", "gray16be",
      ])
  }

  private func longestRun(_ row: some Collection<UInt8>) -> Int {
    var (longest, run) = (0, 0)
    var last: UInt8?
    for code in row {
      run = code == last ? run + 1 : 1
      (longest, last) = (max(longest, run), code)
    }
    return longest
  }

  @Test("a slope of 16 bits shows no bands in 8 bits, unless the nearest codes are asked for")
  func bands() throws {
    let folder = try TemporaryFolder()
    let input = try slope(in: folder)
    func row(_ words: [String], _ name: String = "out.png") throws -> ArraySlice<UInt8> {
      let isMovie = name.hasSuffix(".mkv")
      let result = try KfrecProcess.run(
        [
          "-y", "-i", input, "--pixel-format", isMovie ? "yuv420p" : "rgb24", "-o",
          folder.file(name),
        ]
          + words)
      #expect(result.exitCode == 0, "\(result)")
      return try Probe.pixels(folder.file(name), isMovie ? nil : "gray").prefix(512)
    }
    #expect(longestRun(try row(["--dither", "none"])) > 45)
    #expect(longestRun(try row([])) <= 24)
    #expect(longestRun(try row(["--dither", "ordered"])) <= 24)
    let movie = ["--codec", "ffv1", "-t", "0.1", "--fps", "10"]
    #expect(longestRun(try row(["--dither", "none"] + movie, "out.mkv")) > 45)
    #expect(longestRun(try row(movie, "out.mkv")) <= 34)
  }

  @Test("8 bits that pass through have the same codes, whatever dither is asked for")
  func identity() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.mkv", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=96x64:d=0.2:r=10", "-pix_fmt", "yuv420p", "-c:v", "ffv1"])
    for words in [[], ["--dither", "ordered"], ["--dither", "auto"]] {
      let output = folder.file("out.mkv")
      let result = try KfrecProcess.run(
        ["-y", "-i", input, "-o", output, "--codec", "ffv1", "--force-gpu"] + words)
      #expect(result.exitCode == 0, "\(result)")
      // Luma passes exactly; chroma is filtered twice.
      let (before, after) = (try Probe.pixels(input, "gray"), try Probe.pixels(output, "gray"))
      #expect(before == after, "\(words)")
    }
  }

  @Test("a slope that an effect makes of 8 bits is dithered only if that is asked for")
  func effects() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.png", in: folder, ["-f", "lavfi", "-i", "color=gray:s=256x256:d=0.04", "-frames:v", "1"])
    func picture(_ words: [String]) throws -> [UInt8] {
      let output = folder.file("out.png")
      let result = try KfrecProcess.run(
        ["-y", "-i", input, "-o", output, "-e", "vignette"] + words)
      #expect(result.exitCode == 0, "\(result)")
      return try Probe.pixels(output, "gray")
    }
    let (usual, none, ordered) = (
      try picture([]), try picture(["--dither", "none"]), try picture(["--dither", "ordered"])
    )
    #expect(usual == none)
    #expect(usual != ordered)
    #expect(zip(usual, ordered).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }

  @Test(
    "a PNG of 16 bits keeps every bit without an effect, and with one that changes nothing",
    arguments: [("rgb48be", "rgb48be"), ("rgba64be", "rgba64be"), ("gray16be", "rgb48be")])
  func sixteenBits(source: String, output: String) throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.png", in: folder,
      [
        "-f", "lavfi", "-i",
        "color=black:s=255x61:d=0.04,format=gbrap16le,"
          + "geq=r='mod(X*257+Y*61,65536)':g='mod(X*1021+Y,65536)':b='mod(X*7+Y*4099,65536)':a='65535-X'",
        "-frames:v", "1", "-pix_fmt", source,
      ])
    let wanted = try Probe.pixels(input, output)
    let kept = try folder.write(
      """
      /*{"HISTORY": 1}*/
      vec4 effect(vec2 uv) { return 0.5 * framePixel() + 0.5 * earlierPixel(1, PIXEL); }
      """.utf8, to: "kept.comp")
    for words in [[], ["--force-gpu"], ["-e", "vignette:amount=0"], ["-e", kept]] {
      let path = folder.file("out.png")
      let result = try KfrecProcess.run(
        ["-y", "-i", input, "-o", path, "--pixel-format", output] + words)
      #expect(result.exitCode == 0, "\(result)")
      #expect(try Probe.pixels(path, output) == wanted, "\(words)")
    }
  }
}
