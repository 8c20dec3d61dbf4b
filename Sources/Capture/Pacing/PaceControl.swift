package import Frames
import Synchronization

/// How fast sources that are read at their own pace deliver their frames; it may change while they run.
///
/// Timestamps stay as they are: only the waits between frames change.
package final class PaceControl: Sendable {
  /// Powers of two: a quarter to four times the pace.
  private static let limits = -2...2

  private let exponent = Atomic<Int>(0)

  package init() {}

  /// Doubles the speed so many times, or halves it, within the limits; called from any thread.
  ///
  /// - Parameter steps: Negative to halve.
  /// - Returns: The new speed.
  @discardableResult
  package func change(by steps: Int) -> Rational {
    let next = exponent.load(ordering: .relaxed) + steps
    exponent.store(
      min(max(next, Self.limits.lowerBound), Self.limits.upperBound), ordering: .relaxed)
    return speed
  }

  /// Seconds of the source for each second of the clock.
  package var speed: Rational {
    let exponent = exponent.load(ordering: .relaxed)
    return exponent < 0 ? Rational(1, 1 << Int64(-exponent)) : Rational(1 << Int64(exponent))
  }
}
