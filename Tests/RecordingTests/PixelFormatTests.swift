import TestSupport
import Testing

/// Tests that every pixel format that FFmpeg decodes is accepted, and gives the same image.
@Suite struct PixelFormatTests {
  @Test(
    "every layout of 8 bits gives FFmpeg's image",
    arguments: [
      "yuv420p", "nv12", "yuv422p", "yuyv422", "uyvy422", "yuv444p", "yuv410p", "yuv411p",
      "yuv440p", "bgra", "rgba", "rgb24", "bgr24", "gbrp", "gray", "yuva420p", "rgb565le", "pal8",
      "monob",
    ])
  func layouts(_ format: String) throws {
    let folder = try TemporaryFolder()
    // Plain areas, compared in their middles, so that chroma upsampling at their edges does not matter.
    let areas =
      "color=0xc83c50:s=32x32[a];color=0x28a05a:s=32x32[b];color=0x3246d2:s=32x32[c];"
      + "color=0x808080:s=32x32[d];[a][b]hstack[t];[c][d]hstack[u];[t][u]vstack"
    let input = try make(
      "in.nut", in: folder,
      [
        "-f", "lavfi", "-i", "\(areas),format=\(format)", "-frames:v", "1", "-c:v", "rawvideo",
        "-pix_fmt", format,
      ])
    #expect(try Probe.stream(input, "pix_fmt") == ["pix_fmt": format])
    let output = folder.file("out.png")
    let result = try KfrecProcess.run(["-i", input, "-o", output, "--force-gpu"])
    #expect(result.exitCode == 0, "\(result)")
    let flags = ["scale=flags=accurate_rnd+full_chroma_int"]
    let expected = try Probe.pixels(input, "rgb24", filters: flags)
    let found = try Probe.pixels(output, "rgb24")
    try #require(found.count == 64 * 64 * 3 && expected.count == found.count)
    for (x, y) in [(16, 16), (48, 16), (16, 48), (48, 48)] {
      let pixel = (y * 64 + x) * 3
      let difference = Difference(expected[pixel..<(pixel + 3)], found[pixel..<(pixel + 3)])
      #expect(difference.maximum <= 2, "at \(x), \(y): \(difference)")
    }
  }

  @Test(
    "frames whose samples only change their places keep every sample",
    arguments: [
      ("nv12", "yuv420p"), ("nv21", "yuv420p"), ("uyvy422", "yuv422p"), ("yuyv422", "yuv422p"),
    ], ["64x48", "66x34"])
  func relayout(layouts: (stored: String, planar: String), size: String) throws {
    let (stored, planar) = layouts
    let folder = try TemporaryFolder()
    let input = try make(
      "in.nut", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=\(size):r=25:d=0.12,format=\(stored)", "-c:v", "rawvideo",
        "-pix_fmt", stored,
      ])
    let result = try KfrecProcess.run(["-i", input, "-o", "a.mkv", "--codec", "ffv1"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    #expect(try Probe.stream(folder.file("a.mkv"), "pix_fmt") == ["pix_fmt": planar])
    #expect(try Probe.pixels(folder.file("a.mkv"), stored) == Probe.pixels(input, stored))
  }

  @Test(
    "10 bits are rounded once, at the sink",
    arguments: ["yuv420p10le", "yuv422p10le", "yuv444p10le"])
  func tenBits(_ format: String) throws {
    let folder = try TemporaryFolder()
    // A ramp whose steps are finer than 8 bits.
    var bytes: [UInt8] = []
    let (width, height) = (128, 16)
    for _ in 0..<height {
      for x in 0..<width {
        let value = 400 + x
        bytes += [UInt8(value & 255), UInt8(value >> 8)]
      }
    }
    let chroma = ["yuv420p10le": 1, "yuv422p10le": 2, "yuv444p10le": 4][format] ?? 0
    for _ in 0..<(chroma * width * height / 2) { bytes += [0, 2] }
    let raw = try folder.write(bytes, to: "raw")
    let input = try make(
      "in.nut", in: folder,
      ["-f", "rawvideo", "-pix_fmt", format, "-s", "\(width)x\(height)", "-i", raw]
        + ["-c:v", "rawvideo"])
    #expect(try Probe.stream(input, "pix_fmt") == ["pix_fmt": format])
    let output = folder.file("out.mkv")
    let pixels = String(format.prefix(7))
    let result = try KfrecProcess.run(
      ["-i", input, "-o", output, "--crf", "0", "--pixel-format", pixels])
    #expect(result.exitCode == 0, "\(result)")
    #expect(
      result.errors.contains("the source has 10 bits per sample, ")
        && result.errors.contains("--pixel-format \(format) keeps 10"), "\(result)")
    let luma = try Probe.pixels(output).prefix(width)
    for (x, value) in luma.enumerated() {
      // A half may be rounded either way.
      let exact = Double(400 + x) / 4
      #expect(abs(Double(value) - exact) <= 0.5, "column \(x)")
    }
  }

