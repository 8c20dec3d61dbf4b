import Capture
import Frames

/// How much is recorded, where the source does not see to that itself.
///
/// A camera is counted at the line's beginning, where pauses and drops are known, and at a constant
/// rate frames are counted at its end.
struct RecordingLimit: Sendable {
  private let duration: Rational?
  private let frames: Int?
  private let outputFrames: Int?

  /// `outputFrames` limits the output at a constant rate.
  init(_ request: SourceRequest, of source: SourceDescription, outputFrames: Int?) {
    duration = source.isCamera ? request.duration : nil
    frames = source.isCamera ? request.frames : nil
    self.outputFrames = outputFrames
  }

  /// How many frames an output takes at most, where the line sees to that.
  var framesOfOutput: Int? { outputFrames ?? frames }

  /// Whether a frame at an output time, after so many others of which some were dropped, is one too
  /// many.
  func excludes(frameAt time: Rational, after sent: Int, dropped: Int) -> Bool {
    duration.map { time >= $0 } ?? false || isReached(sent: sent, dropped: dropped)
  }

  /// When a frame is no longer shown, if it is the last one.
  func end(ofFrameAt time: Rational, lasting length: Rational) -> Rational {
    duration.map { min(time + length, $0) } ?? time + length
  }

  /// As many as are wanted are on their way.
  func isReached(sent: Int, dropped: Int) -> Bool { frames.map { sent - dropped >= $0 } ?? false }
}
