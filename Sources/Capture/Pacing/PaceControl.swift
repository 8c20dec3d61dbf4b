public import Frames
import Synchronization

/// How fast sources that are read at their own pace deliver their frames; it may change while they run.
///
/// Timestamps stay as they are: only the waits between frames change.
public final class PaceControl: Sendable {
  /// Powers of two: a quarter to four times the pace.
  private static let limits = -2...2

  private let exponent = Atomic<Int>(0)

  public init() {}

  /// Doubles the speed this many times, or halves it for negative steps, within the limits; returns it; for any thread.
  @discardableResult
  public func change(by steps: Int) -> Rational {
    var now = exponent.load(ordering: .relaxed)
    while true {
      let next = min(max(now + steps, Self.limits.lowerBound), Self.limits.upperBound)
      let (isStored, current) = exponent.compareExchange(
        expected: now, desired: next, ordering: .relaxed)
      if isStored { return Self.speed(next) }
      now = current
    }
  }

  /// Seconds of the source for each second of the clock.
  public var speed: Rational { Self.speed(exponent.load(ordering: .relaxed)) }

  private static func speed(_ exponent: Int) -> Rational {
    exponent < 0 ? Rational(1, 1 << Int64(-exponent)) : Rational(1 << Int64(exponent))
  }
}
