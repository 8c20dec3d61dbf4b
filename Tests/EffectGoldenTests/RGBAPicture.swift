import Frames

/// A picture of 8-bit RGBA without padding.
struct RGBAPicture: Equatable, Sendable {
  let width: Int
  let height: Int
  /// Red, green, blue and alpha of each pixel, row after row.
  var bytes: [UInt8]

  init(width: Int, height: Int, pixel: (_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8, UInt8)) {
    self.width = width
    self.height = height
    bytes = []
    bytes.reserveCapacity(width * height * 4)
    for y in 0..<height {
      for x in 0..<width {
        let (r, g, b, a) = pixel(x, y)
        bytes += [r, g, b, a]
      }
    }
  }

  /// Copies the rows out of a frame's buffer, of 3 or 4 bytes a pixel.
  init(_ pixels: PixelBuffer, width: Int, height: Int, bytesPerPixel: Int = 4) {
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

  /// A channel (0 to 3) of a pixel, clamped to the edge.
  func channel(_ channel: Int, x: Int, y: Int) -> UInt8 {
    let (x, y) = (min(max(x, 0), width - 1), min(max(y, 0), height - 1))
    return bytes[(y * width + x) * 4 + channel]
  }

  /// The pixels as a frame's buffer.
  func pixelBuffer() throws -> PixelBuffer {
    let layout = BufferLayout(pixelFormat: .rgba, width: width, height: height)
    let pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount) }
    let (memory, pixels) = try pool.lease()
    for y in 0..<height {
      for index in 0..<width * 4 {
        memory.baseAddress.storeBytes(
          of: bytes[y * width * 4 + index], toByteOffset: y * layout.planes[0].stride + index,
          as: UInt8.self)
      }
    }
    return pixels
  }

  /// A picture that a flip, a shift, a change of range or a swap of channels would change: patches
  /// of colour that are nowhere alike, one of them translucent, ramps, and single bright pixels at
  /// all edges and corners.
  static func reference(width: Int, height: Int) -> RGBAPicture {
    RGBAPicture(width: width, height: height) { x, y in
      let isCorner = (x == 0 || x == width - 1) && (y == 0 || y == height - 1)
      if isCorner {
        return x == 0
          ? (y == 0 ? (255, 255, 255, 255) : (255, 0, 0, 255))
          : (y == 0 ? (0, 255, 0, 255) : (0, 0, 255, 255))
      }
      if y == 0 || y == height - 1 { return x % 5 == 2 ? (255, 200, 0, 255) : (10, 20, 30, 255) }
      if x == 0 || x == width - 1 { return y % 7 == 3 ? (0, 200, 255, 255) : (30, 20, 10, 255) }
      if y < height / 3 {
        let patch = x * 6 / width
        return [
          (191, 30, 20, 255), (20, 180, 40, 255), (25, 50, 200, 255), (230, 220, 30, 255),
          (235, 235, 235, 255), (16, 16, 16, 100),
        ][patch]
      }
      let ramp = UInt8(x * 255 / max(width - 1, 1))
      let rise = UInt8(y * 255 / max(height - 1, 1))
      return y < height * 2 / 3 ? (ramp, rise, 255 - ramp, 255) : (rise, ramp / 2, ramp, 255)
    }
  }

  /// The reference behind a bright and a dark square that move by two pixels a step, one to the right
  /// and one up.
  static func moving(width: Int, height: Int, step: Int) -> RGBAPicture {
    let reference = reference(width: width, height: height)
    return RGBAPicture(width: width, height: height) { x, y in
      let (across, down) = (x - width * 2 / 3 - 2 * step, y - height / 3 + 2 * step)
      if (0..<9).contains(across) && (0..<9).contains(y - height / 2) { return (255, 240, 90, 255) }
      if (0..<7).contains(x - width / 5) && (0..<7).contains(down) { return (5, 10, 20, 255) }
      let parts = reference.parts(x: x, y: y)
      return (parts[0], parts[1], parts[2], parts[3])
    }
  }

  /// The reference with an alpha that differs from pixel to pixel, from 0 to 255.
  static func translucent(width: Int, height: Int) -> RGBAPicture {
    let reference = reference(width: width, height: height)
    return RGBAPicture(width: width, height: height) { x, y in
      let parts = reference.parts(x: x, y: y)
      return (parts[0], parts[1], parts[2], UInt8((x * 37 + y * 91) % 256))
    }
  }
}
