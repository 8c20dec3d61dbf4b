import Capture
import Frames

/// How much of a camera is recorded.
///
/// Counted at the line's beginning, where pauses and drops are known: a file's source has its own end.
struct RecordingLimit: Sendable {
  private let duration: Rational?
  private let frames: Int?

  /// The request's for a camera, none for other sources.
  init(_ request: SourceRequest, of source: SourceDescription) {
    duration = source.isCamera ? request.duration : nil
    frames = source.isCamera ? request.frames : nil
  }

  /// Whether a frame at an output time, after so many others of which some were dropped, is one too
  /// many.
  func excludes(frameAt time: Rational, after sent: Int, dropped: Int) -> Bool {
    duration.map { time >= $0 } ?? false || frames.map { sent - dropped >= $0 } ?? false
  }

  /// As many as are wanted are on their way.
  func isReached(sent: Int, dropped: Int) -> Bool { frames.map { sent - dropped >= $0 } ?? false }
}
