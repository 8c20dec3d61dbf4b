import TestSupport
import Testing

/// `--scaler` with the real program.
@Suite struct ScalerTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ input: String, _ words: [String], to name: String = "out.mkv") throws -> String
  {
    let output = folder.file(name)
    let result = try KfrecProcess.run(
      ["-i", input, "--frames", "2", "--codec", "ffv1", "-y", "-o", output] + words)
    #expect(result.exitCode == 0, "\(result)")
    return output
  }

  private func makeInput() throws -> String {
    try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:d=0.2", "-c:v", "ffv1", "-pix_fmt", "yuv444p",
      ])
  }

  @Test("nearest is FFmpeg's neighbor, to the bit, and the other scalers make other pictures")
  func nearest() throws {
    let input = try makeInput()
    let ours = try Probe.pixels(
      try run(
        input,
        [
          "--size", "480x180", "--scale", "stretch", "--scaler", "nearest", "--pixel-format",
          "yuv444p",
        ]),
      "yuv444p")
    let theirs = try make(
      "theirs.mkv", in: folder,
      ["-i", input, "-frames:v", "2", "-vf", "scale=480:180:flags=neighbor", "-c:v", "ffv1"])
    #expect(try !ours.isEmpty && ours == Probe.pixels(theirs, "yuv444p"))
    var seen = Set<[UInt8]>()
    for scaler in ["lanczos", "bicubic", "mitchell", "bilinear", "area", "nearest"] {
      seen.insert(
        try Probe.pixels(try run(input, ["--size", "120x60", "--scaler", scaler]), "yuv420p"))
    }
    #expect(seen.count == 6)
    let usual = try Probe.pixels(try run(input, ["--size", "120x60"]), "yuv420p")
    let lanczos = try Probe.pixels(
      try run(input, ["--size", "120x60", "--scaler", "lanczos"]), "yuv420p")
    #expect(usual == lanczos)
  }

  @Test("a scaler changes nothing of frames that are not resized: they do not use the GPU")
  func unscaled() throws {
    let input = try makeInput()
    let result = try KfrecProcess.run([
      "-i", input, "--scaler", "area", "--verbose", "--frames", "2", "--codec", "ffv1",
      "--pixel-format", "yuv444p", "-o", folder.file("out.mkv"),
    ])
    #expect(result.exitCode == 0 && result.errors.contains("GPU not used"), "\(result)")
  }

  @Test("a small picture keeps the light of a large one: a fine pattern of black and white")
  func light() throws {
    let input = try make(
      "in.png", in: folder,
      [
        "-f", "lavfi", "-i",
        "color=black:s=64x64,format=gray,geq=lum='255*mod(X+Y\\,2)',format=rgb24",
        "-frames:v", "1",
      ])
    let result = try KfrecProcess.run([
      "-i", input, "--size", "32x32", "-o", folder.file("out.png"),
    ])
    #expect(result.exitCode == 0, "\(result)")
    let pixels = try Probe.pixels(folder.file("out.png"), "rgb24")
    for y in 4..<28 { #expect(pixels[y * 96 + 12..<y * 96 + 84].allSatisfy { $0 == 188 }) }
  }

  @Test("clips that follow another one are resized by the same scaler")
  func laterClips() throws {
    let input = try makeInput()
    let small = try make(
      "small.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:d=0.2,scale=80:45", "-c:v", "ffv1", "-pix_fmt",
        "yuv444p",
      ])
    let output = folder.file("joined.mkv")
    let result = try KfrecProcess.run([
      "-i", input, "-i", small, "--scaler", "nearest", "--overlap", "0", "--codec", "ffv1",
      "--pixel-format", "yuv444p", "-o", output,
    ])
    #expect(result.exitCode == 0, "\(result)")
    let pixels = try Probe.pixels(output, "yuv444p")
    let last = Array(pixels.suffix(160 * 90 * 3).prefix(160 * 90))
    for y in 0..<90 {
      for x in 0..<160 { #expect(last[y * 160 + x] == last[y / 2 * 2 * 160 + x / 2 * 2]) }
    }
  }

  @Test("an unknown scaler is refused with exit code 2, and nothing is left")
  func refusal() throws {
    let input = try makeInput()
    let result = try KfrecProcess.run([
      "-i", input, "--size", "80x", "--scaler", "lanzcos", "-o", folder.file("out.mov"),
    ])
    #expect(result.exitCode == 2 && result.errors.contains("--scaler takes lanczos"), "\(result)")
    #expect(folder.names == ["in.mkv"])
  }
}
