import Frames
import TestSupport
import Testing

/// Tests of WebM, raw video and outputs of more than 8 bits, read back by FFmpeg.
@Suite struct OutputFormatTests {
  /// Makes a lossless movie whose samples take all values of a format.
  private func deepSource(_ format: String, in folder: TemporaryFolder) throws -> String {
    let depth = [10, 12, 16].first { format.contains("p\($0)") } ?? 8
    let isRGB = !format.hasPrefix("yuv")
    let hasAlpha = format.contains("a")
    func value(_ part: Int) -> String { "'mod(X*997+Y*3571+N*31+X*Y*\(part),\(1 << depth))'" }
    let planes =
      isRGB
      ? "r=\(value(1)):g=\(value(2)):b=\(value(3))" + (hasAlpha ? ":a=\(value(4))" : "")
      : "lum=\(value(1)):cb=\(value(2)):cr=\(value(3))"
    let planar =
      isRGB ? (hasAlpha ? "gbrap" : "gbrp") + (depth > 8 ? "\(depth)le" : "") : format
    return try make(
      "in.nut", in: folder,
      [
        "-f", "lavfi", "-i", "nullsrc=s=64x48:r=25:d=0.12,format=\(planar),geq=\(planes)",
        "-c:v", "rawvideo", "-pix_fmt", format,
      ])
  }

  @Test(
    "y4m and raw video keep the bits of the source",
    arguments: [
      "yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p10le", "yuv420p12le",
      "yuv422p12le", "yuv444p12le", "yuv420p16le", "yuv422p16le", "yuv444p16le",
    ])
  func uncompressed(_ format: String) throws {
    let folder = try TemporaryFolder()
    let input = try deepSource(format, in: folder)
    for name in ["a.y4m", "a.yuv"] {
      let result = try KfrecProcess.run(
        ["-i", input, "-o", name, "--pixel-format", format], in: folder)
      #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
    }
    let stored = try Probe.pixels(input)
    #expect(try readFile(folder.file("a.yuv")) == stored)
    let stream = try Probe.stream(folder.file("a.y4m"), "pix_fmt,r_frame_rate")
    #expect(stream == ["pix_fmt": format, "r_frame_rate": "25/1"])
    #expect(try Probe.pixels(folder.file("a.y4m")) == stored)
  }

