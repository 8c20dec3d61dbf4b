import TestSupport
import Testing

/// Tests that unchanged frames go from capture to encode without a GPU, and that all others need one.
@Suite struct BypassTests {
  /// An environment in which the Vulkan loader finds no driver.
  private static let noDriver: [String: String?] = [
    "VK_DRIVER_FILES": "/nonexistent", "VK_ICD_FILENAMES": "/nonexistent",
  ]

  /// Makes inputs of eight frames in 4:2:0, 4:4:4 with an odd size, full range and rotated, and a still
  /// with alpha.
  private func inputs(in folder: TemporaryFolder) throws {
    let pattern = ["-f", "lavfi", "-i", "testsrc2=s=66x50:d=0.32"]
    let x264 = ["-c:v", "libx264", "-preset", "ultrafast"]
    try make("in.mp4", in: folder, pattern + ["-pix_fmt", "yuv420p"] + x264)
    try makeTurned("turned.mp4", from: folder.file("in.mp4"), by: 90, in: folder)
    try make("wide.mp4", in: folder, ["-i", folder.file("in.mp4"), "-vf", "setsar=2"] + x264)
    try make(
      "odd.nut", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=67x41:d=0.32", "-pix_fmt", "yuv444p", "-c:v", "rawvideo"])
    try make("raw.nut", in: folder, pattern + ["-pix_fmt", "yuv420p", "-c:v", "rawvideo"])
    try make(
      "in.png", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=67x41,format=rgba,colorchannelmixer=aa=0.5"]
        + ["-frames:v", "1"])
  }

  static let withoutGPU = [
    "-i in.mp4 -o out.mov", "-i in.mp4 -o out.mkv --no-audio", "-i in.mp4 -o null",
    "-i in.mp4 -o out.y4m", "-i in.mp4 -o out.mov --size 66x50", "-i in.mp4 -o out.mov --size 66x",
    "-i in.mp4 -o out.mov -e separateRGB:mix=0 -e boxBlur:mix=0",
    "-i in.mp4 -o out.mov --gpu 5 --range limited", "-i odd.nut -o out.mov --pixel-format yuv444p",
    "-i in.png -o out.png", "-i wide.mp4 -o out.mov", "-i in.mp4 -o out.mov --input-matrix bt2020",
  ]

  static let withGPU = [
    "-i in.mp4 -o out.mov --force-gpu", "-i in.mp4 -o out.png", "-i in.mp4 -o p-%d.png",
    "-i in.mp4 -o out.mov -e separateRGB", "-i in.mp4 -o out.mov -e separateRGB:amount=0",
    "-i in.mp4 -o out.mov -e separateRGB:mix=0 -e boxBlur:mix=0.1",
    "-i in.mp4 -o out.mov -e separateRGB:from=100", "-i in.mp4 -o out.mov --size 32x",
    "-i in.mp4 -o out.mov --pixel-format yuv422p", "-i in.mp4 -o out.mov --range full",
    "-i in.mp4 -o out.mov --input-range full --range limited", "-i turned.mp4 -o out.mov",
    "-i odd.nut -o out.mov", "-i wide.mp4 -o out.mov --size 66x50",
    "-i in.png -o out.mov --frames 1", "-i testsrc --frames 2 -o out.mov",
  ]

  @Test("unchanged frames need no Vulkan driver, and changed frames need one")
  func driver() throws {
    let folder = try TemporaryFolder()
    try inputs(in: folder)
    for words in BypassTests.withoutGPU {
      let result = try KfrecProcess.run(
        ["-y"] + words.split(separator: " ").map(String.init), in: folder,
        environment: BypassTests.noDriver)
      #expect(result.exitCode == 0, "\(words): \(result)")
      #expect(result.errors.contains(words.contains("png") ? "1 out" : "8 out"), "\(result)")
    }
    let names = folder.names
    for words in BypassTests.withGPU {
      let result = try KfrecProcess.run(
        ["-y"] + words.split(separator: " ").map(String.init), in: folder,
        environment: BypassTests.noDriver)
      #expect(result.exitCode == 1, "\(words): \(result)")
      #expect(result.errors.contains("Vulkan driver"), "\(words): \(result)")
      #expect(folder.names == names, "\(words)")
    }
  }

  @Test("an effect that never acts is still checked")
  func idleEffect() throws {
    let folder = try TemporaryFolder()
    try inputs(in: folder)
    for (effect, exitCode) in [("nosuch:mix=0", 2), ("separateRGB:amount=99,mix=0", 2)] {
      let result = try KfrecProcess.run(
        ["-i", "in.mp4", "-o", "out.mov", "-e", effect], in: folder,
        environment: BypassTests.noDriver)
      #expect(result.exitCode == Int32(exitCode), "\(effect): \(result)")
    }
  }

  @Test(
    "frames that bypass the GPU keep every sample, whatever the row alignment",
    arguments: ["in.mp4", "raw.nut", "odd.nut", "in.png"])
  func exact(_ input: String) throws {
    let folder = try TemporaryFolder()
    try inputs(in: folder)
    let (output, words): (String, [String]) =
      switch input {
      case "in.png": ("out.png", [])
      case "odd.nut": ("out.mkv", ["--crf", "0", "--pixel-format", "yuv444p"])
      default: ("out.mkv", ["--crf", "0"])
      }
    let result = try KfrecProcess.run(
      ["-i", input, "-o", output, "--verbose"] + words, in: folder,
      environment: BypassTests.noDriver)
    #expect(result.exitCode == 0 && result.errors.contains("GPU not used"), "\(result)")
    let expected = try Probe.pixels(folder.file(input))
    #expect(!expected.isEmpty)
    #expect(try Probe.pixels(folder.file(output)) == expected)
  }

  @Test("bypass and GPU give the same tags, times and audio, and pixels within the identity bounds")
  func agreement() throws {
    let folder = try TemporaryFolder()
    let sample = repositoryRoot + "/samples/big-buck-bunny.mp4"
    let words = ["-i", sample, "--start", "2", "--frames", "4", "--crf", "0"]
    for (name, way) in [("past.mov", []), ("line.mov", ["--force-gpu"])] {
      let result = try KfrecProcess.run(words + ["-o", folder.file(name)] + way)
      #expect(result.exitCode == 0, "\(result)")
    }
    let (past, line) = (folder.file("past.mov"), folder.file("line.mov"))
    #expect(try Timeline(past).entries == Timeline(line).entries)
    #expect(try Timeline(past, of: "a:0").entries == Timeline(line, of: "a:0").entries)
    let fields =
      "codec_name,profile,width,height,pix_fmt,sample_aspect_ratio,color_range,color_space,"
      + "color_primaries,color_transfer,chroma_location,time_base,r_frame_rate,has_b_frames"
    #expect(try Probe.stream(past, fields) == Probe.stream(line, fields))
    let (before, after) = (try Probe.pixels(past), try Probe.pixels(line))
    let (luma, frame) = (1280 * 720, 1280 * 720 * 3 / 2)
    try #require(before.count == 4 * frame && after.count == before.count)
    for start in stride(from: 0, to: before.count, by: frame) {
      #expect(
        before[start..<(start + luma)].elementsEqual(after[start..<(start + luma)]), "luma")
      let chroma = (start + luma)..<(start + frame)
      let errors = Difference(before[chroma], after[chroma])
      #expect(errors.psnr >= 50, "chroma: \(errors)")
    }
  }

