import Frames
import Testing

@testable import Encode

@Suite struct SmallPictureTests {
  private func format(
    _ width: Int, _ height: Int, _ pixelFormat: PixelFormat = .yuv420p, aspect: Rational = .one
  ) -> FrameFormat {
    FrameFormat(
      width: width, height: height, pixelFormat: pixelFormat,
      color: ColorDescription(matrix: .bt709, range: .limited, primaries: 1, transfer: 1),
      sampleAspectRatio: aspect)
  }

  @Test("pictures keep the shape of what is shown, are never enlarged, and have even sides")
  func sizes() {
    for (source, width, height) in [
      (format(1280, 720), 640, 360), (format(720, 1280), 360, 640), (format(64, 36), 64, 36),
      (format(3, 1), 4, 2), (format(1440, 1080, aspect: Rational(4, 3)), 640, 360),
      (format(1000, 1000, aspect: Rational(1, 2)), 320, 640), (format(16384, 2), 640, 2),
    ] {
      let size = SmallPicture.size(source)
      #expect(size.width == width && size.height == height, "\(source)")
    }
  }

  private func frame(_ format: FrameFormat, value: UInt8) throws -> Frame {
    let layout = BufferLayout(
      pixelFormat: format.pixelFormat, width: format.width, height: format.height)
    let pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount) }
    var pixels = try pool.lease()
    for index in layout.planes.indices {
      _ = pixels.withBytes(ofPlane: index) { $0.initializeMemory(as: UInt8.self, repeating: value) }
    }
    return Frame(format: format, pixels: pixels.freeze(), time: .zero)
  }

  @Test(
    "every kind of pixels becomes a JPEG file, and the same picture is made once",
    arguments: [
      PixelFormat.yuv420p, .yuv444p10le, .rgb24, .rgba, .yuva420p, .gbrp16le, .nv12, .gray16le,
    ])
  func pixels(pixelFormat: PixelFormat) throws {
    let source = format(90, 50, pixelFormat)
    let maker = try SmallPicture(source)
    let first = try #require(try maker.picture(of: frame(source, value: 60)))
    #expect(first.starts(with: [0xff, 0xd8]) && first.suffix(2) == [0xff, 0xd9])
    #expect(try maker.picture(of: frame(source, value: 60)) == nil)
    #expect(try maker.picture(of: frame(source, value: 3)) != nil)
    maker.forget()
    #expect(try maker.picture(of: frame(source, value: 3)) != nil)
  }
}
