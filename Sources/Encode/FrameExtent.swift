public import Frames

/// Counts frames and computes the end of the last one.
public struct FrameExtent {
  public private(set) var frames = 0
  private var last: Rational?
  private var lastDuration: Rational

  /// A single frame without its own duration lasts one frame at the nominal rate.
  public init(frameRate: Rational) {
    lastDuration = frameRate > .zero ? frameRate.reciprocal : Rational(1, 25)
  }

  public mutating func note(_ frame: Frame) {
    frames += 1
    if let duration = frame.duration, duration > .zero {
      lastDuration = duration
    } else if let last, frame.time > last {
      lastDuration = frame.time - last
    }
    last = frame.time
  }

  /// End of the last frame in seconds from the start of the first one; zero if there are no frames.
  public var time: Rational { last.map { $0 + lastDuration } ?? .zero }
}
