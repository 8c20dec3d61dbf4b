package import Frames

/// An image of 8-bit RGBA pixels without row padding.
package struct RGBAImage: Equatable, Sendable {
  package let width: Int
  package let height: Int
  /// Red, green, blue and alpha of each pixel, row by row.
  package var bytes: [UInt8]

  package init(
    width: Int, height: Int, pixel: (_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8, UInt8)
  ) {
    self.width = width
    self.height = height
    bytes = []
    bytes.reserveCapacity(width * height * 4)
    for y in 0..<height {
      for x in 0..<width {
        let (r, g, b, a) = pixel(x, y)
        bytes.append(r)
        bytes.append(g)
        bytes.append(b)
        bytes.append(a)
      }
    }
  }

  /// Copies the rows of a frame's buffer with 3 or 4 bytes per pixel.
  package init(_ pixels: PixelBuffer, width: Int, height: Int, bytesPerPixel: Int = 4) {
    let stride = pixels.planes[0].stride
    let span = pixels.bytes(ofPlane: 0)
    self.init(width: width, height: height) { x, y in
      func part(_ channel: Int) -> UInt8 {
        span.unsafeLoad(
          fromByteOffset: y * stride + x * bytesPerPixel + channel, as: UInt8.self)
      }
      return (part(0), part(1), part(2), bytesPerPixel == 4 ? part(3) : 255)
    }
  }

  /// The format of a frame that holds this image.
  package var format: FrameFormat {
    FrameFormat(width: width, height: height, pixelFormat: .rgba, color: .sRGB)
  }

  /// Returns a frame that shows the image.
  func frame(at time: Rational) throws -> Frame {
    Frame(format: format, pixels: try pixelBuffer(), time: time)
  }

  /// Returns a channel (0 to 3) of a pixel; coordinates outside the image are clamped to its edge.
  package func channel(_ channel: Int, x: Int, y: Int) -> UInt8 {
    let (x, y) = (min(max(x, 0), width - 1), min(max(y, 0), height - 1))
    return bytes[(y * width + x) * 4 + channel]
  }

  /// Returns the four channels of a pixel.
  package func parts(x: Int, y: Int) -> [UInt8] { (0..<4).map { channel($0, x: x, y: y) } }

  /// Copies the pixels into a frame's buffer.
  package func pixelBuffer() throws -> PixelBuffer {
    let layout = BufferLayout(pixelFormat: .rgba, width: width, height: height)
    let pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount) }
    var pixels = try pool.lease()
    pixels.withBytes(ofPlane: 0) { target in
      for y in 0..<height {
        for index in 0..<width * 4 {
          target[y * layout.planes[0].stride + index] = bytes[y * width * 4 + index]
        }
      }
    }
    return pixels.freeze()
  }
}
