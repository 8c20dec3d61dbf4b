/// One frame in the pipeline: its pixels, their format and its timestamp.
public struct Frame: Sendable {
  public var format: FrameFormat
  public var pixels: PixelBuffer
  /// Timestamp in seconds: from the source's own zero at capture, from the first recorded frame at
  /// encoding.
  public var time: Rational
  /// The moment in the source, in seconds from its zero, of a frame that comes faster, slower or backwards; nil if
  /// the source's time runs as `time` does.
  public var sourceTime: Rational?
  /// Duration in seconds as the source states it; nil if only the next frame's timestamp defines it.
  public var duration: Rational?
  /// Capture time: for a live source the time of the frame itself, otherwise the time of the read; nil
  /// if nobody needs it.
  public var captured: MonotonicTime?
  /// How the woven pixels become a progressive picture; nil if they are what is shown.
  public var fields: InterlacedFields?
  /// What a camera wrote into the picture of a frame of numbered images; nil if the source has it for all frames, or nobody
  /// wants it.
  public var photo: PhotoData?
  /// The frame before the effects, if a view asked for it.
  public var original: OriginalFrame?

  public init(
    format: FrameFormat, pixels: PixelBuffer, time: Rational, duration: Rational? = nil
  ) {
    self.format = format
    self.pixels = pixels
    self.time = time
    self.duration = duration
  }
}

/// A frame as the source gave it, beside what the effects made of it.
public final class OriginalFrame: Sendable {
  public let frame: Frame

  public init(_ frame: Frame) { self.frame = frame }
}
