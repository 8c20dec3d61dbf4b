import EffectLab
import Frames
import TestSupport
import Testing

extension EffectsOnDevice {
  @Suite("Keyframes in pixels")
  struct KeyframePixelTests {
    private let picture = RGBAImage.reference(width: 96, height: 54)
    private let times = [Rational.zero, .one, Rational(3, 2), Rational(2), Rational(5)]

    private func render(_ effects: String...) throws -> [RGBAImage] {
      try EffectRenderer.render(picture, effects, times: times)
    }

    @Test("A parameter with keyframes gives the same frames as its values")
    func parameter() throws {
      let moving = try render("vignette:amount=0@0..0.5@1..1@2,tint=ff0000@0..0000ff@2~step")
      let still = try [
        ("0", "ff0000"), ("0.5", "ff0000"), ("0.75", "ff0000"), ("1", "0000ff"), ("1", "0000ff"),
      ].enumerated().map { index, value in
        try render("vignette:amount=\(value.0),tint=\(value.1)")[index]
      }
      #expect(moving == still)
    }

    @Test("With a mix of 0 the input comes through, even where the effect is not a number")
    func nothing() throws {
      let folder = try TemporaryFolder()
      let path = try folder.write(
        "vec4 effect(vec2 uv) { return sqrt(framePixel() - 2.0); }\n".utf8, to: "a.comp")
      let faded = path + ":mix=0@1..1@9"
      #expect(try render(faded)[1] == picture)
      #expect(try render("invert", faded)[1] == render("invert")[1])
    }

    @Test("A formula gives the same frames as its values")
    func formula() throws {
      let moving = try render("vignette:amount=time/2,mix=0.5+frame/8")
      let still = try [
        ("0", "0.5"), ("0.5", "0.625"), ("0.75", "0.75"), ("1", "0.875"), ("1", "1"),
      ]
      .enumerated().map { index, value in
        try render("vignette:amount=\(value.0),mix=\(value.1)")[index]
      }
      #expect(moving == still)
    }

    @Test("An effect fades in and out with its mix, alone and in a kernel with another")
    func mix() throws {
      let words = "mix=0@1..1@2~smooth"
      let vignette = "vignette:tint=ff0000"
      let moving = try render("\(vignette),\(words)")
      #expect(moving[0] == picture && moving[1] == picture)
      #expect(try moving[2] == render("\(vignette),mix=0.5")[2])
      #expect(try moving[3] == render("\(vignette),mix=1")[3])
      let chain = try render("separateRGB", "\(vignette),\(words)")
      #expect(try chain[0] == render("separateRGB")[0])
      #expect(try chain[2] == render("separateRGB", "\(vignette),mix=0.5")[2])
      #expect(try chain[4] == render("separateRGB", vignette)[4])
    }
  }
}
