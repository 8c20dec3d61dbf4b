import EffectLab
import Frames
import Glibc
import GPU
import Render
import ShaderEffects
import TestSupport
import Testing

extension EffectsOnDevice {
  /// Effects whose header says `"LIGHT": "linear"`.
  @Suite("Effects that see light")
  struct LightTests {
    private static let columns: [UInt8] = [0, 1, 5, 10, 20, 64, 128, 200, 254, 255]

    /// A row of grays, in which each pixel stands beside a different one.
    private static let picture = RGBAImage(width: columns.count, height: 1) { x, _ in
      (columns[x], columns[x], 255 - columns[x], 255)
    }

    /// Renders the picture through effects of these texts, in order.
    private static func render(_ texts: [String], policy: FusionPolicy? = nil) throws -> [UInt8] {
      let folder = try TemporaryFolder()
      for (place, text) in texts.enumerated() {
        try folder.write(text.utf8, to: "light\(place).comp")
      }
      let library = EffectLibrary(folders: [folder.path])
      return try EffectRenderer.render(
        [picture, picture], texts.indices.map { "light\($0)" }, times: [.zero, .one],
        policy: policy, library: library)[1].bytes
    }

    private static func light(_ code: UInt8) -> Double {
      let v = Double(code) / 255
      return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
    }

    private static func code(_ light: Double) -> UInt8 {
      let v = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
      return UInt8((v * 255).rounded())
    }

    private static func header(_ more: String = "") -> String {
      "/*{\"LIGHT\": \"linear\"\(more)}*/\n"
    }

    private static func isNear(_ a: [UInt8], _ b: [UInt8]) -> Bool {
      a.count == b.count && zip(a, b).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }

    private static let policies: [FusionPolicy?] = [
      nil, .plain, FusionPolicy(storage: .buffers, packsWords: true, fuses: true),
    ]

    @Test("half of a colour is half of its light, by the source's curve", arguments: policies)
    func half(policy: FusionPolicy?) throws {
      let text =
        Self.header() + "vec4 effect(vec2 uv) { return framePixel() * vec4(vec3(0.5), 1.0); }"
      let wanted = Self.columns.flatMap { code in
        [code, code, 255 - code].map { Self.code(Self.light($0) / 2) } + [255]
      }
      let result = try Self.render([text], policy: policy)
      #expect(Self.isNear(result, wanted), "\(result) and not \(wanted)")
    }

    @Test("pixels that are not changed keep their codes, also behind and before other effects")
    func unchanged() throws {
      let same = "vec4 effect(vec2 uv) { return framePixel(); }"
      let own = "vec3 toLight(vec3 v) { return v; } " + same
      for texts in [
        [Self.header() + same], [own, Self.header() + same], [Self.header() + same, own],
        [Self.header() + same, Self.header() + same, own],
      ] {
        #expect(try Self.render(texts) == Self.picture.bytes, "\(texts)")
      }
    }

    @Test("the mean of neighbours is that of their light, and two effects in one kernel do both")
    func neighbours() throws {
      let text =
        Self.header()
        + "vec4 effect(vec2 uv) { return (framePixel() + framePixel(PIXEL + ivec2(1, 0))) * 0.5; }"
      let double = Self.header() + "vec4 effect(vec2 uv) { return framePixel() * 2.0; }"
      let count = Self.columns.count
      let wanted = (0..<count).flatMap { x in
        let (a, b) = (Self.columns[x], Self.columns[min(x + 1, count - 1)])
        return [(a, b), (a, b), (255 - a, 255 - b)].map {
          Self.code(min(Self.light($0) + Self.light($1), 1))
        } + [255]
      }
      for policy in Self.policies {
        let result = try Self.render([text, double], policy: policy)
        #expect(Self.isNear(result, wanted), "\(result) and not \(wanted)")
      }
    }

