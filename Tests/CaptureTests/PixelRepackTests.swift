import CFFmpeg
import Frames
import TestSupport
import Testing

@testable import Capture

/// Layouts that the GPU does not take are repacked without a change of any value.
@Suite("Repacking of pixels")
struct PixelRepackTests {
  /// A layout as stored, and the one it becomes.
  @Test(
    "Values survive",
    arguments: [
      ("bgr24", "rgb0"), ("rgb24", "rgb0"), ("0rgb", "rgb0"), ("gbrap", "gbrap"),
      ("rgb48le", "rgba64le"), ("rgb48be", "rgba64le"), ("bgr48be", "rgba64le"),
      ("gray16be", "gray16le"), ("monob", "gray"), ("yuv420p10be", "yuv420p10le"),
      ("yuv422p16be", "yuv422p16le"), ("yuv444p12be", "yuv444p12le"), ("gbrp10be", "rgba64le"),
      ("yuvj444p", "yuv444p"),
    ])
  func values(stored: String, target: String) throws {
    let folder = try TemporaryFolder()
    try ffmpeg(
      "-f lavfi -i testsrc=s=36x28 -vf format=\(stored) -frames:v 1 -c:v rawvideo",
      output: folder.file("in.nut"))
    let reading = try Reading(folder.file("in.nut"))
    let frame = try #require(reading.frames.first)
    #expect(frame.format.pixelFormat.rawValue == target)
    // The same numbers as FFmpeg's own repacking of the same frame, which is exact between these.
    let range = frame.format.pixelFormat.layout.model == .yCbCr ? "in_range=pc:out_range=pc:" : ""
    try ffmpeg(
      "-i \(folder.file("in.nut")) -vf scale=\(range)flags=neighbor+accurate_rnd,format=\(target) -f rawvideo",
      output: folder.file("out.raw"))
    let expected = try readFile(folder.file("out.raw"))
    let actual = frame.packed
    #expect(actual.count == expected.count)
    if target == "rgb0" {
      // The fourth byte means nothing.
      let differs = actual.indices.contains { $0 % 4 != 3 && actual[$0] != expected[$0] }
      #expect(!differs)
    } else {
      #expect(actual == expected)
    }
  }

  @Test("Packed RGB keeps its bytes", arguments: ["rgb24", "bgr24"])
  func bytes(stored: String) throws {
    let folder = try TemporaryFolder()
    try ffmpeg(
      "-f lavfi -i testsrc=s=36x28 -pix_fmt \(stored) -frames:v 1 -c:v rawvideo",
      output: folder.file("in.nut"))
    try ffmpeg("-i \(folder.file("in.nut")) -f rawvideo", output: folder.file("in.raw"))
    let stored24 = try readFile(folder.file("in.raw"))
    let frame = try #require(try Reading(folder.file("in.nut")).frames.first)
    let actual = frame.packed
    for pixel in 0..<36 * 28 {
      let three = Array(stored24[pixel * 3..<pixel * 3 + 3])
      #expect(
        Array(actual[pixel * 4..<pixel * 4 + 3])
          == (stored == "rgb24" ? three : Array(three.reversed())))
    }
  }

  @Test("A palette's colours come out as they are")
  func palette() throws {
    let folder = try TemporaryFolder()
    try ffmpeg(
      "-f lavfi -i testsrc=s=36x28 -frames:v 1 -pix_fmt pal8", output: folder.file("p.png"))
    let frame = try #require(try Reading(folder.file("p.png")).frames.first)
    #expect(frame.format.pixelFormat == .rgba)
    try ffmpeg(
      "-i \(folder.file("p.png")) -f rawvideo -pix_fmt rgba", output: folder.file("p.raw"))
    #expect(try frame.packed == readFile(folder.file("p.raw")))
  }

  @Test("Gray with alpha keeps both")
  func grayAlpha() throws {
    let folder = try TemporaryFolder()
    let values: [UInt8] = (0..<64).flatMap { [UInt8($0 * 4), UInt8(255 - $0 * 3)] }
    try folder.write(values, to: "in.raw")
    try ffmpeg(
      "-f rawvideo -pix_fmt ya8 -s 8x8 -i \(folder.file("in.raw"))", output: folder.file("a.png"))
    let frame = try #require(try Reading(folder.file("a.png")).frames.first)
    let actual = frame.packed
    for pixel in 0..<64 {
      let gray = values[pixel * 2]
      #expect(Array(actual[pixel * 4..<pixel * 4 + 3]) == [gray, gray, gray])
      #expect(actual[pixel * 4 + 3] == values[pixel * 2 + 1])
    }
  }

  @Test("Formats without numbers for the CPU are refused")
  func refused() {
    for format in [AV_PIX_FMT_NONE, AV_PIX_FMT_VAAPI, AV_PIX_FMT_GRAYF32LE] {
      #expect(PixelRepack.nearest(to: format) == nil)
    }
  }
}
