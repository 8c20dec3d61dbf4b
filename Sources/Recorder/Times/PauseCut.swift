import Frames

/// Cuts pauses out of a live recording's time.
///
/// After a pause, the output continues as if the next frame had come one interval after the last frame
/// before the pause.
struct PauseCut {
  /// Total time that was cut so far, in seconds.
  private(set) var cut = Rational.zero
  private var last: Rational?
  /// Seconds between the last two frames.
  private(set) var interval: Rational
  private var isPaused = false

  /// Starts without a pause; `interval` is the frame duration at the nominal frame rate, in seconds.
  init(interval: Rational) { self.interval = interval }

  /// Leaves out a frame that came during a pause.
  ///
  /// For the first frame of a pause, it returns the output time at which the previous frame ends.
  mutating func skip() -> Rational? {
    defer { isPaused = true }
    return isPaused ? nil : last.map { $0 - cut + interval }
  }

  /// Returns the output time of a frame, from its time in the source.
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
