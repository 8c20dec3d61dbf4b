package import Capture
package import Encode
package import Frames

/// What a recording tells while it runs, in order; the callback is called from its threads, one at a
/// time.
package enum RecordingEvent: Sendable {
  /// Everything is open; the first frame is on its way.
  case ready(RecordingReady)
  case progress(RecordingProgress)
  /// Something that a person should know.
  case notice(Notice)
  /// New versions of these effects act from the next frame on.
  case reloaded([String])
  case end(RecordingResult)
}

/// What was decided before the first frame.
package struct RecordingReady: Sendable {
  package var input: String
  /// Those that keep frames first.
  package var outputs: [String]
  /// The GPU's name; nil where frames go past it.
  package var gpu: String?
  package var effects: [String]
  /// What comes in, each step that is made of it, what goes out, and who does it: a sentence each.
  package var plan: [String]
  package var width: Int
  package var height: Int
  package var frameRate: Rational
  /// The source does not wait: what is not taken in time is dropped.
  package var isLive = false
  /// Frames and seconds to come, if known.
  package var frameCount: Int?
  package var duration: Rational?
}

/// Where a recording stands.
package struct RecordingProgress: Sendable {
  package var framesIn: Int
  package var framesOut: Int
  package var dropped: Int
  package var duplicated: Int
  /// Seconds of output so far.
  package var time: Rational
  /// Wall-clock seconds since the first frame; for display only.
  package var elapsed: Double
  /// Processor seconds of all threads in the same time.
  package var processorTime = 0.0
  /// Each output's own, in the order of `RecordingReady.outputs`; the numbers above are those of the
  /// first that is still written.
  package var outputs: [OutputProgress] = []
}

/// Where one output stands.
package struct OutputProgress: Sendable {
  package var name: String
  package var frames: Int
  /// That it did not get, or a constant rate left out.
  package var dropped: Int

  package init(name: String, frames: Int, dropped: Int) {
    self.name = name
    self.frames = frames
    self.dropped = dropped
  }
}

/// How a recording ended.
package struct RecordingResult: Sendable {
  package var progress: RecordingProgress
  /// None when all outputs existed and were skipped.
  package var outputs: [OutputResult]
  /// Times that were missing or went backward and were predicted.
  package var predictedTimes: Int
  /// Frames that a camera's driver counted and did not deliver, and those that came damaged.
  package var lostByDriver = 0
  package var damaged = 0
  /// What became of the microphone, where there is one.
  package var microphone: MicrophoneAudio.Report?
  /// Why it ended before its end, if it did: the output is valid as far as it goes, exit code 3.
  package var incomplete: Notice?
  /// Where the time went; nil when all outputs existed and were skipped.
  package var statistics: RecordingStatistics?

  /// Of a recording whose outputs all exist and stay.
  static var skipped: RecordingResult {
    RecordingResult(
      progress: RecordingProgress(
        framesIn: 0, framesOut: 0, dropped: 0, duplicated: 0, time: .zero, elapsed: 0),
      outputs: [], predictedTimes: 0, incomplete: nil)
  }

  /// Of the first output that was made.
  package var report: SinkReport? { outputs.lazy.compactMap(\.report).first }
}

/// What became of one output.
package struct OutputResult: Sendable {
  /// As typed.
  package var name: String
  /// Nil where nothing was made.
  package var report: SinkReport?
  /// Frames that gave way to newer ones in front of it.
  package var dropped = 0
  /// Gaps of the source that a constant rate did not fill, and how long they were in all, in seconds.
  package var cutGaps: (count: Int, seconds: Rational) = (0, .zero)
  /// Why it ended before the others, if it did.
  package var incomplete: Notice?

  package init(name: String, report: SinkReport? = nil, dropped: Int = 0) {
    self.name = name
    self.report = report
    self.dropped = dropped
  }
}
