import Frames

/// Leaves out frames of a source that runs faster, so that there are no more of them in a second than before.
///
/// Frames keep their exact times: at 1.5 times the speed every third one is left out.
struct FrameThinning {
  /// Seconds of the output for each frame.
  private let interval: Rational
  /// How much earlier a frame may come, in seconds: containers round times.
  private let tolerance: Rational
  /// The time from which a frame is wanted again.
  private var due: Rational?

  /// - Parameters:
  ///   - rate: Most frames in a second of the output.
  ///   - interval: Seconds from one frame of the source to the next, in the output's time.
  init(to rate: Rational, from interval: Rational) {
    self.interval = rate.reciprocal
    tolerance = interval / Rational(4)
  }

  /// Returns whether the next frame is wanted.
  mutating func takes(_ time: Rational) -> Bool {
    let due = due ?? time
    guard time + tolerance >= due else { return false }
    // After a gap the frames do not catch up.
    self.due = max(due, time - interval / Rational(2)) + interval
    return true
  }
}
