import Testing

@testable import Frames

@Suite("Rational")
struct RationalTests {
  @Test("a fraction is in lowest terms with a positive denominator")
  func lowestTerms() {
    for (numerator, denominator, top, bottom) in [
      (2, 4, 1, 2), (-2, 4, -1, 2), (2, -4, -1, 2), (-2, -4, 1, 2), (0, 7, 0, 1), (0, -7, 0, 1),
      (60000, 2002, 30000, 1001), (7, 1, 7, 1),
    ] as [(Int64, Int64, Int64, Int64)] {
      let value = Rational(numerator, denominator)
      #expect(value.numerator == top && value.denominator == bottom)
      #expect(value == Rational(top, bottom))
    }
  }

  @Test(
    "sums, differences, products and quotients are exact",
    arguments: [
      (Rational(1, 2), Rational(1, 3)), (Rational(-1001, 30000), Rational(1, 90000)),
      (Rational(5), Rational(-7, 9)), (Rational(0), Rational(3, 4)),
    ])
  func arithmetic(a: Rational, b: Rational) {
    let (an, ad, bn, bd) = (a.numerator, a.denominator, b.numerator, b.denominator)
    #expect(a + b == Rational(an * bd + bn * ad, ad * bd))
    #expect(a - b == Rational(an * bd - bn * ad, ad * bd))
    #expect(a * b == Rational(an * bn, ad * bd))
    #expect(a / b == Rational(an * bd, ad * bn))
    #expect(a + b - b == a)
    #expect(-(-a) == a)
  }

  @Test("comparison is by value, also where a cross product exceeds 64 bits")
  func comparison() {
    #expect(Rational(1, 3) < Rational(1, 2))
    #expect(Rational(-1, 2) < Rational(-1, 3))
    #expect(Rational(Int64.max - 1, Int64.max) < Rational(1))
    #expect(Rational(Int64.max - 2, Int64.max - 1) < Rational(Int64.max - 1, Int64.max))
    #expect(!(Rational(2, 4) < Rational(1, 2)))
  }

  @Test("overflow gives the largest number instead of a trap")
  func saturation() {
    let most = Rational(Int64.max)
    #expect(most + .one == most)
    #expect(most + most == most)
    #expect(most * most == most)
    #expect(-most - most == -most)
    #expect(Rational(Int64.min) == -most)
    #expect(most + Rational(5) == most)
    #expect(Rational(1, Int64.max) * Rational(1, Int64.max) == .zero)
  }

  @Test("a result that needs more than 64 bits becomes the nearest fraction, in lowest terms")
  func nearest() {
    // 2^64 / 3 has only integers near it.
    let big = Rational(1 << 62, 3) * Rational(4)
    #expect(big == Rational(6_148_914_691_236_517_205))
    let small = Rational(3, 1 << 62) / Rational(4)
    #expect(abs(small.doubleValue / (3 / 0x1p64) - 1) < 1e-15)
    let sum = Rational(1, Int64.max) + Rational(1, Int64.max - 1)
    #expect(abs(sum.doubleValue / 0x1p-62 - 1) < 1e-15)
    let odd = Rational(Int64.max, 3) * Rational(3, Int64.max - 2) * Rational(7, 5)
    #expect(abs(odd.doubleValue - 1.4) < 1e-15)
    #expect(odd == Rational(odd.numerator, odd.denominator))
  }

  @Test("ticks are rounded to the nearest, halves away from zero")
  func ticks() {
    for (time, base, ticks) in [
      (Rational(1, 2), Rational(1), 1), (Rational(-1, 2), Rational(1), -1),
      (Rational(1, 3), Rational(1), 0), (Rational(2, 3), Rational(1), 1),
      (Rational(-2, 3), Rational(1), -1), (Rational(3, 2), Rational(1), 2),
      (Rational(1001, 30000), Rational(1, 90000), 3003),
      (Rational(1001, 30000), Rational(1, 1000), 33),
      (Rational(100 * 1001, 30000), Rational(1, 1000), 3337),
      (Rational(1001, 30000), Rational(1001, 30000), 1),
      (Rational(Int64.max), Rational(1, 1000), Int64.max),
      (Rational(-Int64.max), Rational(1, 1000), Int64.min),
    ] as [(Rational, Rational, Int64)] {
      #expect(time.ticks(timeBase: base) == ticks, "\(time) in \(base)")
    }
  }

  @Test("in an hour at 29.97 fps in microseconds no frames share a tick, and none drifts")
  func ntsc() {
    var previous: Int64 = -1
    for frame in stride(from: Int64(0), to: 108_000, by: 7) {
      let time = Rational(frame) * Rational(1001, 30000)
      let ticks = time.ticks(timeBase: Rational(1, 1_000_000))
      #expect(abs(Double(ticks) - Double(frame) * 1001e6 / 30000) <= 0.5)
      #expect(ticks > previous)
      previous = ticks
    }
  }

  @Test("any Double is accepted as seconds")
  func seconds() {
    #expect(Rational(seconds: 1.5) == Rational(3, 2))
    #expect(Rational(seconds: -0.1) == Rational(-1, 10))
    #expect(Rational(seconds: 1.0 / 3) == Rational(333_333, 1_000_000))
    #expect(Rational(seconds: .nan) == .zero)
    #expect(Rational(seconds: .infinity) > Rational(1_000_000_000))
    #expect(Rational(seconds: -.infinity) < Rational(-1_000_000_000))
    #expect(Rational(seconds: 0.5, ticksPerSecond: 1) == .one)
  }

  @Test("floor rounds toward minus infinity, and ceiling toward plus infinity")
  func floors() {
    for (value, floor) in [
      (Rational(7, 2), 3), (Rational(-7, 2), -4), (Rational(4), 4), (Rational(-4), -4),
      (Rational(-1, 3), -1), (.zero, 0),
    ] as [(Rational, Int64)] {
      #expect(value.floor == floor)
      #expect((-value).ceiling == -floor)
    }
  }

  @Test("the text is a fraction, or an integer where it is whole")
  func text() {
    #expect("\(Rational(30000, 1001)) \(Rational(25)) \(Rational(-1, 2))" == "30000/1001 25 -1/2")
    #expect(Rational(-2, 3).reciprocal == Rational(-3, 2))
  }

  @Test(
    "two decimals are rounded, with the sign in front",
    arguments: [
      (Rational(1, 3), "0.33"), (Rational(2), "2.00"), (Rational(-1, 20), "-0.05"),
      (Rational(-5, 4), "-1.25"), (Rational(1999, 1000), "2.00"), (Rational(-1, 1000), "0.00"),
    ])
  func twoDecimals(_ number: Rational, _ text: String) { #expect(number.twoDecimals == text) }
}
