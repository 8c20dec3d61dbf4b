import Frames

/// Decides when the next picture of a screen is read, so that the times have no drift.
///
/// The times lie on a grid. One that has passed by more than a frame is left out, and counted.
struct GrabClock {
  private let rate: Rational
  private let begin: MonotonicTime
  /// The number of the next time on the grid.
  private var next = 0

  /// Begins at a moment, which is the first time.
  init(rate: Rational, begin: MonotonicTime) { (self.rate, self.begin) = (rate, begin) }

  /// Takes the next time that has not passed by more than a frame, and how many were left out before it.
  mutating func take(now: MonotonicTime) -> (moment: MonotonicTime, missed: Int) {
    let passed = Rational(now.nanoseconds - begin.nanoseconds, 1_000_000_000) * rate
    let latest = Int(passed.floor)
    let missed = max(0, latest - next)
    next += missed
    defer { next += 1 }
    return (begin + Rational(Int64(next)) / rate, missed)
  }
}
