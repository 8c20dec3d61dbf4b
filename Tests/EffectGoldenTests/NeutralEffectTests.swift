import EffectLab
import Frames
import Testing

extension EffectsOnDevice {
  @Suite("What effects leave unchanged")
  struct NeutralEffectTests {
    @Test(
      "With neutral values an effect changes nothing, at any size",
      arguments: [
        "colorAdjust", "directionalBlur:amount=0", "lensDistortion:k1=0", "ripple:amplitude=0",
        "sepia:amount=0,fade=0", "skinSmooth:amount=0", "swirl:angle=0", "tiltShift:blur=0,vivid=0",
        "zoomBlur:amount=0",
      ], [(1, 1), (53, 39), (20, 61)])
    func identity(use: String, size: (Int, Int)) throws {
      let picture = RGBAImage.translucent(width: size.0, height: size.1)
      let result = try EffectRenderer.render(picture, [use], time: Rational(3, 2))
      // Interpolation between pixels rounds; the other effects are exact.
      let isFiltered = ["lensDistortion", "ripple"].contains { use.hasPrefix($0) }
      expect(result, is: picture, within: isFiltered ? 1 : 0, use)
    }

    @Test(
      "Colour effects keep alpha bit for bit",
      arguments: [
        "colorAdjust:exposure=1,contrast=1", "duotone", "invert", "invert:keepHue=1", "nightVision",
        "sepia", "skinSmooth:skinOnly=0,radius=0.04,edges=0.5", "thermal",
      ])
    func alpha(use: String) throws {
      let picture = RGBAImage.translucent(width: 53, height: 39)
      let result = try EffectRenderer.render(picture, [use], time: Rational(3, 2))
      #expect(result != picture)
      for index in stride(from: 3, to: picture.bytes.count, by: 4) {
        guard result.bytes[index] == picture.bytes[index] else {
          Issue.record("alpha of pixel \(index / 4) differs")
          break
        }
      }
    }

    @Test("mirror moves whole pixels, also on odd sides", arguments: [(1, 1), (53, 39), (20, 60)])
    func mirror(size: (Int, Int)) throws {
      let (width, height) = size
      let picture = RGBAImage.translucent(width: width, height: height)
      for (keep, column, row) in [
        ("left", min, nil), ("right", max, nil), ("top", nil, min), ("bottom-right", max, max),
      ] as [(String, ((Int, Int) -> Int)?, ((Int, Int) -> Int)?)] {
        let result = try EffectRenderer.render(picture, ["mirror:keep=\(keep)"], time: .zero)
        let expected = RGBAImage(width: width, height: height) { x, y in
          let parts = picture.parts(
            x: column?(x, width - 1 - x) ?? x, y: row?(y, height - 1 - y) ?? y)
          return (parts[0], parts[1], parts[2], parts[3])
        }
        expect(result, is: expected, keep)
      }
    }
  }
}