  @Test("a source that changes its size uses the GPU only while its size differs")
  func change() throws {
    let folder = try TemporaryFolder()
    var stream: [UInt8] = []
    for (index, size) in ["64x48", "128x96", "64x48"].enumerated() {
      let part = try make(
        "\(index).h264", in: folder,
        [
          "-f", "lavfi", "-i", "testsrc2=s=\(size):d=0.2", "-c:v", "libx264", "-preset",
          "ultrafast", "-bf", "0",
        ])
      stream += try readFile(part)
    }
    try folder.write(stream, to: "in.h264")
    let words = ["-y", "-i", "in.h264", "-o", "out.mkv", "--crf", "0"]
    let result = try KfrecProcess.run(words, in: folder)
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.errors.contains("15 frames in, 15 out"), "\(result)")
    let frame = 64 * 48 * 3 / 2
    let found = try Probe.pixels(folder.file("out.mkv"))
    try #require(found.count == 15 * frame)
    let first = try Probe.pixels(folder.file("0.h264"))
    #expect(found.prefix(5 * frame).elementsEqual(first))
    #expect(found.suffix(5 * frame).elementsEqual(first))
    // The frames between are scaled to the canvas of the first size.
    let middle = found[(5 * frame)..<(6 * frame)]
    let expected = try Probe.pixels(folder.file("1.h264"), filters: ["scale=64:48"])
    #expect(Difference(middle.prefix(64 * 48), expected.prefix(64 * 48)).psnr > 30)
    // Without a driver the frames before the change are kept.
    let cut = try KfrecProcess.run(words, in: folder, environment: BypassTests.noDriver)
    #expect(cut.exitCode == 3 && cut.errors.contains("Vulkan driver"), "\(cut)")
    #expect(try Probe.pixels(folder.file("out.mkv")).count == 5 * frame)
  }
}
