import Capture
import Frames
import Glibc
import TestSupport
import Testing

@Suite("Images and sequences")
struct StillTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "an image is one frame, in the layout that holds it",
    arguments: [
      ("a.png", "rgb24", PixelFormat.rgb0), ("a.png", "rgba", .rgba), ("a.png", "gray", .gray),
      ("a.png", "ya8", .rgba), ("a.png", "rgb48be", .gbrp16le), ("a.png", "rgba64be", .rgba64le),
      ("a.png", "gray16be", .gray16le), ("a.png", "pal8", .rgba), ("a.png", "monob", .gray),
      ("a.jpg", "yuvj420p", .yuv420p), ("a.jpg", "yuvj444p", .yuv444p), ("a.bmp", "bgr24", .rgb0),
      ("a.tga", "bgr24", .rgb0), ("a.tiff", "rgb24", .rgb0), ("a.ppm", "rgb24", .rgb0),
      ("a.webp", "yuv420p", .yuv420p),
    ])
  func still(name: String, pixelFormat: String, expected: PixelFormat) throws {
    let path = folder.file(name)
    try ffmpeg(
      "-f", "lavfi", "-i", "testsrc=s=21x13", "-frames:v", "1", "-pix_fmt", pixelFormat, path)
    let read = try ReadSource(path)
    #expect(read.frames.count == 1)
    #expect(read.description.isStill)
    #expect(read.description.frameCount == 1)
    #expect(read.frames.first?.format.pixelFormat == expected)
    #expect(read.report.incomplete == nil)
    if expected == .rgb0 || expected == .rgba {
      let raw = folder.file("a.raw")
      try ffmpeg("-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", raw)
      let pixels = try #require(read.frames.first).packed(plane: 0)
      let colors = pixels.indices.filter { $0 % 4 != 3 }.map { pixels[$0] }
      if pixelFormat != "ya8" { #expect(colors == (try readFile(raw))) }
    }
  }

  @Test(
    "a sequence has the requested rate, and starts at the first number that exists",
    arguments: [0, 1, 4, 1001])
  func sequence(first: Int) throws {
    try ffmpeg(
      "-f", "lavfi", "-i", "testsrc=s=32x16:r=5", "-frames:v", "6", "-start_number", "\(first)",
      folder.file("a-%03d.png"))
    let read = try ReadSource(folder.file("a-%03d.png")) { $0.frameRate = Rational(30000, 1001) }
    #expect(read.times == (0..<6).map { Rational($0 * 1001, 30000) })
    #expect(!read.description.isStill)
    #expect(read.description.frameRate == Rational(30000, 1001))
    #expect(read.description.frameCount == 6)
    let usual = try ReadSource(folder.file("a-%03d.png")) { $0.start = Rational(1, 25) }
    #expect(usual.times == (1..<6).map { Rational($0, 25) })
  }

  @Test("a JPEG that was cut off is damaged, whatever ends it has before and behind its own")
  func cutJPEG() throws {
    let path = folder.file("a.jpg")
    try ffmpeg("-f", "lavfi", "-i", "testsrc=s=320x240", "-frames:v", "1", path)
    let bytes = try readFile(path)
    // A small picture in its head, and bytes behind it, as cameras write them.
    let head: [UInt8] = [0xff, 0xd8, 0xff, 0xe1, 0, 8, 0xff, 0xd8, 0xff, 0xd9, 0, 0]
    let whole = head + Array(bytes[2...]) + [1, 2, 3, 0xff]
    #expect(try ReadSource(try folder.write(whole, to: "whole.jpg")).frames.count == 1)
    for share in [30, 60, 99] {
      let cut = try ReadSource(
        try folder.write(whole[..<(bytes.count * share / 100)], to: "cut.jpg"))
      #expect(cut.frames.count == 1 && cut.report.damaged == 1, "\(share)")
    }
    for number in 1...3 { try folder.write(whole, to: "n\(number).jpg") }
    try folder.write(whole[..<(bytes.count / 2)], to: "n2.jpg")
    let read = try ReadSource(folder.file("n%d.jpg"))
    #expect(read.frames.count == 3 && read.report.damaged == 1)
  }

  @Test("a PNG stored in Adam7 order is not reported as interlaced")
  func adam7() throws {
    let path = folder.file("a.png")
    try ffmpeg(
      "-f", "lavfi", "-i", "testsrc=s=21x13", "-frames:v", "1", "-flags", "+ildct", path)
    // The interlace method, the last byte of IHDR (PNG, 11.2.2).
    #expect(try readFile(path)[28] == 1)
    #expect(try ReadSource(path).description.notices.isEmpty)
  }

  @Test("an image is repeated for the requested duration or frame count, at the requested rate")
  func repeated() throws {
    let path = folder.file("a.png")
    try ffmpeg("-f", "lavfi", "-i", "testsrc=s=32x16:r=5", "-frames:v", "1", path)
    let usual = try ReadSource(path) { $0.duration = Rational(1, 5) }
    #expect(usual.times == (0..<5).map { Rational($0, 25) })
    #expect(!usual.description.isStill && usual.description.frameCount == 5)
    let counted = try ReadSource(path) {
      ($0.duration, $0.frames, $0.frameRate) = (Rational(9), 3, Rational(30000, 1001))
    }
    #expect(counted.times == (0..<3).map { Rational($0 * 1001, 30000) })
    // A frame that begins before the end is included.
    let part = try ReadSource(path) { $0.duration = Rational(81, 1000) }
    #expect(part.times.count == 3)
    #expect(Set(counted.frames.map { $0.packed(plane: 0) }).count == 1)
    let single = try ReadSource(path) { $0.frames = 1 }
    #expect(single.description.isStill && single.times == [.zero])
  }

  @Test("a sequence ends at a missing number, with a warning that counts the images left out")
  func hole() throws {
    try ffmpeg(
      "-f", "lavfi", "-i", "testsrc=s=32x16:r=5", "-frames:v", "9", "-start_number", "95",
      folder.file("50%%-%02d.png"))
    for name in ["50%-99.png", "50%-101.png"] { unlink(folder.file(name)) }
    // Neither file belongs to the sequence.
    for name in ["50%-0103.png", "50%-104.png.txt"] {
      try folder.write([0], to: name)
    }
    let read = try ReadSource(folder.file("50%%-%02d.png"))
    #expect(read.times == (0..<4).map { Rational($0, 25) })
    #expect(
      read.report.incomplete?.hasSuffix(
        "50%%-%02d.png has no image with number 99: it ends there, without the 3 images with higher numbers"
      )
        == true, "\(read.report)")
    let whole = try ReadSource(folder.file("50%%-9%d.png"))
    #expect(whole.times.count == 4 && whole.report.incomplete == nil)
    let part = try ReadSource(folder.file("50%%-%02d.png")) { $0.frames = 4 }
    #expect(part.times.count == 4 && part.report.incomplete == nil)
    let longer = try ReadSource(folder.file("50%%-%02d.png")) { $0.duration = Rational(1) }
    #expect(longer.times.count == 4 && longer.report.incomplete != nil)
  }

  @Test("a GIF is not a still: all its frames are read")
  func gif() throws {
    let path = folder.file("a.gif")
    try ffmpeg("-f", "lavfi", "-i", "testsrc=s=32x16:r=10", "-frames:v", "7", path)
    let read = try ReadSource(path)
    #expect(read.frames.count == 7)
    #expect(!read.description.isStill)
    #expect(read.report.incomplete == nil)
  }
}
