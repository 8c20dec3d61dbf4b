import Frames

/// A moving test frame with all hues, ramps, fine detail, noise and hard edges, so that almost every
/// effect changes it.
struct TrialFrame {
  /// Red, green, blue and alpha of each pixel, row by row.
  typealias Bytes = [UInt8]

  /// The size in pixels; odd, so that errors with odd sizes show.
  static let (width, height) = (193, 109)
  static let format = FrameFormat(
    width: width, height: height, pixelFormat: .rgba, color: .sRGB)

  private let layout: BufferLayout
  private let pool: PixelBufferPool<HeapMemory>

  init() {
    let layout = BufferLayout(
      pixelFormat: .rgba, width: TrialFrame.width, height: TrialFrame.height)
    self.layout = layout
    pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount) }
  }

  /// Returns a frame: the frame before it moved by two pixels, with other noise.
  func pixels(ofFrame index: Int) throws -> PixelBuffer {
    var pixels = try pool.lease()
    pixels.withBytes(ofPlane: 0) { draw(index, into: $0) }
    return pixels.freeze()
  }

  private func draw(_ index: Int, into bytes: UnsafeMutableRawBufferPointer) {
    var noise = UInt32(truncatingIfNeeded: index) &* 0x9E37_79B9 | 1
    for y in 0..<TrialFrame.height {
      for x in 0..<TrialFrame.width {
        // Marsaglia's xorshift gives the same noise on every machine.
        noise ^= noise << 13
        noise ^= noise >> 17
        noise ^= noise << 5
        let color = TrialFrame.color(
          (x + 2 * index) % TrialFrame.width, y, noise: UInt8(truncatingIfNeeded: noise >> 24))
        let offset = y * layout.planes[0].stride + x * 4
        for (part, value) in [color.0, color.1, color.2, 255].enumerated() {
          bytes[offset + part] = value
        }
      }
    }
  }

  /// Returns the colour of a pixel in one of four bands: hues, ramps to black and white, a checked
  /// pattern with bars, noise.
  private static func color(_ x: Int, _ y: Int, noise: UInt8) -> (UInt8, UInt8, UInt8) {
    let ramp = UInt8(x * 255 / (width - 1))
    switch y * 4 / height {
    case 0:
      let sector = x * 6 / width
      let rise = UInt8((x * 6 % width) * 255 / width)
      return [
        (255, rise, 0), (255 - rise, 255, 0), (0, 255, rise), (0, 255 - rise, 255),
        (rise, 0, 255), (255, 0, 255 - rise),
      ][sector]
    case 1: return (ramp, ramp, UInt8(y * 255 / (height - 1)))
    case 2:
      if x / 12 % 2 == 0 { return (x + y) % 2 == 0 ? (0, 0, 0) : (255, 255, 255) }
      return (200, 120, 90)
    default: return (noise, 255 - noise, noise / 2 + ramp / 2)
    }
  }

  /// Returns the pixels of a frame without row padding.
  static func bytes(of pixels: PixelBuffer) -> Bytes {
    let span = pixels.bytes(ofPlane: 0)
    let stride = pixels.planes[0].stride
    var bytes: Bytes = []
    bytes.reserveCapacity(width * height * 4)
    for y in 0..<height {
      for x in 0..<width * 4 {
        bytes.append(span.unsafeLoad(fromByteOffset: y * stride + x, as: UInt8.self))
      }
    }
    return bytes
  }
}
