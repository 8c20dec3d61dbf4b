/// One picture on its way down the line: its pixels, what they mean, and when it is shown.
package struct Frame: Sendable {
  package var format: FrameFormat
  package var pixels: PixelBuffer
  /// When the frame is shown, in seconds; from the source's own zero at the capture end, from the
  /// first recorded frame at the encode end.
  package var time: Rational
  /// How long the source says it is shown, in seconds; nil where only the next frame tells.
  package var duration: Rational?
  /// When it came to be: a live source's frame at its own time, another's when it was read; nil where
  /// nobody asks.
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
