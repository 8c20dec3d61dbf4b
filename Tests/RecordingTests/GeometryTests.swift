import TestSupport
import Testing

/// Tests of rotated frames, odd sizes and scaled sizes.
@Suite struct GeometryTests {
  /// A still of four plain quarters (red, green; blue, white), which shows a rotation or a flip.
  private static let quarters =
    "color=red:s=32x24[a];color=lime:s=32x24[b];color=blue:s=32x24[c];color=white:s=32x24[d];"
    + "[a][b]hstack[t];[c][d]hstack[u];[t][u]vstack,format=yuv444p"

  /// Returns the colours at the middle of the four quarters, from the top left, as words.
  private func quarters(_ path: String, width: Int, height: Int) throws -> [String] {
    let pixels = try Probe.pixels(path, "rgb24")
    return [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in
      let start = ((height * y / 4) * width + width * x / 4) * 3
      let name = pixels[start..<(start + 3)].map { $0 > 127 ? "1" : "0" }.joined()
      return ["100": "red", "010": "green", "001": "blue", "111": "white", "000": "black"][name]
        ?? name
    }
  }

  @Test(
    "a display matrix is applied as in FFmpeg's own player",
    arguments: [0, 90, 180, 270])
  func rotation(_ degrees: Int) throws {
    let folder = try TemporaryFolder()
    let upright = try make(
      "upright.mp4", in: folder,
      ["-f", "lavfi", "-i", GeometryTests.quarters, "-t", "0.12", "-c:v", "libx264", "-crf", "1"])
    let input = try makeTurned("in.mp4", from: upright, by: degrees, in: folder)
    let shown = try make("shown.png", in: folder, ["-i", input, "-frames:v", "1"])
    let turned = degrees == 90 || degrees == 270
    let (width, height) = turned ? (48, 64) : (64, 48)
    for name in ["out.mov", "out.png"] {
      let output = folder.file(name)
      let result = try KfrecProcess.run(["-i", input, "-o", output])
      #expect(result.exitCode == 0, "\(result)")
      let stream = try Probe.stream(output, "width,height")
      #expect(stream == ["width": "\(width)", "height": "\(height)"])
      let found = try quarters(output, width: width, height: height)
      #expect(try found == quarters(shown, width: width, height: height))
      #expect((found == ["red", "green", "blue", "white"]) == (degrees == 0))
      #expect(Set(found) == ["red", "green", "blue", "white"])
    }
  }

