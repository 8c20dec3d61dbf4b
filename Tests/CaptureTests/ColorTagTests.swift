import Capture
import Frames
import TestSupport
import Testing

@Suite("Colour tags")
struct ColorTagTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func movie(_ size: String, _ pixelFormat: String, _ words: [String]) throws -> String {
    let path = folder.file("a.mkv")
    try ffmpeg(
      ["-f", "lavfi", "-i", "color=red:s=\(size)", "-frames:v", "2", "-pix_fmt", pixelFormat]
        + words + [path])
    return path
  }

  private func color(of path: String, _ tags: ColorTags = ColorTags()) throws -> ColorDescription {
    let frames = try ReadSource(path) { $0.tagOverrides = tags }.frames
    #expect(frames.count >= 1)
    return try #require(frames.first).format.color
  }

  /// Returns a `setparams` filter, which tags the frames so that the encoder converts nothing.
  private static func tags(
    _ matrix: String, _ range: String, _ primaries: String, _ transfer: String
  ) -> String {
    "setparams=colorspace=\(matrix):range=\(range):color_primaries=\(primaries):color_trc=\(transfer)"
  }

  @Test(
    "the tags of a video file are used",
    arguments: [
      ("smpte170m", "tv", "smpte170m", "smpte170m", UInt8(6), UInt8(1), UInt8(6), UInt8(6)),
      ("bt470bg", "pc", "bt470bg", "bt470bg", 5, 2, 5, 5),
      ("bt709", "tv", "bt709", "bt709", 1, 1, 1, 1),
      ("bt709", "pc", "bt709", "iec61966-2-1", 1, 2, 1, 13),
      ("bt2020nc", "tv", "bt2020", "smpte2084", 9, 1, 9, 16),
      ("bt2020nc", "pc", "bt2020", "arib-std-b67", 9, 2, 9, 18),
      ("smpte240m", "tv", "smpte240m", "smpte240m", 7, 1, 7, 7),
      ("fcc", "tv", "bt470m", "bt470m", 4, 1, 4, 4),
    ])
  func believed(
    matrix: String, range: String, primaries: String, transfer: String, matrixCode: UInt8,
    rangeCode: UInt8, primariesCode: UInt8, transferCode: UInt8
  ) throws {
    let filter = ColorTagTests.tags(matrix, range, primaries, transfer)
    let path = try movie(
      "64x64", "yuv420p", ["-vf", "format=yuv420p,\(filter)", "-c:v", "libx264"])
    let color = try color(of: path)
    #expect(color.matrix.rawValue == matrixCode)
    #expect(color.range.rawValue == rangeCode)
    #expect(color.primaries == primariesCode)
    #expect(color.transfer == transferCode)
    #expect(color.isHighDynamicRange == (transferCode == 16 || transferCode == 18))
  }

  @Test(
    "missing tags are assumed from the frame size",
    arguments: [
      ("320x240", ColorMatrix.smpte170m, UInt8(6), UInt8(6)),
      ("720x480", .smpte170m, 6, 6), ("720x576", .bt470bg, 5, 6), ("1280x544", .bt709, 1, 1),
      ("768x578", .bt709, 1, 1),
    ])
  func assumed(size: String, matrix: ColorMatrix, primaries: UInt8, transfer: UInt8) throws {
    // FFV1 stores no matrix, and libx264 does not write tags that it is not given.
    let path = try movie(size, "yuv420p", ["-c:v", "ffv1"])
    #expect(
      try color(of: path)
        == ColorDescription(
          matrix: matrix, range: .limited, primaries: primaries, transfer: transfer,
          chromaSiting: .left))
  }

  @Test(
    "primaries and transfer that are missing follow the matrix's standard",
    arguments: [("bt709", UInt8(1), UInt8(1)), ("bt2020nc", 9, 14), ("smpte240m", 7, 7)])
  func derived(matrix: String, primaries: UInt8, transfer: UInt8) throws {
    let filter = ColorTagTests.tags(matrix, "tv", "unknown", "unknown")
    let path = try movie(
      "320x180", "yuv420p", ["-vf", "format=yuv420p,\(filter)", "-c:v", "libx264"])
    let color = try color(of: path)
    #expect(color.primaries == primaries && color.transfer == transfer, "\(color)")
  }

  @Test("JPEG images are full-range BT.601 with centred chroma", arguments: ["420", "422", "444"])
  func jpeg(subsampling: String) throws {
    let path = folder.file("a.jpg")
    try ffmpeg(
      "-f", "lavfi", "-i", "color=red:s=1920x1080", "-frames:v", "1", "-pix_fmt",
      "yuvj\(subsampling)p", path)
    let read = try ReadSource(path)
    let format = try #require(read.frames.first).format
    #expect(format.pixelFormat.rawValue == "yuv\(subsampling)p")
    #expect(format.color.matrix.lumaWeights?.red == 0.299)
    #expect(format.color.range == .full)
    #expect(format.color.chromaSiting == .center)
  }

  @Test("PNG and gray images are sRGB and full range")
  func png() throws {
    let path = folder.file("a.png")
    try ffmpeg(
      "-f", "lavfi", "-i", "color=red:s=64x48", "-frames:v", "1", "-pix_fmt", "rgb24", path)
    #expect(try color(of: path) == .sRGB)
    try ffmpeg("-f", "lavfi", "-i", "color=red:s=64x48", "-frames:v", "1", "-pix_fmt", "gray", path)
    #expect(try color(of: path).range == .full)
  }

  @Test("video files in the deprecated full-range formats are full range")
  func fullByFormat() throws {
    let path = try movie("64x64", "yuvj420p", ["-c:v", "libx264"])
    #expect(try color(of: path).range == .full)
    let motion = folder.file("a.avi")
    try ffmpeg(
      "-f", "lavfi", "-i", "color=red:s=64x48", "-frames:v", "2", "-c:v", "mjpeg", "-pix_fmt",
      "yuvj422p", motion)
    #expect(try color(of: motion).range == .full)
  }

  @Test(
    "a matrix that kfrec cannot convert is refused by name, unless another is given",
    arguments: ["ictcp", "bt2020c"])
  func refused(matrix: String) throws {
    let path = try movie(
      "64x64", "yuv444p",
      ["-vf", "format=yuv444p,setparams=colorspace=\(matrix)", "-c:v", "libx264"])
    let said = try #require(complaint(path))
    #expect(said.contains(matrix))
    #expect(said.contains("--input-matrix"))
    #expect(try color(of: path, ColorTags(matrix: .bt709)).matrix == .bt709)
  }

  @Test("tags that the user gives take precedence")
  func overridden() throws {
    let filter = ColorTagTests.tags("bt709", "tv", "bt709", "bt709")
    let path = try movie(
      "64x64", "yuv420p", ["-vf", "format=yuv420p,\(filter)", "-c:v", "libx264"])
    let asked = ColorTags(
      matrix: .smpte170m, range: .full, primaries: 6, transfer: 4, chromaSiting: .topLeft)
    #expect(
      try color(of: path, asked)
        == ColorDescription(
          matrix: .smpte170m, range: .full, primaries: 6, transfer: 4, chromaSiting: .topLeft))
    #expect(try color(of: path, ColorTags(range: .full)).matrix == .bt709)
  }

  @Test("HDR is reported")
  func highDynamicRange() throws {
    let filter = ColorTagTests.tags("bt2020nc", "tv", "bt2020", "smpte2084")
    let path = try movie(
      "64x64", "yuv420p10le", ["-vf", "format=yuv420p10le,\(filter)", "-c:v", "libx265"])
    let read = try ReadSource(path)
    #expect(read.description.notices.contains { $0.message.contains("PQ") })
    #expect(read.frames.first?.format.pixelFormat == .yuv420p10le)
  }
}
