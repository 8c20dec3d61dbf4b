import Frames
import GPU
import Glibc
import ShaderEffects
import TestSupport
import Testing

import EffectLab
import Render

extension EffectsOnDevice {
  /// Tests of images that effects read from files, with values that only the right image gives.
  @Suite("Images from files")
  struct ImageInputTests {
    private static let allPolicies = [
      FusionPolicy.plain,
      FusionPolicy(storage: .images, packsWords: false, fuses: true),
      FusionPolicy(storage: .buffers, packsWords: true, fuses: true),
    ]

    /// An image without symmetry, with different alpha values.
    private static let card = RGBAImage(width: 5, height: 3) { x, y in
      (UInt8(40 * x + 7), UInt8(80 * y + 11), UInt8(3 * x + 50 * y), UInt8(255 - 16 * (x + 5 * y)))
    }

    private static func frame() -> RGBAImage { .translucent(width: 19, height: 7) }

    private static let copy = """
      /*{"INPUTS": [{"NAME": "card", "TYPE": "image"}]}*/
      vec4 effect(vec2 uv) { return cardPixel(PIXEL - 1); }
      """

    private static func clamped(_ picture: RGBAImage) -> RGBAImage {
      RGBAImage(width: 19, height: 7) { x, y in
        func part(_ channel: Int) -> UInt8 { picture.channel(channel, x: x - 1, y: y - 1) }
        return (part(0), part(1), part(2), part(3))
      }
    }

    @Test("Every pixel is exact, and outside it is clamped to the edge", arguments: allPolicies)
    func exact(policy: FusionPolicy) throws {
      let folder = try TemporaryFolder()
      let path = try folder.write(Self.copy.utf8, to: "a.comp")
      try PlainImage.write(Self.card, to: folder.file("card.png"))
      let use = "\(path):card=\(folder.file("card.png"))"
      let results = try EffectRenderer.render(
        Self.frame(), [use], times: [.zero, .one, Rational(2)], policy: policy)
      for result in results { expect(result, is: Self.clamped(Self.card)) }
      // In a kernel shared with effects before and after it.
      let shared = try EffectRenderer.render(
        Self.frame(), ["invert", use, "\(use),mix=1"], times: [.zero], policy: policy)
      expect(shared[0], is: Self.clamped(Self.card))
    }

    @Test("Two effects in one kernel read their own images of one name", arguments: allPolicies)
    func two(policy: FusionPolicy) throws {
      let folder = try TemporaryFolder()
      let effect = """
        /*{"INPUTS": [{"NAME": "card", "TYPE": "image"}]}*/
        vec4 effect(vec2 uv) { return framePixel() * 0.5 + 0.5 * cardPixel(ivec2(0)); }
        """
      let path = try folder.write(effect.utf8, to: "a.comp")
      for (name, level) in [("a", UInt8(200)), ("b", 40)] {
        try PlainImage.write(
          RGBAImage(width: 1, height: 1) { _, _ in (level, level, level, 255) },
          to: folder.file("\(name).png"))
      }
      let uses = ["a", "b"].map { "\(path):card=\(folder.file("\($0).png"))" }
      let black = RGBAImage(width: 19, height: 7) { _, _ in (0, 0, 0, 255) }
      let result = try EffectRenderer.render(black, uses, times: [.zero], policy: policy)[0]
      #expect(result.parts(x: 3, y: 3)[0] == 70)
      let swapped = try EffectRenderer.render(
        black, uses.reversed(), times: [.zero], policy: policy)
      #expect(swapped[0].parts(x: 3, y: 3)[0] == 110)
    }

    @Test("Read with uv, the image is interpolated and fills the frame", arguments: allPolicies)
    func blended(policy: FusionPolicy) throws {
      let folder = try TemporaryFolder()
      let effect = """
        /*{"INPUTS": [{"NAME": "card", "TYPE": "image"}]}*/
        vec4 effect(vec2 uv) {
          if (cardSize() != ivec2(2, 1)) return vec4(1, 0, 0, 1);
          return card(vec2(uv.x, 0.5));
        }
        """
      let path = try folder.write(effect.utf8, to: "a.comp")
      try PlainImage.write(
        RGBAImage(width: 2, height: 1) { x, _ in x == 0 ? (0, 0, 0, 255) : (0, 200, 0, 255) },
        to: folder.file("ramp.png"))
      let result = try EffectRenderer.render(
        Self.frame(), ["\(path):card=\(folder.file("ramp.png"))"], times: [.zero], policy: policy)[
          0]
      for x in 0..<19 {
        let position = min(max((Double(x) + 0.5) / 19 * 2 - 0.5, 0), 1)
        #expect(abs(Double(result.parts(x: x, y: 3)[1]) - 200 * position) <= 0.51)
      }
    }

    @Test("An imported image is found beside the effect, also in passes", arguments: allPolicies)
    func imported(policy: FusionPolicy) throws {
      let folder = try TemporaryFolder()
      let effect = """
        /*{"IMPORTED": {"card": {"PATH": "sub/card.png"}}, "PASSES": [{"TARGET": "a"}, {}]}*/
        vec4 effect(vec2 uv) {
          return PASSINDEX == 0 ? cardPixel(PIXEL - 1) : aPixel(PIXEL) * cardPixel(ivec2(0)).a;
        }
        """
      let path = try folder.write(effect.utf8, to: "a.comp")
      mkdir(folder.file("sub"), 0o755)
      try PlainImage.write(Self.card, to: folder.file("sub/card.png"))
      let result = try EffectRenderer.render(Self.frame(), [path], times: [.zero], policy: policy)
      expect(result[0], is: Self.clamped(Self.card))
    }

