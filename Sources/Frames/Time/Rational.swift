/// An exact fraction, always in lowest terms with a positive denominator: a time in seconds, a
/// frame rate, a time base or an aspect ratio.
///
/// Sums and products that overflow 64 bits are rounded to the nearest representable fraction instead
/// of trapping, because a damaged file may hold any timestamp.
public struct Rational: Hashable, Sendable {
  public let numerator: Int64
  public let denominator: Int64

  public static let zero = Rational(0, 1)
  public static let one = Rational(1, 1)

  public init(_ numerator: Int64, _ denominator: Int64 = 1) {
    precondition(denominator != 0, "a fraction needs a denominator")
    self.init(wide: Int128(numerator), Int128(denominator))
  }

  private init(wide numerator: Int128, _ denominator: Int128) {
    let isNegative = (numerator < 0) != (denominator < 0)
    let nearest = nearestFraction(numerator.magnitude, denominator.magnitude)
    self.numerator = isNegative ? -nearest.numerator : nearest.numerator
    self.denominator = nearest.denominator
  }

  /// Rounds a decimal number of seconds to the nearest multiple of `1/ticksPerSecond`.
  public init(seconds: Double, ticksPerSecond: Int64 = 1_000_000) {
    let ticks = (seconds * Double(ticksPerSecond)).rounded()
    let limit = 9.0e18
    self.init(Int64(min(max(ticks.isNaN ? 0 : ticks, -limit), limit)), ticksPerSecond)
  }

  public var doubleValue: Double { Double(numerator) / Double(denominator) }

  public var reciprocal: Rational {
    precondition(numerator != 0, "zero has no reciprocal")
    return Rational(denominator, numerator)
  }

  /// This time as a whole number of ticks of `timeBase` seconds, rounded to the nearest (halves
  /// away from zero).
  public func ticks(timeBase: Rational) -> Int64 {
    let top = Int128(numerator) * Int128(timeBase.denominator)
    let bottom = Int128(denominator) * Int128(timeBase.numerator)
    let half = bottom / 2
    let rounded = (top >= 0 ? top + half : top - half) / bottom
    return Int64(clamping: rounded)
  }

  /// The greatest whole number not above this fraction.
  public var floor: Int64 {
    let quotient = numerator / denominator
    return numerator % denominator < 0 ? quotient - 1 : quotient
  }

  /// The smallest whole number not below this fraction.
  public var ceiling: Int64 { -(-self).floor }

  public static func + (a: Rational, b: Rational) -> Rational {
    Rational(
      wide: Int128(a.numerator) * Int128(b.denominator)
        + Int128(b.numerator) * Int128(a.denominator),
      Int128(a.denominator) * Int128(b.denominator))
  }

  public static prefix func - (a: Rational) -> Rational {
    Rational(wide: -Int128(a.numerator), Int128(a.denominator))
  }

  public static func - (a: Rational, b: Rational) -> Rational { a + -b }

  public static func * (a: Rational, b: Rational) -> Rational {
    Rational(
      wide: Int128(a.numerator) * Int128(b.numerator),
      Int128(a.denominator) * Int128(b.denominator))
  }

  public static func / (a: Rational, b: Rational) -> Rational { a * b.reciprocal }
}

extension Rational: Comparable {
  public static func < (a: Rational, b: Rational) -> Bool {
    Int128(a.numerator) * Int128(b.denominator) < Int128(b.numerator) * Int128(a.denominator)
  }
}

extension Rational: CustomStringConvertible {
  public var description: String {
    denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
  }
}

/// The fraction in lowest terms with 63-bit parts that is nearest to one with 127-bit parts.
///
/// It uses continued fractions, as FFmpeg's av_reduce does: the last convergent that fits, or the
/// semiconvergent after it if that is nearer. Larger values become the largest number.
private func nearestFraction(
  _ top: UInt128, _ bottom: UInt128
) -> (numerator: Int64, denominator: Int64) {
  let limit = UInt128(Int64.max)
  var (rest, divisor) = (top, bottom)
  var previous: (top: UInt128, bottom: UInt128) = (0, 1)
  var current: (top: UInt128, bottom: UInt128) = (1, 0)
  while divisor != 0 {
    let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: divisor)
    var fitting = quotient
    if current.top > 0 { fitting = min(fitting, (limit - previous.top) / current.top) }
    if current.bottom > 0 { fitting = min(fitting, (limit - previous.bottom) / current.bottom) }
    let next = (
      top: fitting * current.top + previous.top, bottom: fitting * current.bottom + previous.bottom
    )
    if fitting < quotient {
      let isNearer =
        Double(divisor) * (2 * Double(fitting) * Double(current.bottom) + Double(previous.bottom))
        > Double(rest) * Double(current.bottom)
      if isNearer { current = next }
      break
    }
    (previous, current) = (current, next)
    (rest, divisor) = (divisor, remainder)
  }
  return (Int64(current.top), Int64(current.bottom))
}
