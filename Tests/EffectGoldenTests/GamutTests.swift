import EffectLab
import Frames
import Testing

extension EffectsOnDevice {
  @Suite("Colours outside RGB")
  struct GamutTests {
    static let side = 48
    static let format = FrameFormat(
      width: side, height: side, pixelFormat: .yuv444p,
      color: ColorDescription(matrix: .bt709, range: .limited, primaries: 1, transfer: 1))

    /// Returns a luma and two chroma codes for each pixel, far more of them outside RGB than inside.
    static func code(_ plane: Int, x: Int, y: Int) -> UInt8 {
      switch plane {
      case 0: UInt8(16 + (x * 4 + y * 7) % 220)
      case 1: UInt8(16 + (x * 19 + y * 5) % 225)
      default: UInt8(16 + (x * 3 + y * 23) % 225)
      }
    }

    static func render(_ effects: [String]) throws -> [[UInt8]] {
      let layout = BufferLayout(pixelFormat: .yuv444p, width: side, height: side)
      let pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount) }
      var pixels = try pool.lease()
      for (plane, place) in layout.planes.enumerated() {
        pixels.withBytes(ofPlane: plane) { bytes in
          for y in 0..<side {
            for x in 0..<side { bytes[y * place.stride + x] = code(plane, x: x, y: y) }
          }
        }
      }
      let result = try EffectRenderer.render(
        format: format, pixels: pixels.freeze(), effects, times: [Rational(3, 2)])[0]
      return (0..<3).map { plane in
        let stride = result.planes[plane].stride
        let bytes = result.bytes(ofPlane: plane)
        return (0..<side * side).map {
          bytes.unsafeLoad(fromByteOffset: $0 / side * stride + $0 % side, as: UInt8.self)
        }
      }
    }

    static let codes = (0..<3).map { plane in
      (0..<side * side).map { code(plane, x: $0 % side, y: $0 / side) }
    }

    @Test("separateRGB reads colours unclamped: amount 0 gives back every YCbCr code")
    func separateRGB() throws {
      #expect(try Self.render(["separateRGB:amount=0"]) == Self.codes)
    }

    @Test("Colours outside RGB pass an inactive effect unchanged, and others read them clamped")
    func clamped() throws {
      #expect(try Self.render(["vignette:mix=0"]) == Self.codes)
      #expect(try Self.render(["boxBlur:to=1"]) == Self.codes)
      #expect(try Self.render(["boxBlur:radius=0"]) != Self.codes)
    }
  }
}