    @Test("Without an image there is one transparent pixel", arguments: allPolicies)
    func nothing(policy: FusionPolicy) throws {
      let folder = try TemporaryFolder()
      let effect = """
        /*{"INPUTS": [{"NAME": "card", "TYPE": "image"}]}*/
        vec4 effect(vec2 uv) { return cardSize() == ivec2(1) ? card(uv) : vec4(1.0); }
        """
      let path = try folder.write(effect.utf8, to: "a.comp")
      let result = try EffectRenderer.render(Self.frame(), [path], times: [.zero], policy: policy)[
        0]
      #expect(result.bytes.allSatisfy { $0 == 0 })
    }

    @Test("inputImage is the frame, in a shared kernel and in passes", arguments: allPolicies)
    func frameByName(policy: FusionPolicy) throws {
      let folder = try TemporaryFolder()
      let effect = """
        /*{"INPUTS": [{"NAME": "inputImage", "TYPE": "image"}]}*/
        vec4 effect(vec2 uv) { return 1.0 - inputImagePixel(); }
        """
      let path = try folder.write(effect.utf8, to: "a.comp")
      let twice = try EffectRenderer.render(
        Self.frame(), [path, path], times: [.zero], policy: policy)[0]
      expect(twice, is: Self.frame(), within: 1)
      let passes = effect.replacing(
        "\"image\"}]}", with: "\"image\"}], \"PASSES\": [{\"TARGET\": \"x\"}, {}]}"
      )
      .replacing("1.0 - inputImagePixel()", with: "PASSINDEX == 0 ? inputImage(uv) : xPixel(PIXEL)")
      let other = try folder.write(passes.utf8, to: "b.comp")
      let result = try EffectRenderer.render(Self.frame(), [other], times: [.zero], policy: policy)[
        0]
      expect(result, is: Self.frame())
    }

    @Test("An image of more than 8 bits keeps them", arguments: allPolicies)
    func deep(policy: FusionPolicy) throws {
      let folder = try TemporaryFolder()
      // 16 bits: 0x8060 is 128.376 of 255; a thousandth beside it would be lost in 8 bits.
      let effect = """
        /*{"INPUTS": [{"NAME": "card", "TYPE": "image"}]}*/
        vec4 effect(vec2 uv) {
          float value = cardPixel(ivec2(0)).r * 65535.0;
          return vec4(vec3(abs(value - 32864.0) <= 32.0 ? 1.0 : 0.0), 1.0);
        }
        """
      let path = try folder.write(effect.utf8, to: "a.comp")
      let file = try folder.write(
        Array("2 1 16\n".utf8) + Array(repeating: [0x60, 0x80], count: 8).joined(), to: "card.rgba")
      let result = try EffectRenderer.render(
        Self.frame(), ["\(path):card=\(file)"], times: [.zero], policy: policy)[0]
      #expect(result.parts(x: 0, y: 0)[0] == 255)
    }

    @Test("An image that is stored rotated is read upright", arguments: allPolicies)
    func turned(policy: FusionPolicy) throws {
      let folder = try TemporaryFolder()
      let path = try folder.write(Self.copy.utf8, to: "a.comp")
      var format = FrameFormat(width: 5, height: 3, pixelFormat: .rgba, color: .sRGB)
      format.orientation = Orientation(quarterTurns: 1, mirrored: false)
      let frame = Frame(format: format, pixels: try Self.card.pixelBuffer(), time: .zero)
      let library = EffectLibrary(folders: [folder.path]) { _ in EffectImage(frame) }
      let result = try EffectRenderer.render(
        [Self.frame()], ["\(path):card=x"], times: [.zero], policy: policy, library: library)[0]
      // A quarter turn clockwise: the bottom of the left column becomes the left of the top row.
      let upright = RGBAImage(width: 3, height: 5) { x, y in
        let parts = Self.card.parts(x: y, y: 2 - x)
        return (parts[0], parts[1], parts[2], parts[3])
      }
      expect(result, is: Self.clamped(upright))
    }

    @Test("An image too large for the GPU is refused with the effect, the input and the file")
    func tooLarge() throws {
      let folder = try TemporaryFolder()
      let path = try folder.write(Self.copy.utf8, to: "a.comp")
      try PlainImage.write(
        RGBAImage(width: 40000, height: 1) { _, _ in (1, 2, 3, 255) },
        to: folder.file("wide.png"))
      let error = try #require(throws: EffectError.self) {
        try EffectRenderer.render(
          Self.frame(), ["\(path):card=\(folder.file("wide.png"))"], times: [.zero],
          policy: .plain)
      }
      let lead = "effect 'a': card: \(folder.file("wide.png")): an image of 40000x1 is larger than"
      #expect(error.description.hasPrefix(lead), "\(error)")
    }
  }
}
