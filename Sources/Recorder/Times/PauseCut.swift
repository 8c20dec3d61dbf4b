import Frames

/// Cuts pauses out of a live recording's time: after one the output goes on as if the first frame had
/// come one interval after the last one before it.
struct PauseCut {
  /// How much was cut so far, in seconds.
  private(set) var cut = Rational.zero
  private var last: Rational?
  /// From the frame before the last one to that.
  private(set) var interval: Rational
  private var isPaused = false

  /// Begins without a pause; `interval` is that of the nominal rate.
  init(interval: Rational) { self.interval = interval }

  /// A frame that came during a pause; where the pause begins with it, the output time at which the
  /// frame before it is no longer shown.
  mutating func skip() -> Rational? {
    defer { isPaused = true }
    return isPaused ? nil : last.map { $0 - cut + interval }
  }

  /// The output time of a frame that came at a time.
  mutating func time(of frame: Rational) -> Rational {
    if isPaused {
      cut = last.map { cut + (frame - $0) - interval } ?? frame
    } else if let last {
      interval = frame - last
    }
    isPaused = false
    last = frame
    return frame - cut
  }
}
