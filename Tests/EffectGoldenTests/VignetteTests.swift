import EffectLab
import Frames
import Testing

extension EffectsOnDevice {
  @Suite("vignette")
  struct VignetteTests {
    @Test("vignette keeps the centre bit for bit and gives the corners the tint")
    func centreAndCorners() throws {
      let picture = RGBAImage(width: 64, height: 48) { _, _ in (200, 100, 50, 90) }
      for (tint, corner) in [("000000", [0, 0, 0, 90]), ("0a64ff", [10, 100, 255, 90])] {
        let result = try EffectRenderer.render(
          picture, ["vignette:amount=1,radius=0.1,softness=0.2,tint=\(tint)"], time: .zero)
        for (x, y) in [(31, 23), (32, 23), (31, 24), (32, 24)] {
          #expect(result.parts(x: x, y: y) == [200, 100, 50, 90])
        }
        for (x, y) in [(0, 0), (63, 0), (0, 47), (63, 47)] {
          #expect(result.parts(x: x, y: y).map(Int.init) == corner)
        }
      }
    }

    @Test("amount 0 and a transparent tint change nothing")
    func nothing() throws {
      let picture = RGBAImage.translucent(width: 53, height: 39)
      for parameters in ["amount=0", "tint=ff000000"] {
        let result = try EffectRenderer.render(picture, ["vignette:\(parameters)"], time: .zero)
        expect(result, is: picture, parameters)
      }
    }

    @Test("vignette is the same mirrored and upside down, for any aspect ratio")
    func symmetry() throws {
      for (width, height) in [(64, 48), (33, 65), (5, 5)] {
        let picture = RGBAImage(width: width, height: height) { _, _ in (250, 250, 250, 255) }
        let result = try EffectRenderer.render(picture, ["vignette"], time: .zero)
        let mirrored = RGBAImage(width: width, height: height) { x, y in
          let value = result.channel(0, x: width - 1 - x, y: y)
          return (value, value, value, 255)
        }
        let upsideDown = RGBAImage(width: width, height: height) { x, y in
          let value = result.channel(0, x: x, y: height - 1 - y)
          return (value, value, value, 255)
        }
        #expect(result != picture)
        expect(result, is: mirrored, within: 1, "mirrored")
        expect(result, is: upsideDown, within: 1, "upside down")
      }
    }

    @Test(
      "vignette equals its formula: lengths in parts of the shorter side, from the given centre",
      arguments: [(64, 48), (33, 65), (3, 5)])
    func formula(size: (Int, Int)) throws {
      let (width, height) = size
      let picture = RGBAImage.translucent(width: width, height: height)
      let result = try EffectRenderer.render(
        picture,
        ["vignette:amount=0.8,radius=0.2,softness=0.5,center=0.25/0.75,tint=1/0.5/0/0.5"],
        time: .zero)
      let expected = RGBAImage(width: width, height: height) { x, y in
        let across = Double(x) + 0.5 - 0.25 * Double(width)
        let down = Double(y) + 0.5 - 0.75 * Double(height)
        let distance = (across * across + down * down).squareRoot() / Double(min(width, height))
        let rise = min(max((distance - 0.2) / 0.5, 0), 1)
        let weight = 0.8 * 0.5 * rise * rise * (3 - 2 * rise)
        let parts = picture.parts(x: x, y: y)
        func blended(_ index: Int, with tint: Double) -> UInt8 {
          UInt8((Double(parts[index]) * (1 - weight) + tint * weight).rounded())
        }
        return (
          blended(0, with: 255), blended(1, with: 127.5), blended(2, with: 0), parts[3]
        )
      }
      expect(result, is: expected, within: 1)
    }
  }
}
