/// One frame in the pipeline: its pixels, their format and its timestamp.
package struct Frame: Sendable {
  package var format: FrameFormat
  package var pixels: PixelBuffer
  /// Timestamp in seconds: from the source's own zero at capture, from the first recorded frame at
  /// encoding.
  package var time: Rational
  /// The moment in the source, in seconds from its zero, of a frame that comes faster, slower or backwards; nil if
  /// the source's time runs as `time` does.
  package var sourceTime: Rational?
  /// Duration in seconds as the source states it; nil if only the next frame's timestamp defines it.
  package var duration: Rational?
  /// Capture time: for a live source the time of the frame itself, otherwise the time of the read; nil
  /// if nobody needs it.
  package var captured: MonotonicTime?
  /// How the woven pixels become a progressive picture; nil if they are what is shown.
  package var fields: InterlacedFields?
  /// The frame before the effects, if a view asked for it.
  package var original: OriginalFrame?

  package init(
    format: FrameFormat, pixels: PixelBuffer, time: Rational, duration: Rational? = nil
  ) {
    self.format = format
    self.pixels = pixels
    self.time = time
    self.duration = duration
  }
}

/// A frame as the source gave it, beside what the effects made of it.
package final class OriginalFrame: Sendable {
  package let frame: Frame

  package init(_ frame: Frame) { self.frame = frame }
}
