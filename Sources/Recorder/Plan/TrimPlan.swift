import Capture
import Frames

/// How much is recorded, and which stage enforces it; nothing else decides this.
///
/// The user requests a duration and a number of output frames. A single file ends there by itself, with
/// its audio. A camera's pauses and drops are known only at capture, so its frames are counted there.
/// Consecutive clips are counted together. At a constant frame rate, one source frame may become any
/// number of output frames, so frames are counted where they are encoded.
struct TrimPlan: Sendable, Equatable {
  struct Limit: Sendable, Equatable {
    /// Duration in seconds of output.
    var duration: Rational?
    var frames: Int?

    static let none = Limit()
  }

  /// Maximum that the first source delivers.
  private(set) var source = Limit.none
  /// Number of frames for which a still image is shown, if the source does not count frames.
  private(set) var stillFrames: Int?
  /// Maximum that consecutive clips deliver together.
  private(set) var clips = Limit.none
  /// Maximum that is captured from a camera.
  private(set) var capture = Limit.none
  /// Whether the first source is not read once at its own speed, so that it does not know what is missing.
  private var isRetimed = false
  /// Maximum that each output writes.
  private(set) var output = Limit.none

  init() {}

  init(_ recording: Recording, outputLimit: Int?) {
    let asked = recording.source
    isRetimed = !asked.retiming.isPlain
    let duration = asked.duration
    // Frames before a stretch are read for its effects, and are not written.
    let leadIn = asked.range?.leadIn ?? 0
    let frames = [asked.frames, outputLimit.map { $0 + leadIn }, asked.range?.delivered]
      .compactMap(\.self).min()
    let isConstant = recording.pace != .asTheyCome
    var counted = Limit(duration: duration, frames: isConstant ? nil : frames)
    // The last frame of a constant rate is a whole one, and the audio ends with it.
    if case .constant(let rate?) = recording.pace, let length = duration {
      counted.duration = Rational((length * rate).ceiling) / rate
    }
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

  /// Makes what is captured end with a whole frame of a constant rate, in frames per second.
  mutating func endCapture(atRate rate: Rational) {
    capture.duration = capture.duration.map { FrameGrid(rate: rate).filling($0, own: rate) }
  }

  /// Returns whether a captured frame at an output time is beyond the limit.
  ///
  /// `sent` frames were sent before it, of which `dropped` were dropped. A frame that comes less than a millisecond
  /// before the limit is beyond it: containers round its time, and a device is not so exact.
  func excludes(frameAt time: Rational, after sent: Int, dropped: Int) -> Bool {
    let tolerance = sent > 0 ? Rational(1, 1000) : .zero
    return capture.duration.map { time >= $0 - tolerance } ?? false
      || hasAll(sent: sent, dropped: dropped)
  }

  /// Returns how long a captured frame is shown that does not say it, if it is the last one; nil if another may follow.
  func shown(frameAt time: Rational, lasting length: Rational) -> Rational? {
    capture.duration.flatMap { time + length > $0 && time < $0 ? $0 - time : nil }
  }

  /// Returns the output time at which a captured frame ends, if it is the last one.
  func end(ofFrameAt time: Rational, lasting length: Rational) -> Rational {
    capture.duration.map { min(time + length, $0) } ?? time + length
  }

  /// Says that the sources gave less than was asked for, as a sentence; nil if they did not.
  ///
  /// A source that is read once, at its own speed, says so itself. Some seconds (`rounding`) may be missing, because a part
  /// of each input begins and ends with a frame.
  func shortfall(
    _ input: String, _ progress: RecordingProgress, rounding: Rational
  ) -> String? {
    let counts = [
      (output.frames, progress.framesOut), (clips.frames, progress.framesIn),
      (source.frames, progress.framesIn),
    ]
    for case (let asked?, let came) in counts where came < asked {
      return
        "\(input): only \(came) of the \(asked) frames that were asked for came; the output ends with the last one"
    }
    let times = [clips.duration, output.duration, isRetimed ? source.duration : nil]
      .compactMap(\.self)
    guard let asked = times.min(), progress.time + rounding <= asked else { return nil }
    return
      "\(input): only \(progress.time.inThousandths) of the \(asked.inThousandths) seconds that were asked for came"
  }

  /// Returns whether capture has sent as many frames as requested.
  func hasAll(sent: Int, dropped: Int) -> Bool {
    capture.frames.map { sent - dropped >= $0 } ?? false
  }
}
