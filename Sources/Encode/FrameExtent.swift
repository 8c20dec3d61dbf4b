import Frames

/// Counts frames and knows when the last one ends.
struct FrameExtent {
  private(set) var frames = 0
  private var last: Rational?
  private var lastDuration: Rational

  /// A single frame without a duration of its own lasts one frame of the nominal rate.
  init(frameRate: Rational) {
    lastDuration = frameRate > .zero ? frameRate.reciprocal : Rational(1, 25)
  }

  mutating func note(_ frame: Frame) {
    frames += 1
    if let duration = frame.duration, duration > .zero {
      lastDuration = duration
    } else if let last, frame.time > last {
      lastDuration = frame.time - last
    }
    last = frame.time
  }

  /// Where the last frame ends, from the first one's start; zero without frames.
  var time: Rational { last.map { $0 + lastDuration } ?? .zero }
}