    @Test("passes, earlier frames and the own result are light too")
    func passes() throws {
      let passes =
        Self.header(#", "PASSES": [{"TARGET": "dark", "FLOAT": true}, {}]"#) + """
          vec4 effect(vec2 uv) {
            return PASSINDEX == 0 ? framePixel() * 0.25 : darkPixel(PIXEL) * vec4(vec3(2.0), 4.0);
          }
          """
      let earlier =
        Self.header(#", "HISTORY": 1"#)
        + "vec4 effect(vec2 uv) { return earlierPixel(1, PIXEL) * vec4(vec3(0.5), 1.0); }"
      // The second frame: half of the light that the first one had, which was all.
      let previous =
        Self.header()
        + "vec4 effect(vec2 uv) { return FRAMEINDEX == 0 ? framePixel() : previousPixel(PIXEL) * vec4(vec3(0.5), 1.0); }"
      let wanted = Self.columns.flatMap { code in
        [code, code, 255 - code].map { Self.code(Self.light($0) / 2) } + [255]
      }
      for text in [passes, earlier, previous] {
        let result = try Self.render([text])
        #expect(Self.isNear(result, wanted), "\(text): \(result) and not \(wanted)")
      }
    }

    @Test("an effect with its own main, and mix, which blends coded colours")
    func ownMain() throws {
      let text =
        Self.header() + """
          layout(local_size_x = 8, local_size_y = 8) in;
          void main() { store(PIXEL, framePixel() * vec4(vec3(0.5), 1.0)); }
          """
      let wanted = Self.columns.flatMap { code in
        [code, code, 255 - code].map { Self.code(Self.light($0) / 2) } + [255]
      }
      #expect(Self.isNear(try Self.render([text]), wanted))
      let folder = try TemporaryFolder()
      try folder.write(text.utf8, to: "half.comp")
      let mixed = try EffectRenderer.render(
        [Self.picture], ["half:mix=0.5"], times: [.zero],
        library: EffectLibrary(folders: [folder.path]))[0].bytes
      let between = zip(Self.picture.bytes, wanted).map {
        UInt8((Double($0) + Double($1)) / 2)
      }
      #expect(Self.isNear(mixed, between), "\(mixed) and not \(between)")
    }

    @Test(
      "every transfer goes to light and back; reference white is 1 for HDR",
      arguments: [1, 4, 5, 8, 13, 16, 17, 18] as [UInt8])
    func transfers(transfer: UInt8) throws {
      let folder = try TemporaryFolder()
      let same = Self.header() + "vec4 effect(vec2 uv) { return framePixel(); }"
      try folder.write(same.utf8, to: "same.comp")
      // White where there is more light than three quarters of reference white.
      let bright =
        Self.header()
        + "vec4 effect(vec2 uv) { return vec4(vec3(framePixel().r > 0.75 ? 1000.0 : 0.0), 1.0); }"
      try folder.write(bright.utf8, to: "bright.comp")
      let library = EffectLibrary(folders: [folder.path])
      let (width, height) = (256, 1)
      let format = FrameFormat(
        width: width, height: height, pixelFormat: .gbrp10le,
        color: ColorDescription(matrix: .rgb, range: .full, primaries: 9, transfer: transfer))
      let layout = BufferLayout(pixelFormat: .gbrp10le, width: width, height: height)
      let pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount) }
      var lease = try pool.lease()
      var span = lease.span
      for plane in 0..<3 {
        for x in 0..<width {
          span.storeBytes(
            of: UInt16(x * 1023 / 255).littleEndian,
            toByteOffset: layout.planes[plane].offset + 2 * x,
            as: UInt16.self)
        }
      }
      let pixels = lease.freeze()
      func codes(_ effect: String) throws -> [UInt16] {
        let result = try EffectRenderer.render(
          format: format, frames: [pixels], [effect], times: [.zero], library: library)[0]
        return (0..<width).map {
          result.bytes(ofPlane: 0).unsafeLoad(fromByteOffset: 2 * $0, as: UInt16.self)
        }
      }
      let back = try codes("same")
      for x in 0..<width {
        #expect(
          abs(Int(back[x]) - x * 1023 / 255) <= 1, "code \(x * 1023 / 255) becomes \(back[x])")
      }
      let first = try #require(codes("bright").firstIndex { $0 > 500 })
      let wanted: Double =
        switch transfer {
        case 4: pow(0.75, 1 / 2.2)
        case 5: pow(0.75, 1 / 2.8)
        case 8: 0.75
        case 13: 1.055 * pow(0.75, 1 / 2.4) - 0.055
        case 16: 0.5508  // ST 2084 of 152.25 cd/m2.
        case 17: pow(0.75, 1 / 2.6)
        case 18: 0.6926  // BT.2100-2 of 0.75 x 0.26496.
        default: pow(0.75, 1 / 2.4)
        }
      #expect(
        abs(Double(first) / 255 - wanted) <= 1.5 / 255, "\(Double(first) / 255) and not \(wanted)")
    }
  }
}
