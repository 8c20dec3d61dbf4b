import TestSupport
import Testing

/// Whatever pixel format FFmpeg decodes is taken, and shows the same picture.
@Suite struct PixelFormatTests {
  @Test(
    "every layout of 8 bits shows the picture that FFmpeg shows",
    arguments: [
      "yuv420p", "nv12", "yuv422p", "yuyv422", "uyvy422", "yuv444p", "yuv410p", "yuv411p",
      "yuv440p", "bgra", "rgba", "rgb24", "bgr24", "gbrp", "gray", "yuva420p", "rgb565le", "pal8",
      "monob",
    ])
  func layouts(_ format: String) throws {
    let folder = try TemporaryFolder()
    // Large plain areas, so that how chroma is brought back to full size does not matter.
    let input = try make(
      "in.nut", in: folder,
      [
        "-f", "lavfi", "-i", "smptebars=s=128x64:d=0.04,format=\(format)", "-c:v", "rawvideo",
        "-pix_fmt", format,
      ])
    #expect(try Probe.stream(input, "pix_fmt") == ["pix_fmt": format])
    let output = folder.file("out.png")
    let result = try KfrecProcess.run(["-i", input, "-o", output])
    #expect(result.exitCode == 0, "\(result)")
    let flags = ["scale=flags=accurate_rnd+full_chroma_int+bilinear"]
    let expected = try Probe.pixels(input, "rgb24", filters: flags)
    let found = try Probe.pixels(output, "rgb24")
    #expect(found.count == expected.count)
    #expect(Difference(expected, found).psnr > 35, "\(Difference(expected, found))")
  }

  @Test(
    "10 bits are rounded once, at the sink", arguments: ["yuv420p10le", "yuv444p10le", "p010le"])
  func tenBits(_ format: String) throws {
    let folder = try TemporaryFolder()
    // A ramp whose steps are finer than 8 bits.
    var bytes: [UInt8] = []
    let (width, height) = (128, 16)
    let shift = format == "p010le" ? 6 : 0
    for _ in 0..<height {
      for x in 0..<width {
        let value = (400 + x) << shift
        bytes += [UInt8(value & 255), UInt8(value >> 8)]
      }
    }
    let chroma = format == "yuv444p10le" ? 2 * width * height : width * height / 2
    for _ in 0..<chroma { bytes += [UInt8((512 << shift) & 255), UInt8((512 << shift) >> 8)] }
    let raw = try folder.write(bytes, to: "raw")
    let input = try make(
      "in.nut", in: folder,
      ["-f", "rawvideo", "-pix_fmt", format, "-s", "\(width)x\(height)", "-i", raw]
        + ["-c:v", "rawvideo"])
    let output = folder.file("out.mkv")
    let pixels = format == "yuv444p10le" ? "yuv444p" : "yuv420p"
    let result = try KfrecProcess.run(
      ["-i", input, "-o", output, "--crf", "0", "--pixel-format", pixels])
    #expect(result.exitCode == 0, "\(result)")
    let luma = try Probe.pixels(output).prefix(width)
    for (x, value) in luma.enumerated() {
      // A half may be rounded either way.
      let exact = Double(400 + x) / 4
      #expect(abs(Double(value) - exact) <= 0.5, "column \(x)")
    }
  }
}