  @Test(
    "10 bits stay 10 bits where the output has them, in the bypass and through the GPU",
    arguments: ["yuv420p10le", "yuv422p10le", "yuv444p10le"], [false, true])
  func tenBitsKept(_ format: String, usesGPU: Bool) throws {
    let folder = try TemporaryFolder()
    // Colours within the gamut, at a size that is no multiple of a block.
    let input = try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "gradients=s=214x118:r=25:d=0.08:seed=3,format=\(format)",
        "-color_range", "tv", "-colorspace", "bt709", "-c:v", "ffv1",
      ])
    let output = folder.file("out.mkv")
    let result = try KfrecProcess.run(
      ["-i", input, "-o", output, "--codec", "ffv1", "--pixel-format", format]
        + (usesGPU ? ["--force-gpu"] : []))
    #expect(result.exitCode == 0 && !result.errors.contains("finer steps"), "\(result)")
    let (expected, found) = (try Probe.pixels(input), try Probe.pixels(output))
    try #require(expected.count == found.count && !found.isEmpty)
    guard usesGPU else {
      #expect(expected == found)
      return
    }
    func codes(_ bytes: [UInt8]) -> [Int] {
      stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
    }
    let errors = zip(codes(expected), codes(found)).map { abs($0 - $1) }
    let luma = 214 * 118
    #expect(errors.prefix(luma).max() ?? 9 <= 1)
    // Chroma is upsampled and downsampled again.
    #expect(errors.max() ?? 99 <= (format == "yuv444p10le" ? 1 : 8), "\(errors.max() ?? -1)")
  }

  @Test(
    "a codec that takes no 8 bits, or other sampling, gets a format that it takes",
    arguments: [("prores", "yuv422p10le", "apcn"), ("hevc", "yuv420p", "hvc1")])
  func codecs(_ codec: String, _ format: String, _ tag: String) throws {
    let folder = try TemporaryFolder()
    let output = folder.file("out.mov")
    let words = ["-i", "testsrc", "--size", "128x96", "--frames", "3"]
    let result = try KfrecProcess.run(
      words + ["-e", "separateRGB", "-o", output, "--codec", codec])
    #expect(result.exitCode == 0, "\(result)")
    let stream = try Probe.stream(output, "pix_fmt,codec_tag_string")
    #expect(stream["pix_fmt"] == format && stream["codec_tag_string"] == tag, "\(stream)")
    let plain = folder.file("plain.mkv")
    let other = try KfrecProcess.run(
      words + ["-e", "separateRGB", "-o", plain, "--codec", "ffv1", "--pixel-format", "yuv444p"])
    #expect(other.exitCode == 0, "\(other)")
    let difference = Difference(
      try Probe.pixels(plain, "gray"), try Probe.pixels(output, "gray"))
    #expect(difference.psnr > 32, "\(difference)")
  }

  /// Makes an image whose left half is a green screen.
  private func screen(in folder: TemporaryFolder) throws -> String {
    try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i",
        "color=0x00b040:s=32x48:r=25:d=0.16[a];color=0xd0a080:s=32x48:r=25:d=0.16[b];[a][b]hstack",
        "-c:v", "ffv1",
      ])
  }

  /// Returns red, green, blue and alpha in the middle of each half.
  private func halves(_ path: String) throws -> (screen: [Int], rest: [Int]) {
    let isVP9 = try Probe.stream(path, "codec_name")["codec_name"] == "vp9"
    let pixels = try Probe.pixels(path, "rgba", decoder: isVP9 ? "libvpx-vp9" : nil)
    func pixel(_ x: Int) -> [Int] { pixels[((24 * 64 + x) * 4)...].prefix(4).map { Int($0) } }
    try #require(pixels.count >= 64 * 48 * 4)
    return (pixel(12), pixel(52))
  }

  @Test(
    "transparency made by an effect is kept where the output has alpha",
    arguments: [
      ("out.png", ["--frames", "1"]), ("out-%04d.png", []),
      ("out.mov", ["--codec", "prores", "--pixel-format", "yuva444p10le"]),
      ("out.mov", ["--codec", "prores", "--pixel-format", "yuv444p10le"]),
      ("out.mkv", ["--codec", "ffv1", "--pixel-format", "yuva444p10le"]),
      // Without being asked to.
      ("out.mov", ["--codec", "prores"]), ("out.mkv", ["--codec", "ffv1"]), ("out.gif", []),
      ("out.apng", []), ("out.mov", ["--codec", "qtrle"]), ("out.webm", ["--crf", "10"]),
      ("out.mkv", ["--codec", "vp9", "--crf", "10"]),
    ])
  func madeTransparency(_ name: String, words: [String]) throws {
    let folder = try TemporaryFolder()
    let output = folder.file(name)
    let result = try KfrecProcess.run(
      ["-i", try screen(in: folder), "-e", "chromaKey:color=00000000", "-o", output] + words)
    #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
    let file = name.contains("%") ? folder.file("out-0003.png") : output
    let (screen, rest) = try halves(file)
    #expect(screen[3] <= 1, "\(screen)")
    #expect(rest[3] >= 254 && abs(rest[0] - 208) <= 3, "\(rest)")
  }

  @Test(
    "an effect's transparency that the output cannot keep is reported once, with formats that can",
    arguments: [
      ("out.mov", [], "a .png, .gif, .apng, .webp or .webm keeps the transparency"),
      ("out.y4m", [], "a .png, .gif, .apng, .webp or .webm keeps the transparency"),
      (
        "out.mov", ["--codec", "prores", "--pixel-format", "yuv422p10le"],
        "--pixel-format yuva444p10le keeps the transparency"
      ),
      (
        "out.webm", ["--pixel-format", "yuv420p"],
        "--pixel-format yuva420p keeps the transparency"
      ),
      (
        "out.mkv", ["--codec", "ffv1", "--pixel-format", "yuv444p10le"],
        "--pixel-format yuva444p10le"
      ),
    ])
  func lostTransparency(_ name: String, words: [String], remedy: String) throws {
    let folder = try TemporaryFolder()
    let input = try screen(in: folder)
    let output = folder.file(name)
    let result = try KfrecProcess.run(
      ["-i", input, "-e", "chromaKey:color=00000000", "-o", output] + words)
    #expect(result.exitCode == 0, "\(result)")
    let reported = result.errors.split(separator: "\n").filter { $0.contains("no transparency") }
    #expect(reported.count == 1 && reported.first?.contains(remedy) == true, "\(result)")
    #expect(try halves(output).screen.prefix(3).allSatisfy { $0 <= 4 })
    // With a colour behind it nothing is transparent.
    let opaque = try KfrecProcess.run(
      ["-i", input, "-e", "chromaKey", "-y", "-o", output] + words)
    #expect(opaque.exitCode == 0 && !opaque.errors.contains("transparen"), "\(opaque)")
  }

  @Test("an opaque image with alpha gives no warning about transparency")
  func opaqueAlpha() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.png", in: folder,
      ["-f", "lavfi", "-i", "color=white:s=64x48,format=rgba", "-frames:v", "1"])
    let result = try KfrecProcess.run(["-i", input, "-t", "0.1", "-o", folder.file("out.mov")])
    #expect(result.exitCode == 0 && !result.errors.contains("transparen"), "\(result)")
  }

  @Test(
    "transparency is blended over black where the output has no alpha, with a warning",
    arguments: [
      ("in.mov", ["-c:v", "png"]), ("in.webm", ["-c:v", "libvpx-vp9", "-pix_fmt", "yuva420p"]),
    ])
  func transparency(_ name: String, words: [String]) throws {
    let folder = try TemporaryFolder()
    let input = try make(
      name, in: folder,
      ["-f", "lavfi", "-i", "color=white@0.5:s=64x48:r=25:d=0.2,format=rgba"] + words)
    let sentence = "no transparency: transparent pixels are blended over black"
    for (name, isKept) in [("out.mov", false), ("out.png", true)] {
      let output = folder.file(name)
      let result = try KfrecProcess.run(["-i", input, "-o", output, "--frames", "1"])
      #expect(result.exitCode == 0, "\(result)")
      #expect(result.errors.contains(sentence) == !isKept, "\(result)")
      let pixel = try Probe.pixels(output, "rgba").prefix(4).map(Int.init)
      #expect(isKept ? pixel[0] >= 250 && pixel[3] < 130 : abs(pixel[0] - 127) <= 3, "\(pixel)")
    }
  }

  @Test(
    "images with alpha but no transparent pixel are not reported as transparent",
    arguments: [
      ("a.gif", "1", false), ("a.gif", "gt(X,32)", true), ("a.gif", "lt(N,2)", true),
      ("a.mov", "1", false), ("a.mov", "lt(N,2)", true),
    ])
  func opaque(_ name: String, alpha: String, isTransparent: Bool) throws {
    let folder = try TemporaryFolder()
    // Each image of a GIF is drawn over the one before, so the canvas must be cleared.
    let words =
      name == "a.gif"
      ? [
        "-vf",
        "split[a][b];[a]palettegen=reserve_transparent=1[p];[b][p]paletteuse=alpha_threshold=9",
        "-gifflags", "0",
      ] : ["-c:v", "png"]
    let input = try make(
      name, in: folder,
      [
        "-f", "lavfi", "-i",
        "color=red:s=64x48:r=10:d=0.4,format=rgba,geq=r=255:g=0:b=0:a='255*\(alpha)'",
      ] + words)
    let result = try KfrecProcess.run(["-i", input, "-o", folder.file("out.mkv")])
    #expect(result.exitCode == 0, "\(result)")
    let sentences = result.errors.split(separator: "\n").count { $0.contains("no transparency") }
    #expect(sentences == (isTransparent ? 1 : 0), "\(result)")
  }
}
