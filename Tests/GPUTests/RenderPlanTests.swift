import Frames
import GPU
import ShaderEffects
import Testing

@testable import Render

@Suite("The plan of a pipeline")
struct LinePlanTests {
  static let light = EffectTraits(hasOwnMain: false, isPerPixel: true, reads: 1, size: 50)
  static let shift = EffectTraits(hasOwnMain: false, isPerPixel: false, reads: 3, size: 80)
  static let wide = EffectTraits(hasOwnMain: false, isPerPixel: false, reads: 64, size: 2000)
  static let whole = EffectTraits(hasOwnMain: true, isPerPixel: false, reads: 16, size: 2000)

  static let alone = EffectTraits(
    hasOwnMain: false, isPerPixel: false, isAlone: true, reads: 1, size: 50)

  static let ending = EffectTraits(
    hasOwnMain: false, isPerPixel: false, isAlone: true, reads: 1, size: 9000,
    lastPass: LastPass(reads: 5, size: 100))

  static let slope = EffectTraits(
    hasOwnMain: false, isPerPixel: false, usesDerivatives: true, reads: 1, size: 50)

  static let cheap = TextureDescriptor(width: 64, height: 48, storage: .images).reader
  static let software = FusionPolicy.best(
    for: DeviceFacts(name: "", kind: .cpu, apiVersion: (1, 3)), pixels: 1)

  /// Returns the steps as words: the effects' indexes, `scale` or `convert`; `!` marks a write to the
  /// sink.
  static func steps(
    _ effects: [EffectTraits], resampling: [Resample] = [], policy: FusionPolicy = software,
    fits: (Range<Int>) -> Bool = { _ in true }
  ) -> [String] {
    RenderPlan(
      reader: cheap, resampling: resampling, effects: effects, policy: policy, fits: fits
    ).steps.map {
      let work =
        switch $0.work {
        case .conversion: "convert"
        case .resample: "scale"
        case .effects(let places): places.map(String.init).joined(separator: "+")
        }
      return work + ($0.writesSink ? "!" : "")
    }
  }

  @Test("effects that read one pixel share a kernel with the one before and with the sink")
  func fused() {
    #expect(Self.steps([]) == ["convert!"])
    #expect(Self.steps([Self.shift]) == ["0!"])
    #expect(Self.steps([Self.light, Self.light, Self.light]) == ["0+1+2!"])
    #expect(Self.steps([Self.shift, Self.light, Self.shift, Self.light]) == ["0+1", "2+3!"])
  }

  @Test("a kernel has only as many effects as the device can bind")
  func limited() {
    func steps(_ effects: [EffectTraits], most: Int) -> [String] {
      Self.steps(effects, fits: { $0.count <= most })
    }
    let five = [Self.shift, Self.light, Self.light, Self.light, Self.light]
    #expect(steps(five, most: 5) == ["0+1+2+3+4!"])
    #expect(steps(five, most: 2) == ["0+1", "2+3", "4!"])
    #expect(steps(five, most: 1) == ["0", "1", "2", "3", "4!"])
    // A single effect is never split; an error of the device comes when the kernel is made.
    #expect(steps([Self.light], most: 0) == ["0!"])
  }

  @Test("an effect that keeps textures shares no kernel and writes a texture")
  func keeping() {
    #expect(Self.steps([Self.alone]) == ["0", "convert!"])
    #expect(Self.steps([Self.light, Self.alone, Self.light]) == ["0", "1", "2!"])
    #expect(Self.steps([Self.alone, Self.alone]) == ["0", "1", "convert!"])
  }

  @Test("a last pass that keeps nothing shares its kernel with what follows")
  func lastPasses() {
    #expect(Self.steps([Self.ending]) == ["0!"])
    #expect(Self.steps([Self.light, Self.ending, Self.light, Self.light]) == ["0", "1+2+3!"])
    #expect(Self.steps([Self.ending, Self.shift]) == ["0", "1!"])
    #expect(Self.steps([Self.ending, Self.light, Self.alone]) == ["0+1", "2", "convert!"])
    #expect(Self.steps([Self.alone, Self.ending]) == ["0", "1!"])
    #expect(Self.steps([Self.ending, Self.light], fits: { $0.count == 1 }) == ["0", "1!"])
    #expect(Self.steps([Self.ending], policy: .plain) == ["convert", "0", "convert!"])
  }

  @Test("a last pass that is large or reads many pixels writes a texture")
  func expensiveLastPasses() {
    func steps(_ lastPass: LastPass) -> [String] {
      let effect = EffectTraits(
        hasOwnMain: false, isPerPixel: false, isAlone: true, reads: 1, size: 9000,
        lastPass: lastPass)
      return Self.steps([effect, Self.light])
    }
    #expect(steps(LastPass(reads: 60, size: 550)) == ["0+1!"])
    #expect(steps(LastPass(reads: 61, size: 550)) == ["0+1", "convert!"])
    #expect(steps(LastPass(reads: 5, size: 551)) == ["0+1", "convert!"])
  }

  @Test("an effect with derivatives begins a kernel that others may join, and it writes a texture")
  func derivatives() {
    #expect(Self.steps([Self.slope]) == ["0", "convert!"])
    #expect(Self.steps([Self.light, Self.slope, Self.light]) == ["0", "1+2", "convert!"])
  }

  @Test("an effect with its own main and a large effect write a texture")
  func apart() {
    #expect(Self.steps([Self.whole]) == ["0", "convert!"])
    #expect(Self.steps([Self.light, Self.whole, Self.light]) == ["0", "1", "2!"])
    #expect(Self.steps([Self.wide]) == ["0", "convert!"])
  }

  @Test("the plain policy has a kernel for each step")
  func plain() {
    #expect(Self.steps([], policy: .plain) == ["convert", "convert!"])
    #expect(
      Self.steps([Self.light, Self.light], policy: .plain) == ["convert", "0", "1", "convert!"])
  }

  @Test("scaling comes before the effects")
  func scaled() {
    let geometry = {
      var geometry = FrameGeometry(source: TestFormats.small)
      (geometry.width, geometry.height) = (32, 24)
      return geometry
    }()
    let passes = Resample.passes(of: TestFormats.small, geometry: geometry)
    #expect(Self.steps([Self.light], resampling: passes) == ["scale", "scale", "scale", "0!"])
  }
}

private enum TestFormats {
  static let small = FrameFormat(width: 64, height: 48, pixelFormat: .rgba, color: .sRGB)
}
