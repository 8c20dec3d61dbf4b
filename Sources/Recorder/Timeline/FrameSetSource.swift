import Capture
import FFmpegHandles
import Frames

/// What stage one reads: one source, or several that follow each other.
///
/// Used by one thread at a time, but for `interrupt`.
protocol FrameSetSource: AnyObject, Sendable {
  /// Of all that is read as one source.
  var description: SourceDescription { get }
  /// The format of each clip's first frame, in the order in which they are shown; one at least.
  var formats: [FrameFormat] { get }
  /// The sound that effects hear; nil where there is none, or nobody asked for it.
  var heard: HeardAudio? { get }
  /// The first frame's time by its own source, in seconds.
  var firstTime: Rational { get }

  /// The next item; times are in seconds from the first frame's. Nil at the end.
  func next() throws -> TimelineItem?

  /// Makes a `next` that waits, and every later one, return nil soon; from any thread.
  func interrupt()

  /// Ends what reads ahead; `report` is complete then.
  func finish()

  /// What went less than well.
  var report: SourceReport { get }
  /// The same for each source, in the order in which they are shown.
  var reports: [(description: SourceDescription, report: SourceReport)] { get }
}

/// The sound of a source that effects hear.
enum HeardAudio: Sendable {
  /// The packets of a stream: `TimelineItem.heard`.
  case packets(CompressedStream)
  /// The blocks that outputs are given: `TimelineItem.audio`.
  case blocks(AudioFormat)
}

/// What stage one hands on.
enum TimelineItem: Sendable {
  case frames(FrameSet)
  /// Coded sound, which is carried unchanged.
  case sound(CompressedPacket)
  /// Coded sound for effects; that of a frame's time comes before the frame.
  case heard(CompressedPacket)
  /// Sound that is made or changed on the way, and encoded by each output.
  case audio(AudioBlock)
}
