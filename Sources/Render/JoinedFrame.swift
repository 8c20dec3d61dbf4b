package import Frames

/// A moment of two sources of which the second follows the first; what each of them shows.
package struct JoinedFrame: Sendable {
  /// Which of the sources are seen.
  package enum Shown: Hashable, CaseIterable { case first, both, second }

  /// At least one of the two is there.
  package let first: Frame?
  package let second: Frame?
  /// Of the output, in seconds from its first frame.
  package let time: Rational
  package let duration: Rational?
  package let captured: MonotonicTime?

  /// The first source alone.
  package init(_ frame: Frame) {
    first = frame
    second = nil
    (time, duration, captured) = (frame.time, frame.duration, frame.captured)
  }

  /// A moment of the second source, or of both; `leading` is the frame that brought it about.
  package init(first: Frame?, second: Frame, leading: Frame, time: Rational) {
    self.first = first
    self.second = second
    self.time = time
    (duration, captured) = (leading.duration, leading.captured)
  }

  package var shown: Shown { first == nil ? .second : second == nil ? .first : .both }
}