  @Test("a flip in the display matrix is applied")
  func flip() throws {
    let folder = try TemporaryFolder()
    let upright = try make(
      "in.mp4", in: folder,
      ["-f", "lavfi", "-i", GeometryTests.quarters, "-t", "0.12", "-c:v", "libx264", "-crf", "1"])
    // The matrix in the track header: a is its first field, 16.16; x also moves by the width.
    var bytes = try readFile(upright)
    let header = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("tkhd".utf8)) })
    let matrix = header + 4 + 4 + 20 + 8 + 8
    #expect(Array(bytes[matrix..<(matrix + 4)]) == [0, 1, 0, 0])
    bytes.replaceSubrange(matrix..<(matrix + 4), with: [0xff, 0xff, 0, 0])
    bytes.replaceSubrange((matrix + 24)..<(matrix + 28), with: [0, 64, 0, 0])
    let input = try folder.write(bytes, to: "flipped.mp4")
    let output = folder.file("out.png")
    let result = try KfrecProcess.run(["-i", input, "-o", output])
    #expect(result.exitCode == 0, "\(result)")
    #expect(try quarters(output, width: 64, height: 48) == ["green", "red", "white", "blue"])
  }

  @Test("odd sizes grow to even ones for 4:2:0 with a warning, and stay for 4:4:4 and PNG")
  func oddSizes() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.png", in: folder, ["-f", "lavfi", "-i", "testsrc=s=161x121", "-frames:v", "1"])
    let cases: [(String, [String], String, String)] = [
      ("out.mov", [], "162", "122"), ("out422.mov", ["--pixel-format", "yuv422p"], "162", "121"),
      ("out444.mov", ["--pixel-format", "yuv444p"], "161", "121"), ("out.png", [], "161", "121"),
    ]
    for (name, words, width, height) in cases {
      let result = try KfrecProcess.run(
        ["-i", input, "--frames", "1", "-o", folder.file(name)] + words)
      #expect(result.exitCode == 0, "\(result)")
      let stream = try Probe.stream(folder.file(name), "width,height")
      #expect(stream == ["width": width, "height": height], "\(name)")
      let warned = result.errors.contains("warning: ") && result.errors.contains("even sizes")
      #expect(warned == (width == "162"), "\(name): \(result)")
    }
    // The added column and row repeat the last ones.
    let pixels = try Probe.pixels(folder.file("out.mov"), "gray")
    try #require(pixels.count == 162 * 122)
    let last = (0..<122).map { abs(Int(pixels[$0 * 162 + 161]) - Int(pixels[$0 * 162 + 160])) }
    #expect(last.reduce(0, +) / 122 <= 4)
  }

  @Test("--size sets the output's size, and an omitted side follows from the aspect ratio")
  func size() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.png", in: folder,
      ["-f", "lavfi", "-i", GeometryTests.quarters, "-frames:v", "1", "-pix_fmt", "rgb24"])
    let cases: [([String], Int, Int)] = [
      (["--size", "128x96"], 128, 96), (["--size", "32x"], 32, 24), (["--size", "x96"], 128, 96),
      (["--size", "100x40", "--scale", "stretch"], 100, 40),
      (["--size", "100x40", "--scale", "fill"], 100, 40), (["--size", "100x40"], 100, 40),
    ]
    for (words, width, height) in cases {
      let output = folder.file("out.png")
      let result = try KfrecProcess.run(["-y", "-i", input, "-o", output] + words)
      #expect(result.exitCode == 0, "\(result)")
      #expect(
        try Probe.stream(output, "width,height") == ["width": "\(width)", "height": "\(height)"])
      let isFit = words == ["--size", "100x40"]
      let expected = ["red", "green", "blue", "white"]
      let pixels = try Probe.pixels(output, "rgb24")
      if isFit {
        // 53 columns of the frame between black bars.
        #expect(
          pixels[0..<3].allSatisfy { $0 == 0 } && pixels[(99 * 3)..<300].allSatisfy { $0 == 0 })
        #expect(pixels[(30 * 3)] > 200)
      } else {
        #expect(try quarters(output, width: width, height: height) == expected, "\(words)")
      }
    }
  }

  @Test("non-square pixels keep their aspect ratio, and a rotation turns it")
  func sampleAspectRatio() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.mp4", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.12", "-vf", "setsar=16/11", "-c:v", "libx264"])
    let output = folder.file("out.mov")
    #expect(try KfrecProcess.run(["-i", input, "-o", output]).exitCode == 0)
    #expect(
      try Probe.stream(output, "sample_aspect_ratio") == ["sample_aspect_ratio": "16:11"])
    let turned = try makeTurned("turned.mp4", from: input, by: 90, in: folder)
    #expect(try KfrecProcess.run(["-y", "-i", turned, "-o", output]).exitCode == 0)
    #expect(
      try Probe.stream(output, "sample_aspect_ratio") == ["sample_aspect_ratio": "11:16"])
  }

  @Test("the container's pixel aspect wins over the codec's", arguments: ["mp4", "mov", "mkv"])
  func containerAspect(container: String) throws {
    let folder = try TemporaryFolder()
    let coded = try make(
      "coded.mp4", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.12", "-vf", "setsar=16/11", "-c:v", "libx264"])
    let input = try make(
      "in.\(container)", in: folder, ["-i", coded, "-c", "copy", "-aspect", "2:1"])
    // The bare stream still says 16:11.
    let bare = try make("bare.h264", in: folder, ["-i", input, "-c", "copy"])
    try #require(
      try Probe.stream(bare, "sample_aspect_ratio") == ["sample_aspect_ratio": "16:11"])
    let output = folder.file("out.mov")
    #expect(try KfrecProcess.run(["-i", input, "-o", output]).exitCode == 0)
    let expected = ["sample_aspect_ratio": "3:2", "display_aspect_ratio": "2:1"]
    #expect(try Probe.stream(output, "sample_aspect_ratio,display_aspect_ratio") == expected)
  }

  @Test("a pixel aspect ratio that changes in the middle is applied")
  func aspectChanges() throws {
    let folder = try TemporaryFolder()
    // 4:3 pixels, then square ones, which fill three quarters of a row of 4:3 pixels.
    let parts = try ["4/3", "1"].enumerated().map { place, aspect in
      try readFile(
        make(
          "\(place).ts", in: folder,
          [
            "-f", "lavfi", "-i", "color=white:s=64x48:d=0.12", "-vf", "setsar=\(aspect)", "-c:v",
            "libx264", "-output_ts_offset", "\(place)",
          ]))
    }
    let input = try folder.write(parts[0] + parts[1], to: "in.ts")
    let output = folder.file("out.mov")
    let result = try KfrecProcess.run(["-i", input, "-o", output])
    #expect(result.exitCode == 0, "\(result)")
    #expect(
      try Probe.stream(output, "sample_aspect_ratio") == ["sample_aspect_ratio": "4:3"])
    let pictures = try Probe.pixels(output, "gray")
    try #require(pictures.count == 6 * 64 * 48)
    let row = { (picture: Int) in pictures[(picture * 64 * 48)...].prefix(64).map { $0 > 128 } }
    #expect(row(0).allSatisfy { $0 })
    #expect(row(5).count { $0 } == 48 && !row(5)[4] && row(5)[32])
  }
}
