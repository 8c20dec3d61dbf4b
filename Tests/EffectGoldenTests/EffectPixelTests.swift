import EffectLab
import Frames
import TestDevice
import Testing

/// The parent of all suites that render: they share one device.
@Suite("Effects on the device", .besideOthers)
enum EffectsOnDevice {}

extension EffectsOnDevice {
  @Suite("Pixels of effects")
  struct EffectPixelTests {
    @Test(
      "separateRGB equals its definition bit for bit",
      arguments: [(1, 1), (3, 5), (64, 48), (641, 361)], [0.0, 1, 3, 10])
    func separateRGB(size: (Int, Int), amount: Double) throws {
      let picture = RGBAImage.translucent(width: size.0, height: size.1)
      let times = [
        Rational.zero, Rational(1, 25), Rational(1, 2), Rational(3, 2), Rational(37, 10),
        Rational(100), Rational(3600),
      ]
      let results = try EffectRenderer.render(
        picture, ["separateRGB:amount=\(amount)"], times: times)
      let reference = SeparateRGBReference(amount: amount)
      for (time, result) in zip(times, results) {
        expect(result, is: reference.apply(to: picture, time: time.doubleValue), "at \(time) s")
      }
    }

    @Test("The reference has the offsets that were computed separately with 60 digits")
    func offsets() {
      // Computed with mpmath for 641x361 at amount 3: red x and y, green x and y; both signs on both
      // axes.
      let known: [(time: Double, offsets: [Int])] = [
        (0, [-49, 9, 48, -10]), (0.04, [-30, 7, 29, -8]), (0.5, [35, 0, -36, -1]),
        (1.5, [14, 9, -15, -10]), (3.7, [19, -9, -20, 8]), (100, [-44, -2, 43, 1]),
        (3600, [-1, 3, 0, -4]),
      ]
      for (time, offsets) in known {
        let (red, green) = SeparateRGBReference(amount: 3).offsets(
          time: time, width: 641, height: 361)
        #expect([red.x, red.y, green.x, green.y] == offsets, "at \(time) s")
      }
    }

    @Test("separateRGB with amount 0 changes only alpha, which becomes opaque")
    func amountOfZero() throws {
      let picture = RGBAImage.translucent(width: 64, height: 48)
      let opaque = RGBAImage(width: 64, height: 48) { x, y in
        let parts = picture.parts(x: x, y: y)
        return (parts[0], parts[1], parts[2], 255)
      }
      for time in [Rational.zero, Rational(37, 10), Rational(3600)] {
        let result = try EffectRenderer.render(picture, ["separateRGB:amount=0"], time: time)
        expect(result, is: opaque)
      }
    }

    @Test("mix blends all components with the input, and mix 0 leaves the input unchanged")
    func mix() throws {
      let picture = RGBAImage.translucent(width: 64, height: 48)
      let whole = SeparateRGBReference(amount: 3).apply(to: picture, time: 1.5)
      for mix in [0.5, 0.25] {
        let result = try EffectRenderer.render(
          picture, ["separateRGB:amount=3,mix=\(mix)"], time: Rational(3, 2))
        let expected = RGBAImage(width: 64, height: 48) { x, y in
          let parts = zip(whole.parts(x: x, y: y), picture.parts(x: x, y: y)).map {
            UInt8((Double($0) * mix + Double($1) * (1 - mix)).rounded())
          }
          return (parts[0], parts[1], parts[2], parts[3])
        }
        expect(result, is: expected, within: 1, "mix \(mix)")
      }
      let none = try EffectRenderer.render(
        picture, ["separateRGB:amount=3,mix=0"], time: Rational(3, 2))
      expect(none, is: picture, "mix 0")
    }

