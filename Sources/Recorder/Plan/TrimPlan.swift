import Capture
import Frames

/// How much is recorded, and which stage sees to it: nothing else decides that.
///
/// A person asks for a duration and a number of frames of the output. A single file ends there by
/// itself, and its sound with it. A camera's pauses and drops are known only where it is captured, so
/// that its frames are counted there. Clips that follow each other are counted together. At a constant rate
/// a frame of the source may be any number of the output's, so that frames are counted where they are
/// encoded.
struct TrimPlan: Sendable, Equatable {
  struct Limit: Sendable, Equatable {
    /// In seconds of output.
    var duration: Rational?
    var frames: Int?

    static let none = Limit()
  }

  /// How much the first source delivers at most.
  private(set) var source = Limit.none
  /// How many frames a still is shown for, where the source does not count frames.
  private(set) var stillFrames: Int?
  /// How much clips that follow each other give together.
  private(set) var clips = Limit.none
  /// How much of a camera is captured.
  private(set) var capture = Limit.none
  /// How much each output writes.
  private(set) var output = Limit.none

  /// Nothing is limited.
  init() {}

  /// - Parameters:
  ///   - recording: What is asked for.
  ///   - outputLimit: How many frames the outputs hold; nil for any number.
  init(_ recording: Recording, outputLimit: Int?) {
    let asked = recording.source
    let duration = asked.duration
    let frames = [asked.frames, outputLimit].compactMap(\.self).min()
    let isConstant = recording.pace != .asTheyCome
    let counted = Limit(duration: duration, frames: isConstant ? nil : frames)
    if isConstant {
      stillFrames = frames
      output = Limit(duration: duration, frames: frames)
    }
    if recording.following.isEmpty {
      source = counted
      if asked.kind.isLive {
        capture = counted
        output.frames = frames
      }
    } else {
      clips = counted
    }
  }

  /// Whether a captured frame at a time of the output, after so many others of which some were dropped,
  /// is one too many.
  func excludes(frameAt time: Rational, after sent: Int, dropped: Int) -> Bool {
    capture.duration.map { time >= $0 } ?? false || hasAll(sent: sent, dropped: dropped)
  }

  /// When a captured frame is no longer shown, if it is the last one.
  func end(ofFrameAt time: Rational, lasting length: Rational) -> Rational {
    capture.duration.map { min(time + length, $0) } ?? time + length
  }

  /// Capture has sent as many frames as are wanted.
  func hasAll(sent: Int, dropped: Int) -> Bool {
    capture.frames.map { sent - dropped >= $0 } ?? false
  }
}