  @Test("y4m without a request has 8 bits, and a warning names the format that keeps more")
  func shallow() throws {
    let folder = try TemporaryFolder()
    let input = try deepSource("yuv420p10le", in: folder)
    let result = try KfrecProcess.run(["-i", input, "-o", "a.y4m"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.errors.contains("--pixel-format yuv420p10le keeps 10"), "\(result)")
    #expect(try Probe.stream(folder.file("a.y4m"), "pix_fmt") == ["pix_fmt": "yuv420p"])
  }

  @Test("a PNG of 16 bits has every bit of the source, with and without alpha")
  func deepPNG() throws {
    let folder = try TemporaryFolder()
    let input = try deepSource("gbrap16le", in: folder)
    for (name, format, stored) in [
      ("a.png", "rgba64", "rgba64be"), ("b-%d.png", "rgba64be", "rgba64be"),
    ] {
      let count = name.contains("%") ? "2" : "1"
      let result = try KfrecProcess.run(
        ["-i", input, "-o", name, "--pixel-format", format, "--frames", count], in: folder)
      #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
      let file = folder.file(name.replacing("%d", with: "2"))
      #expect(try Probe.stream(file, "pix_fmt") == ["pix_fmt": stored])
    }
    let frame = 64 * 48 * 8
    let expected = try Probe.pixels(input, "rgba64be")
    #expect(try Probe.pixels(folder.file("a.png"), "rgba64be") == Array(expected.prefix(frame)))
    #expect(
      try Probe.pixels(folder.file("b-2.png"), "rgba64be")
        == Array(expected[frame..<(2 * frame)]))
    let opaque = try make(
      "opaque.nut", in: folder, ["-i", input, "-pix_fmt", "gbrp16le", "-c:v", "rawvideo"])
    let result = try KfrecProcess.run(
      ["-i", opaque, "-o", "c.png", "--pixel-format", "rgb48", "--frames", "1"], in: folder)
    #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
    #expect(
      try Probe.pixels(folder.file("c.png"), "rgb48be")
        == Array(Probe.pixels(opaque, "rgb48be").prefix(64 * 48 * 6)))
    // Without a request too; only what was asked for loses bits.
    let own = try KfrecProcess.run(["-i", opaque, "-o", "d.png", "--frames", "1"], in: folder)
    #expect(own.exitCode == 0 && !own.errors.contains("warning"), "\(own)")
    #expect(try readFile(folder.file("d.png")) == readFile(folder.file("c.png")))
    let shallow = try KfrecProcess.run(
      ["-i", opaque, "-o", "e.png", "--frames", "1", "--pixel-format", "rgb24"], in: folder)
    #expect(shallow.errors.contains("--pixel-format rgb48be keeps 16"), "\(shallow)")
  }

  @Test(
    "a lossless codec keeps every sample of any source without a request",
    arguments: [
      "yuv444p", "yuv422p10le", "yuv444p12le", "yuv411p", "gray10le", "gray", "gbrp10le",
      "gbrap12le", "gbrap16le", "gbrp",
    ], [false, true])
  func losslessByDefault(format: String, usesGPU: Bool) throws {
    let folder = try TemporaryFolder()
    let isGray = format.hasPrefix("gray")
    let input = try make(
      "in.nut", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.12,format=\(format)", "-c:v", "rawvideo",
      ])
    let result = try KfrecProcess.run(
      ["-i", input, "-o", "a.mkv", "--codec", "ffv1"] + (usesGPU ? ["--force-gpu"] : []),
      in: folder)
    #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
    let found = try Probe.stream(folder.file("a.mkv"), "pix_fmt")["pix_fmt"]
    #expect(found == (format == "gbrp" ? "bgr0" : format))
    guard !usesGPU || isGray || format.hasPrefix("gb") else { return }
    #expect(
      try Probe.pixels(folder.file("a.mkv"), format == "gbrp" ? "rgb24" : format)
        == Probe.pixels(input, format == "gbrp" ? "rgb24" : format))
  }

  @Test(
    "lossless codecs take RGB of every order and depth",
    arguments: [
      ("ffv1", "gbrp10le"), ("ffv1", "gbrp16le"), ("ffv1", "gbrap16le"), ("ffv1", "bgra"),
      ("ffv1", "bgr0"), ("ffv1", "gbrp12le"), ("png", "rgb24"), ("png", "rgba"), ("qtrle", "argb"),
      ("qtrle", "rgb24"),
    ])
  func losslessRGB(_ codec: String, format: String) throws {
    let folder = try TemporaryFolder()
    let input = try deepSource(format, in: folder)
    let name = codec == "ffv1" ? "a.mkv" : "a.mov"
    let result = try KfrecProcess.run(
      ["-i", input, "-o", name, "--codec", codec, "--pixel-format", format, "--force-gpu"],
      in: folder)
    #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
    #expect(
      try Probe.stream(folder.file(name), "pix_fmt,codec_name")
        == ["pix_fmt": format, "codec_name": codec])
    let common = format.contains("16") || format.contains("10") ? "rgba64le" : "rgba"
    #expect(try Probe.pixels(folder.file(name), common) == Probe.pixels(input, common))
  }

  @Test(
    "WebM holds VP9, VP8 and AV1, VP9 without a request",
    arguments: [([], "vp9"), (["--codec", "av1"], "av1"), (["--codec", "vp8"], "vp8")])
  func webM(words: [String], codec: String) throws {
    let folder = try TemporaryFolder()
    let result = try KfrecProcess.run(
      ["-i", "testsrc", "--size", "64x64", "--frames", "4", "-o", "a.webm"] + words, in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let file = folder.file("a.webm")
    #expect(try Probe.stream(file, "codec_name")["codec_name"] == codec)
    #expect(try readFile(file).prefix(64).contains(Array("webm".utf8)))
    #expect(frameCount(of: file) == 4)
  }

  @Test("WebM copies Opus, and names what else holds other audio")
  func webMAudio() throws {
    let folder = try TemporaryFolder()
    for (name, codec) in [("opus.mkv", "libopus"), ("mp3.mkv", "libmp3lame")] {
      try make(
        name, in: folder,
        [
          "-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.4", "-f", "lavfi", "-i", "sine=d=0.4:r=48000",
          "-c:v", "ffv1", "-c:a", codec,
        ])
    }
    let copied = try KfrecProcess.run(["-i", "opus.mkv", "-o", "a.webm"], in: folder)
    #expect(copied.exitCode == 0, "\(copied)")
    #expect(
      try Probe.stream(folder.file("a.webm"), "codec_name", of: "a:0")["codec_name"] == "opus")
  }

  @Test(
    "what a container cannot hold is refused with a remedy",
    arguments: [
      (["-o", "a.webm", "--codec", "h264"], "WebM does not hold h264"),
      (
        ["-o", "a.mp4", "--codec", "vp9", "--pixel-format", "yuva420p"],
        "MP4 does not hold the alpha of vp9: write .webm or .mkv"
      ),
      (["-o", "a.y4m", "--pixel-format", "rgb24"], "y4m does not take rgb24"),
      (["-o", "a.png", "-o", "b.png", "-o", "c.webm"], "a.png takes RGB and c.webm yuv420p"),
    ])
  func refused(words: [String], says: String) throws {
    let folder = try TemporaryFolder()
    let result = try KfrecProcess.run(["-i", "testsrc", "--frames", "1"] + words, in: folder)
    #expect(result.exitCode == 2 && result.errors.contains(says), "\(result)")
    #expect(folder.names.isEmpty)
  }

  @Test(
    "a source with alpha keeps it in a WebM, and one of nothing else does not become larger by it")
  func alphaByDefault() throws {
    let folder = try TemporaryFolder()
    for (color, mode) in [("ff800080", "1"), ("ff8000", nil)] as [(String, String?)] {
      let words = [
        "-i", "color:\(color)", "--size", "64x48", "--frames", "2", "-y", "-o", "a.webm",
      ]
      let result = try KfrecProcess.run(words, in: folder)
      #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
      let row = try Probe.rows(folder.file("a.webm"), "stream_tags=alpha_mode", of: "v:0").first
      #expect(row?["tag:alpha_mode"] == mode || mode == nil, "\(color): \(row ?? [:])")
    }
    // An effect that makes nothing transparent, or not with these values, does not make a movie transparent.
    for (effect, format) in [
      ("vignette", "bgr0"), ("chromaKey", "bgr0"), ("chromaKey:color=00000080", "bgra"),
      ("chromaKey:color=000000ff@0..00000000@1", "bgra"),
      ("chromaKey:color=00000000,mix=0", "bgr0"),
    ] {
      let result = try KfrecProcess.run(
        ["-i", "testsrc", "--size", "64x48", "--frames", "2", "-e", effect, "-y", "-o", "b.mkv"]
          + ["--codec", "ffv1"], in: folder)
      #expect(result.exitCode == 0, "\(result)")
      #expect(try Probe.stream(folder.file("b.mkv"), "pix_fmt") == ["pix_fmt": format], "\(effect)")
    }
    // Bars may be transparent.
    let bars = try KfrecProcess.run(
      ["-i", "testsrc", "--size", "64x48", "--frames", "1", "-o", "in.mkv"], in: folder)
    #expect(bars.exitCode == 0, "\(bars)")
    let padded = try KfrecProcess.run(
      ["-i", "in.mkv", "--size", "64x64", "--pad-color", "#00000000", "-o", "c.mkv"]
        + ["--codec", "ffv1"], in: folder)
    #expect(padded.exitCode == 0, "\(padded)")
    #expect(try Probe.stream(folder.file("c.mkv"), "pix_fmt") == ["pix_fmt": "yuva420p"])
  }
}
