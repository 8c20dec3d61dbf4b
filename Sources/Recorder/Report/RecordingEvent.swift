package import Capture
package import Encode
package import Frames

/// An event of a running recording; events come in order.
///
/// The callback is called on the recording's threads, one call at a time.
package enum RecordingEvent: Sendable {
  /// Everything is open, and frames follow.
  case ready(RecordingReady)
  case progress(RecordingProgress)
  /// A message for the user.
  case notice(Notice)
  /// New versions of the named effects act from the next frame on.
  case reloaded([String])
  case end(RecordingResult)
}

/// What was decided before the first frame.
package struct RecordingReady: Sendable {
  package var input: String
  /// Names of the outputs; outputs that keep frames come first.
  package var outputs: [String]
  /// Name of the GPU; nil if frames bypass it.
  package var gpu: String?
  package var effects: [String]
  /// One sentence each about the input, every step, the output, and who does the work.
  package var plan: [String]
  package var width: Int
  package var height: Int
  package var frameRate: Rational
  /// Whether the source does not wait: frames that are not taken in time are dropped.
  package var isLive = false
  /// Expected number of frames and seconds, if known.
  package var frameCount: Int?
  package var duration: Rational?
  /// The format of the first frame as it was read.
  package var source: FrameFormat?
}

/// Progress of a recording.
package struct RecordingProgress: Sendable {
  package var framesIn: Int
  package var framesOut: Int
  package var dropped: Int
  package var duplicated: Int
  /// Seconds of output so far.
  package var time: Rational
  /// Wall-clock seconds since the first frame; for display only.
  package var elapsed: Double
  /// CPU seconds of all threads in the same period.
  package var processorTime = 0.0
  /// Progress of each output, in the order of `RecordingReady.outputs`.
  ///
  /// The numbers above are those of the first output that is still written.
  package var outputs: [OutputProgress] = []
}

extension RecordingProgress {
  /// Progress with the same number of frames in and out; `elapsed` are seconds since it began.
  package init(frames: Int, time: Rational, elapsed: Double) {
    self.init(
      framesIn: frames, framesOut: frames, dropped: 0, duplicated: 0, time: time, elapsed: elapsed)
  }
}

/// Progress of one output.
package struct OutputProgress: Sendable {
  package var name: String
  package var frames: Int
  /// Frames that the output did not get, or that a constant frame rate left out.
  package var dropped: Int
}

/// How a recording ended.
package struct RecordingResult: Sendable {
  package var progress: RecordingProgress
  /// Results of the outputs; empty if all outputs existed and were skipped.
  package var outputs: [OutputResult]
  /// Number of timestamps that were missing or went backward, and were predicted.
  package var predictedTimes: Int
  /// Frames that a camera's driver counted but did not deliver, and frames that came damaged.
  package var lostByDriver = 0
  package var damaged = 0
  /// Report on the microphone, if there is one.
  package var microphone: MicrophoneAudio.Report?
  /// Why the recording ended early, if it did; the output is valid as far as it goes, exit code 3.
  package var incomplete: Notice?
  /// What is wrong with an output that has everything that could be read; nil if nothing is, and if more is missing.
  ///
  /// `incomplete` says it in a sentence.
  package var flaw: OutputFlaw?
  /// Whether the source still had frames when the recording was stopped.
  package var wasStopped = false
  /// Where the time was spent; nil if all outputs existed and were skipped.
  package var statistics: RecordingStatistics?

  /// Result of a recording whose outputs all exist and are kept.
  static var skipped: RecordingResult {
    RecordingResult(
      progress: RecordingProgress(frames: 0, time: .zero, elapsed: 0), outputs: [],
      predictedTimes: 0)
  }

  /// Report of the first output that was made.
  package var report: SinkReport? { outputs.lazy.compactMap(\.report).first }
}

/// What is wrong with an output of a source that was read to its end.
package enum OutputFlaw: String, Codable, Sendable {
  /// Frames of the source are damaged: they are missing, or repaired from others.
  case damaged
  /// The source is shorter than what was asked for.
  case short
}

/// Result of one output.
package struct OutputResult: Sendable {
  /// Output name as typed.
  package var name: String
  /// Report of the output; nil if nothing was made.
  package var report: SinkReport?
  /// Frames dropped for newer ones in the queue of the output.
  package var dropped = 0
  /// Number and total seconds of gaps in the source that a constant frame rate did not fill.
  package var cutGaps: (count: Int, seconds: Rational) = (0, .zero)
  /// Why the output ended before the others, if it did.
  package var incomplete: Notice?
}
