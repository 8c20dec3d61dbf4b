import Frames

/// A moment of two sources of which the second follows the first; what each of them shows.
struct JoinedFrame: Sendable {
  /// Which of the sources are seen.
  enum Shown: Hashable, CaseIterable { case first, both, second }

  /// At least one of the two is there.
  let first: Frame?
  let second: Frame?
  /// Of the output, in seconds from its first frame.
  let time: Rational
  let duration: Rational?
  let captured: MonotonicTime?

  /// The first source alone.
  init(_ frame: Frame) {
    first = frame
    second = nil
    (time, duration, captured) = (frame.time, frame.duration, frame.captured)
  }

  /// A moment of the second source, or of both; `leading` is the frame that brought it about.
  init(first: Frame?, second: Frame, leading: Frame, time: Rational) {
    self.first = first
    self.second = second
    self.time = time
    (duration, captured) = (leading.duration, leading.captured)
  }

  var shown: Shown { first == nil ? .second : second == nil ? .first : .both }
}
