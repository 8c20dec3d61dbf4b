import EffectLab
import Frames
import TestSupport
import Testing

extension EffectsOnDevice {
  @Suite("blend")
  struct BlendModeTests {
    /// A blend mode of W3C's Compositing and Blending, or of the same kind, for one component of each picture.
    struct Mode: Sendable, CustomStringConvertible {
      let name: String
      let formula: @Sendable (_ back: Double, _ front: Double) -> Double

      var description: String { name }
    }

    private static func hardLight(_ back: Double, _ front: Double) -> Double {
      let twice = 2 * front
      return front <= 0.5 ? back * twice : back + (twice - 1) - back * (twice - 1)
    }

    private static func dodge(_ back: Double, _ front: Double) -> Double {
      if back <= 0 { return 0 }
      return front >= 1 ? 1 : min(1, back / (1 - front))
    }

    private static func burn(_ back: Double, _ front: Double) -> Double {
      if back >= 1 { return 1 }
      return front <= 0 ? 0 : 1 - min(1, (1 - back) / front)
    }

    private static func softLight(_ back: Double, _ front: Double) -> Double {
      if front <= 0.5 { return back - (1 - 2 * front) * back * (1 - back) }
      let curve = back <= 0.25 ? ((16 * back - 12) * back + 4) * back : back.squareRoot()
      return back + (2 * front - 1) * (curve - back)
    }

    static let modes: [Mode] = [
      Mode(name: "normal") { _, front in front },
      Mode(name: "multiply") { back, front in back * front },
      Mode(name: "screen") { back, front in back + front - back * front },
      Mode(name: "overlay") { back, front in hardLight(front, back) },
      Mode(name: "softLight") { back, front in softLight(back, front) },
      Mode(name: "hardLight") { back, front in hardLight(back, front) },
      Mode(name: "dodge") { back, front in dodge(back, front) },
      Mode(name: "burn") { back, front in burn(back, front) },
      Mode(name: "darken") { back, front in min(back, front) },
      Mode(name: "lighten") { back, front in max(back, front) },
      Mode(name: "difference") { back, front in abs(back - front) },
      Mode(name: "exclusion") { back, front in back + front - 2 * back * front },
      Mode(name: "add") { back, front in back + front },
      Mode(name: "subtract") { back, front in back - front },
      Mode(name: "linearBurn") { back, front in back + front - 1 },
      Mode(name: "linearLight") { back, front in back + 2 * front - 1 },
      Mode(name: "vividLight") { back, front in
        front <= 0.5 ? burn(back, 2 * front) : dodge(back, 2 * front - 1)
      },
      Mode(name: "pinLight") { back, front in
        front <= 0.5 ? min(back, 2 * front) : max(back, 2 * front - 1)
      },
    ]

    private static func code(_ value: Double) -> UInt8 {
      UInt8((min(max(value, 0), 1) * 255).rounded())
    }

    /// Every sixteenth code under every sixteenth code, and both ends of each.
    private static let side = 17
    private static func level(_ number: Int) -> UInt8 { UInt8(min(number * 16, 255)) }
    private static func back() -> RGBAImage {
      RGBAImage(width: side, height: side) { x, _ in (level(x), level(x), 255 - level(x), 255) }
    }
    private static func front() -> RGBAImage {
      RGBAImage(width: side, height: side) { _, y in (level(y), 255 - level(y), level(y), 255) }
    }

    @Test("Each mode of one component equals its formula", arguments: modes)
    func separable(mode: Mode) throws {
      let folder = try TemporaryFolder()
      try PlainImage.write(Self.front(), to: folder.file("front.png"))
      let back = Self.back()
      let front = Self.front()
      let result = try EffectRenderer.render(
        back, ["blend:image=\(folder.file("front.png")),mode=\(mode.name)"], time: .zero)
      let expected = RGBAImage(width: Self.side, height: Self.side) { x, y in
        let under = back.parts(x: x, y: y).map { Double($0) / 255 }
        let over = front.parts(x: x, y: y).map { Double($0) / 255 }
        let codes = (0..<3).map { Self.code(mode.formula(under[$0], over[$0])) }
        return (codes[0], codes[1], codes[2], 255)
      }
      expect(result, is: expected, within: 1, mode.name)
    }

    private static func lightness(_ color: [Double]) -> Double {
      0.3 * color[0] + 0.59 * color[1] + 0.11 * color[2]
    }

    private static func saturation(_ color: [Double]) -> Double {
      max(color[0], color[1], color[2]) - min(color[0], color[1], color[2])
    }

    /// SetLum of the specification, with its ClipColor.
    private static func lit(_ color: [Double], as target: Double) -> [Double] {
      let shift = target - lightness(color)
      var result = color.map { $0 + shift }
      let least = min(result[0], result[1], result[2])
      if least < 0 { result = result.map { target + (($0 - target) * target) / (target - least) } }
      let most = max(result[0], result[1], result[2])
      if most > 1 {
        result = result.map { target + (($0 - target) * (1 - target)) / (most - target) }
      }
      return result
    }

    /// SetSat of the specification.
    private static func saturated(_ color: [Double], as target: Double) -> [Double] {
      let own = saturation(color)
      let least = min(color[0], color[1], color[2])
      return color.map { own > 0 ? ($0 - least) / own * target : 0 }
    }

    @Test(
      "The modes of hue, saturation, colour and luminosity equal their formulas",
      arguments: ["hue", "saturation", "color", "luminosity"])
    func ofColors(mode: String) throws {
      let folder = try TemporaryFolder()
      try PlainImage.write(Self.front(), to: folder.file("front.png"))
      let back = Self.back()
      let front = Self.front()
      let result = try EffectRenderer.render(
        back, ["blend:image=\(folder.file("front.png")),mode=\(mode)"], time: .zero)
      let expected = RGBAImage(width: Self.side, height: Self.side) { x, y in
        let under = back.parts(x: x, y: y).prefix(3).map { Double($0) / 255 }
        let over = front.parts(x: x, y: y).prefix(3).map { Double($0) / 255 }
        let blended =
          switch mode {
          case "hue":
            Self.lit(
              Self.saturated(over, as: Self.saturation(under)), as: Self.lightness(under))
          case "saturation":
            Self.lit(
              Self.saturated(under, as: Self.saturation(over)), as: Self.lightness(under))
          case "color": Self.lit(over, as: Self.lightness(under))
          default: Self.lit(under, as: Self.lightness(over))
          }
        let codes = blended.map(Self.code)
        return (codes[0], codes[1], codes[2], 255)
      }
      expect(result, is: expected, within: 1, mode)
    }

    @Test("amount 0 changes nothing, and a transparent frame shows the image itself")
    func transparency() throws {
      let folder = try TemporaryFolder()
      try PlainImage.write(Self.front(), to: folder.file("front.png"))
      let path = folder.file("front.png")
      let none = try EffectRenderer.render(
        Self.back(), ["blend:image=\(path),mode=multiply,amount=0"], time: .zero)
      expect(none, is: Self.back())
      let empty = RGBAImage(width: Self.side, height: Self.side) { _, _ in (255, 0, 255, 0) }
      let alone = try EffectRenderer.render(
        empty, ["blend:image=\(path),mode=multiply"], time: .zero)
      expect(alone, is: Self.front(), within: 1)
    }
  }
}
