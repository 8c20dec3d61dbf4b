import TestSupport
import Testing

/// `--crop`, `--rotate`, `--flip` and `--aspect` beside FFmpeg's filters.
@Suite struct ArrangementTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func makeInput(_ pixelFormat: String) throws -> String {
    try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:d=0.2", "-c:v", "ffv1", "-pix_fmt", pixelFormat,
      ])
  }

  /// The pixels that kfrec and FFmpeg make.
  private func pixels(
    _ words: [String], _ filter: String, of input: String, _ pixelFormat: String
  ) throws -> (ours: [UInt8], theirs: [UInt8]) {
    let ours = folder.file("ours.mkv")
    let result = try KfrecProcess.run(
      ["-i", input, "--codec", "ffv1", "--pixel-format", pixelFormat, "-y", "-o", ours] + words)
    #expect(result.exitCode == 0, "\(result)")
    let theirs = try make(
      "theirs.mkv", in: folder, ["-y", "-i", input, "-vf", filter, "-c:v", "ffv1"])
    return (try Probe.pixels(ours, pixelFormat), try Probe.pixels(theirs, pixelFormat))
  }

  @Test(
    "crops, turns and mirrors are those of FFmpeg, to the bit",
    arguments: [
      (["--crop", "13,7,51,40"], "crop=51:40:13:7"), (["--rotate", "90"], "transpose=clock"),
      (["--rotate", "180"], "hflip,vflip"), (["--rotate", "270"], "transpose=cclock"),
      (["--flip", "h"], "hflip"), (["--flip", "v"], "vflip"),
      (
        ["--crop", "13,7,51,40", "--rotate", "90", "--flip", "h"],
        "crop=51:40:13:7,transpose=clock,hflip"
      ),
      (["--rotate", "270", "--flip", "v"], "transpose=cclock,vflip"),
    ])
  func exact(_ words: [String], _ filter: String) throws {
    let input = try makeInput("yuv444p")
    let (ours, theirs) = try pixels(words, filter, of: input, "yuv444p")
    #expect(!ours.isEmpty && ours == theirs)
  }

  @Test("a crop keeps the luma of 4:2:0 to the bit, and its chroma as a whole picture does")
  func subsampled() throws {
    let input = try makeInput("yuv420p")
    let (ours, theirs) = try pixels(
      ["--crop", "20,10,64,48"], "crop=64:48:20:10", of: input, "yuv420p")
    let (luma, frame) = (64 * 48, 64 * 48 * 3 / 2)
    #expect(!ours.isEmpty && ours[..<luma] == theirs[..<luma])
    // The crop of what the GPU makes of the whole picture; a border has other neighbours.
    let whole = folder.file("whole.mkv")
    let result = try KfrecProcess.run(
      ["-i", input, "--force-gpu", "--codec", "ffv1", "-y", "-o", whole])
    #expect(result.exitCode == 0, "\(result)")
    let cut = try make(
      "cut.mkv", in: folder, ["-y", "-i", whole, "-vf", "crop=64:48:20:10", "-c:v", "ffv1"])
    let expected = try Probe.pixels(cut, "yuv420p")
    for plane in 0..<2 {
      for y in 1..<23 {
        let row = luma + plane * 32 * 24 + y * 32
        #expect(ours[row + 1..<row + 31] == expected[row + 1..<row + 31])
      }
    }
    #expect(ours.count % frame == 0)
  }

  @Test("a crop counts in the picture that the source's own turn makes, and effects see the crop")
  func turnedSource() throws {
    let plain = try make(
      "plain.mp4", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:d=0.2", "-c:v", "libx264", "-qp", "0",
        "-pix_fmt", "yuv444p",
      ])
    let input = try makeTurned("in.mp4", from: plain, by: 90, in: folder)
    let (ours, theirs) = try pixels(
      ["--crop", "5,20,60,80"], "crop=60:80:5:20", of: input, "yuv444p")
    #expect(!ours.isEmpty && ours == theirs)
    try folder.write(
      Array("vec4 effect(vec2 uv) { return vec4(float(frameSize() == ivec2(60, 80))); }\n".utf8),
      to: "size.comp")
    let result = try KfrecProcess.run([
      "-i", input, "--crop", "5,20,60,80", "-e", folder.file("size.comp"), "--frames", "1", "-o",
      folder.file("white.png"),
    ])
    #expect(result.exitCode == 0, "\(result)")
    #expect(try Probe.pixels(folder.file("white.png"), "gray").allSatisfy { $0 == 255 })
  }

  @Test("an aspect becomes the shape of the pixels, also of a turned picture")
  func aspect() throws {
    let input = try makeInput("yuv420p")
    for (words, size, pixel) in [
      (["--aspect", "4:3"], "160x90", "3:4"),
      (["--aspect", "4:3", "--rotate", "90"], "90x160", "64:27"),
    ] {
      let result = try KfrecProcess.run(
        ["-i", input, "-y", "-o", folder.file("out.mov")] + words)
      #expect(result.exitCode == 0, "\(result)")
      let stream = try Probe.stream(folder.file("out.mov"), "width,height,sample_aspect_ratio")
      #expect("\(stream["width"] ?? "")x\(stream["height"] ?? "")" == size)
      #expect(stream["sample_aspect_ratio"] == pixel, "\(stream)")
    }
  }

  @Test("bars have the colour that is given, also with alpha where the output holds it")
  func barColor() throws {
    let input = try makeInput("yuv420p")
    for (word, color) in [
      ("orange", [255, 165, 0, 255]), ("#20406080", [0x20, 0x40, 0x60, 0x80]),
    ] as [(String, [UInt8])] {
      let result = try KfrecProcess.run([
        "-i", input, "--size", "160x160", "--pad-color", word, "-e", "invert", "--frames", "1",
        "-y",
        "-o", folder.file("out.png"),
      ])
      #expect(result.exitCode == 0, "\(result)")
      let pixels = try Probe.pixels(folder.file("out.png"), "rgba")
      #expect(Array(pixels[0..<4]) == color, "\(word)")
    }
  }

  @Test(
    "an area outside the picture and wrong words are refused with exit code 2, and nothing is left")
  func refusals() throws {
    let input = try makeInput("yuv420p")
    for (words, sentence) in [
      (["--crop", "100,0,61,10"], "160x90"), (["--crop", "1,2,3"], "--crop takes"),
      (["--crop", "0,0,0,10"], "--crop takes"), (["--rotate", "45"], "90, 180 or 270"),
      (["--flip", "x"], "h or v"), (["--aspect", "0:1"], "--aspect takes"),
      (["--pad-color", "random"], "--pad-color takes"),
      (["--pad-color", "Bikeshed@0.5"], "--pad-color takes"),
    ] {
      let result = try KfrecProcess.run(["-i", input, "-o", folder.file("out.mov")] + words)
      #expect(result.exitCode == 2 && result.errors.contains(sentence), "\(result)")
      #expect(folder.names == ["in.mkv"])
    }
  }
}
