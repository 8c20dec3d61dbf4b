/// One frame in the pipeline: its pixels, their format and its timestamp.
package struct Frame: Sendable {
  package var format: FrameFormat
  package var pixels: PixelBuffer
  /// Timestamp in seconds: from the source's own zero at capture, from the first recorded frame at
  /// encoding.
  package var time: Rational
  /// Duration in seconds as the source states it; nil if only the next frame's timestamp defines it.
  package var duration: Rational?
  /// Capture time: for a live source the time of the frame itself, otherwise the time of the read; nil
  /// if nobody needs it.
  package var captured: MonotonicTime?

  package init(
    format: FrameFormat, pixels: PixelBuffer, time: Rational, duration: Rational? = nil
  ) {
    self.format = format
    self.pixels = pixels
    self.time = time
    self.duration = duration
  }
}
