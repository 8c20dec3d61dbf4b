import Frames
import Testing

/// All suites that render share one device, whose queue is one thread's.
@Suite("Effects on the device", .serialized)
enum EffectsOnDevice {}

extension EffectsOnDevice {
  @Suite("Pixels of effects")
  struct EffectPixelTests {
    @Test(
      "separateRGB is its definition bit for bit",
      arguments: [(1, 1), (3, 5), (64, 48), (641, 361)], [0.0, 1, 3, 10])
    func separateRGB(size: (Int, Int), amount: Double) throws {
      let picture = RGBAPicture.reference(width: size.0, height: size.1)
      let times = [
        Rational.zero, Rational(1, 25), Rational(1, 2), Rational(3, 2), Rational(37, 10),
        Rational(100), Rational(3600),
      ]
      let results = try EffectRenderer.render(
        picture, ["separateRGB:amount=\(amount)"], times: times)
      let reference = SeparateRGBReference(amount: amount)
      for (time, result) in zip(times, results) {
        #expect(
          result == reference.apply(to: picture, time: time.doubleValue), "at \(time) s")
      }
    }

    @Test("The times of the tests move red to all four sides")
    func offsetsOfBothSigns() {
      let reference = SeparateRGBReference(amount: 3)
      let offsets = [0.0, 0.04, 0.5, 1.5, 3.7, 100, 3600].map {
        reference.offsets(time: $0, width: 641, height: 361).red
      }
      #expect(offsets.contains { $0.x > 0 } && offsets.contains { $0.x < 0 })
      #expect(offsets.contains { $0.y > 0 } && offsets.contains { $0.y < 0 })
    }

    @Test("mix blends with the input, and 0 leaves it untouched")
    func mix() throws {
      let picture = RGBAPicture.reference(width: 64, height: 48)
      let half = try EffectRenderer.render(
        picture, ["separateRGB:amount=3,mix=0.5"], time: Rational(3, 2))
      let whole = SeparateRGBReference(amount: 3).apply(to: picture, time: 1.5)
      for (index, byte) in half.bytes.enumerated() {
        let mean = (Double(whole.bytes[index]) + Double(picture.bytes[index])) / 2
        #expect(abs(Double(byte) - mean) <= 0.75)
      }
      #expect(
        try EffectRenderer.render(
          picture, ["separateRGB:amount=3,mix=0"], time: Rational(3, 2)) == picture)
    }

    @Test("from and to bound the time in which an effect acts")
    func window() throws {
      let picture = RGBAPicture.reference(width: 64, height: 48)
      let times = [Rational(99, 100), Rational(1), Rational(199, 100), Rational(2)]
      let results = try EffectRenderer.render(
        picture, ["separateRGB:amount=3,from=1,to=2"], times: times)
      #expect(results.map { $0 == picture } == [true, false, false, true])
    }

    @Test("A chain acts in the order typed")
    func chain() throws {
      let picture = RGBAPicture.reference(width: 64, height: 48)
      let (split, blur) = ("separateRGB:amount=5", "vignette:amount=1,radius=0.2")
      let time = Rational(3, 2)
      let both = try EffectRenderer.render(picture, [split, blur], time: time)
      let first = try EffectRenderer.render(picture, [split], time: time)
      #expect(try EffectRenderer.render(first, [blur], time: time).isNear(both, within: 1))
      #expect(try EffectRenderer.render(picture, [blur, split], time: time) != both)
    }

    @Test(
      "boxBlur is the mean of the square about each pixel",
      arguments: [(1, 1), (3, 5), (64, 48), (37, 19)], [0, 1, 4, 24])
    func boxBlur(size: (Int, Int), radius: Int) throws {
      let picture = RGBAPicture.reference(width: size.0, height: size.1)
      let result = try EffectRenderer.render(
        picture, ["boxBlur:radius=\(radius)"], time: .zero)
      let expected = RGBAPicture(width: size.0, height: size.1) { x, y in
        func mean(_ channel: Int) -> UInt8 {
          var sum = 0
          for dy in -radius...radius {
            for dx in -radius...radius {
              sum += Int(picture.channel(channel, x: x + dx, y: y + dy))
            }
          }
          let count = (2 * radius + 1) * (2 * radius + 1)
          return UInt8((sum + count / 2) / count)
        }
        return (mean(0), mean(1), mean(2), mean(3))
      }
      #expect(result.isNear(expected, within: 1))
    }

    @Test("vignette leaves the centre and darkens the corners")
    func vignette() throws {
      let picture = RGBAPicture(width: 64, height: 48) { _, _ in (200, 100, 50, 255) }
      let result = try EffectRenderer.render(
        picture, ["vignette:amount=1,radius=0.1,softness=0.2"], time: .zero)
      #expect(result.channel(0, x: 32, y: 24) == 200)
      for (x, y) in [(0, 0), (63, 0), (0, 47), (63, 47)] {
        #expect(result.channel(0, x: x, y: y) == 0)
      }
    }

    @Test("The same frame is the same bytes in either slot and in any order")
    func determinism() throws {
      let picture = RGBAPicture.reference(width: 64, height: 48)
      let effects = ["separateRGB", "boxBlur", "vignette"]
      let (a, b) = (Rational(1, 2), Rational(3, 2))
      let results = try EffectRenderer.render(picture, effects, times: [a, b, b, a])
      #expect(results[0] == results[3])
      #expect(results[1] == results[2])
      #expect(results[0] != results[1])
    }
  }
}