    @Test("An effect acts from the time of from until before the time of to")
    func window() throws {
      let picture = RGBAImage.translucent(width: 64, height: 48)
      let times = [Rational.zero, Rational(99, 100), .one, Rational(199, 100), Rational(2)]
      let reference = SeparateRGBReference(amount: 3)
      for (window, acts) in [
        ("from=1,to=2", [false, false, true, true, false]),
        ("from=1", [false, false, true, true, true]), ("to=1", [true, true, false, false, false]),
      ] {
        let results = try EffectRenderer.render(
          picture, ["separateRGB:amount=3,\(window)"], times: times)
        for ((time, acts), result) in zip(zip(times, acts), results) {
          let expected =
            acts ? reference.apply(to: picture, time: time.doubleValue) : picture
          expect(result, is: expected, "\(window) at \(time) s")
        }
      }
    }

    @Test("A chain acts in the typed order, each effect on the result of the one before")
    func chain() throws {
      let picture = RGBAImage.reference(width: 53, height: 39)
      let (split, blur) = ("separateRGB:amount=5", "boxBlur:amount=\(2.5 / 39)")
      let reference = SeparateRGBReference(amount: 5)
      let splitFirst = try EffectRenderer.render(picture, [split, blur], time: Rational(3, 2))
      let blurFirst = try EffectRenderer.render(picture, [blur, split], time: Rational(3, 2))
      let blurred = BoxBlurReference(side: 5)
      expect(
        splitFirst, is: blurred.apply(to: reference.apply(to: picture, time: 1.5)), within: 1)
      expect(blurFirst, is: reference.apply(to: blurred.apply(to: picture), time: 1.5), within: 1)
      // Reads clamped at the edges make the two orders differ.
      #expect(try #require(ImageDifference(splitFirst, blurFirst)).maximum > 16)
    }

    @Test("An effect twice in a chain acts twice, each time with its own parameters")
    func twice() throws {
      let picture = RGBAImage.reference(width: 53, height: 39)
      let (three, five) = (SeparateRGBReference(amount: 3), SeparateRGBReference(amount: 5))
      let result = try EffectRenderer.render(
        picture, ["separateRGB:amount=3", "separateRGB:amount=5"], time: .zero)
      expect(result, is: five.apply(to: three.apply(to: picture, time: 0), time: 0))
    }

    @Test(
      "boxBlur is the mean of the square around each pixel, and nearly that with cells",
      arguments: [(1, 1), (3, 5), (64, 48), (37, 19), (1, 40), (50, 1)] as [(Int, Int)],
      [0, 0.01, 0.05, 0.052, 0.094, 0.125, 0.25, 0.5] as [Double])
    func boxBlur(size: (Int, Int), amount: Double) throws {
      let picture = RGBAImage.translucent(width: size.0, height: size.1)
      let result = try EffectRenderer.render(
        picture, ["boxBlur:amount=\(amount)"], time: .zero)
      let reference = BoxBlurReference(amount: amount, width: size.0, height: size.1)
      let isExact = reference.side < 13
      expect(
        result, is: reference.apply(to: picture),
        within: reference.side == 1 ? 0 : isExact ? 1 : 12)
    }

    @Test(
      "A frame gives the same bytes in each slot, in any order, and in flight with other frames")
    func determinism() throws {
      let picture = RGBAImage.reference(width: 64, height: 48)
      let effects = ["separateRGB:amount=3", "boxBlur", "vignette"]
      let (a, b, c) = (Rational(1, 2), Rational(3, 2), Rational(37, 10))
      let once = try [a, b, c].map { try EffectRenderer.render(picture, effects, time: $0) }
      #expect(once[0] != once[1] && once[1] != once[2] && once[0] != once[2])
      for order in [[0, 1, 2, 2, 1, 0], [2, 0, 1, 0, 2, 1], [1, 1, 0, 2, 0, 2]] {
        let times = order.map { [a, b, c][$0] }
        let results = try EffectRenderer.render(picture, effects, times: times)
        for (index, result) in zip(order, results) {
          expect(result, is: once[index], "\(order)")
        }
      }
    }
  }
}
