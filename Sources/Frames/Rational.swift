/// An exact fraction, always in lowest terms with a positive denominator: a time in seconds, a
/// frame rate, a time base or an aspect ratio.
///
/// Sums and products that leave 64 bits are rounded to the nearest representable neighbour instead
/// of trapping, because a damaged file may hold any time.
package struct Rational: Hashable, Sendable {
  package let numerator: Int64
  package let denominator: Int64

  package static let zero = Rational(0, 1)
  package static let one = Rational(1, 1)

  package init(_ numerator: Int64, _ denominator: Int64 = 1) {
    precondition(denominator != 0, "a fraction needs a denominator")
    self.init(wide: Int128(numerator), Int128(denominator))
  }

  private init(wide numerator: Int128, _ denominator: Int128) {
    let sign: Int128 = denominator < 0 ? -1 : 1
    let divisor = max(greatestCommonDivisor(numerator.magnitude, denominator.magnitude), 1)
    var top = sign * numerator / Int128(divisor)
    var bottom = sign * denominator / Int128(divisor)
    while top.magnitude > UInt128(Int64.max) || bottom > Int128(Int64.max) {
      top = (top + top.signum()) / 2
      bottom = max((bottom + 1) / 2, 1)
      if bottom == 1, top.magnitude > UInt128(Int64.max) {
        top = top < 0 ? -Int128(Int64.max) : Int128(Int64.max)
      }
    }
    self.numerator = Int64(top)
    self.denominator = Int64(bottom)
  }

  /// The nearest multiple of `1/ticksPerSecond` to a decimal number of seconds.
  package init(seconds: Double, ticksPerSecond: Int64 = 1_000_000) {
    let ticks = (seconds * Double(ticksPerSecond)).rounded()
    let limit = 9.0e18
    self.init(Int64(min(max(ticks.isNaN ? 0 : ticks, -limit), limit)), ticksPerSecond)
  }

  package var doubleValue: Double { Double(numerator) / Double(denominator) }

  package var reciprocal: Rational {
    precondition(numerator != 0, "zero has no reciprocal")
    return Rational(denominator, numerator)
  }

  /// This time as a whole number of ticks of `timeBase` seconds, rounded to the nearest (halves
  /// away from zero).
  package func ticks(timeBase: Rational) -> Int64 {
    let top = Int128(numerator) * Int128(timeBase.denominator)
    let bottom = Int128(denominator) * Int128(timeBase.numerator)
    let half = bottom / 2
    let rounded = (top >= 0 ? top + half : top - half) / bottom
    return Int64(clamping: rounded)
  }

  /// The greatest whole number not above this fraction.
  package var floor: Int64 {
    let quotient = numerator / denominator
    return numerator % denominator < 0 ? quotient - 1 : quotient
  }

  package static func + (a: Rational, b: Rational) -> Rational {
    Rational(
      wide: Int128(a.numerator) * Int128(b.denominator)
        + Int128(b.numerator) * Int128(a.denominator),
      Int128(a.denominator) * Int128(b.denominator))
  }

  package static prefix func - (a: Rational) -> Rational {
    Rational(wide: -Int128(a.numerator), Int128(a.denominator))
  }

  package static func - (a: Rational, b: Rational) -> Rational { a + -b }

  package static func * (a: Rational, b: Rational) -> Rational {
    Rational(
      wide: Int128(a.numerator) * Int128(b.numerator),
      Int128(a.denominator) * Int128(b.denominator))
  }

  package static func / (a: Rational, b: Rational) -> Rational { a * b.reciprocal }
}

extension Rational: Comparable {
  package static func < (a: Rational, b: Rational) -> Bool {
    Int128(a.numerator) * Int128(b.denominator) < Int128(b.numerator) * Int128(a.denominator)
  }
}

extension Rational: CustomStringConvertible {
  package var description: String {
    denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
  }
}

private func greatestCommonDivisor(_ a: UInt128, _ b: UInt128) -> UInt128 {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return a
}
