import Capture
import Frames
import TestSupport
import Testing

@testable import Capture

@Suite("Orientation")
struct OrientationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The four rotation entries of each of the eight matrices, in units of 1.
  private static let matrices: [(a: Int32, b: Int32, c: Int32, d: Int32)] = [
    (1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0), (-1, 0, 0, 1), (0, -1, -1, 0),
    (1, 0, 0, -1), (0, 1, 1, 0),
  ]

  /// Makes an uncompressed 6x4 frame, each pixel different, in a MOV whose track has that matrix.
  private func movie(_ matrix: (a: Int32, b: Int32, c: Int32, d: Int32)) throws -> String {
    let raw = folder.file("a.rgb")
    try folder.write((0..<6 * 4 * 3).map { UInt8($0 * 3) }, to: "a.rgb")
    let path = folder.file("a.mov")
    try ffmpeg(
      "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "6x4", "-i", raw, "-c:v", "png", path)
    var bytes = try readFile(path)
    let tag = Array("tkhd".utf8)
    let header = try #require(bytes.indices.first { bytes[$0...].starts(with: tag) })
    // Version 0: four bytes of type, then 40 of fields before the matrix (ISO/IEC 14496-12 8.3.2).
    let entries = [matrix.a, matrix.b, 0, matrix.c, matrix.d, 0, 0, 0, 1 << 14]
    for (index, entry) in entries.enumerated() {
      let word = UInt32(bitPattern: entry << 16)
      for byte in 0..<4 {
        bytes[header + 4 + 40 + index * 4 + byte] = UInt8(
          truncatingIfNeeded: word >> (24 - 8 * byte))
      }
    }
    return try folder.write(bytes, to: "turned.mov")
  }

  @Test("a track's matrix turns the frame as FFmpeg does", arguments: matrices.indices)
  func likeFFmpeg(index: Int) throws {
    let path = try movie(OrientationTests.matrices[index])
    let shown = folder.file("shown.rgb")
    try ffmpeg("-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", shown)
    let expected = try readFile(shown)
    let frame = try #require(try ReadSource(path).frames.first)
    #expect(frame.format.width == 6 && frame.format.height == 4)
    #expect(upright(frame) == expected)
    #expect(frame.format.orientation.swapsAxes == (index % 2 == 1))
  }

  /// Returns the frame upright, in packed RGB.
  private func upright(_ frame: Frame) -> [UInt8] {
    let format = frame.format
    let stored = frame.packed(plane: 0)
    let map = format.orientation.storedPixel(width: format.width, height: format.height)
    let (width, height) = format.uprightSize
    return (0..<height).flatMap { y in
      (0..<width).flatMap { x in
        let column = map.origin.x + x * map.dx.x + y * map.dy.x
        let row = map.origin.y + x * map.dx.y + y * map.dy.y
        let pixel = (row * format.width + column) * 4
        return [0, 1, 2].map { stored[pixel + $0] }
      }
    }
  }

  @Test("a matrix gives its directions, whatever its scale")
  func scaled() {
    let unit: Int32 = 65536
    #expect(Orientation(matrix: (0, unit, -unit, 0))?.quarterTurns == 1)
    #expect(Orientation(matrix: (0, 87381, -unit, 0))?.quarterTurns == 1)
    #expect(Orientation(matrix: (3, 65530, -65530, -3))?.quarterTurns == 1)
    #expect(Orientation(matrix: (46341, 46341, -46341, 46341)) == nil)
    #expect(Orientation(matrix: (0, 0, 0, 0)) == nil)
    #expect(Orientation(matrix: (.min, 0, 0, .min))?.quarterTurns == 2)
  }

  @Test("a rotation that is no quarter turn leaves the frame as stored, with a warning")
  func slanted() throws {
    let read = try ReadSource(try movie((1, 1, -1, 1)))
    #expect(read.frames.first?.format.orientation == .upright)
    #expect(read.description.notices.contains { $0.message.contains("display matrix") })
  }

  @Test("a JPEG image is turned by its EXIF data", arguments: 1...8)
  func exif(number: Int) throws {
    let plain = folder.file("a.jpg")
    try ffmpeg("-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1", plain)
    let jpeg = try readFile(plain)
    // An APP1 segment with a big-endian TIFF header and one entry: tag 0x0112, a SHORT.
    let segment: [UInt8] =
      [0xff, 0xe1, 0, 34] + Array("Exif".utf8) + [0, 0] + Array("MM".utf8)
      + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(number), 0, 0, 0, 0, 0, 0]
    let path = try folder.write(
      Array(jpeg[..<2]) + segment + Array(jpeg[2...]), to: "turned.jpg")
    let expected = [
      (0, false), (0, true), (2, false), (2, true), (3, true), (1, false), (1, true), (3, false),
    ][number - 1]
    let format = try #require(try ReadSource(path).frames.first).format
    #expect(format.orientation == Orientation(quarterTurns: expected.0, mirrored: expected.1))
  }
}
