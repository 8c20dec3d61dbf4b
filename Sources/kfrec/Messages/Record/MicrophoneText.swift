import Capture
import Frames

/// What is reported about a microphone at the end of a recording.
enum MicrophoneText {
  /// "audio: default, 48000 Hz; its clock is 12.3 ppm slow, which is corrected".
  static func summary(_ report: MicrophoneAudio.Report) -> String {
    "audio: \(report.name), \(report.rate) Hz; its clock is \(drift(report))"
      + (isRight(report) ? "" : ", which is corrected")
  }

  /// "microphone's clock 12.3 ppm slow, lost audio 0 times, 0.000 s of silence".
  static func statistics(_ report: MicrophoneAudio.Report) -> String {
    "microphone's clock \(drift(report)), lost audio \(report.gaps) times, "
      + "\(fixed(report.missing, decimals: 3)) s of silence"
  }

  private static func isRight(_ report: MicrophoneAudio.Report) -> Bool { abs(report.drift) < 0.05 }

  private static func drift(_ report: MicrophoneAudio.Report) -> String {
    isRight(report)
      ? "right"
      : "\(fixed(abs(report.drift), decimals: 1)) ppm \(report.drift > 0 ? "fast" : "slow")"
  }
}

extension JSONValue {
  /// The member `microphone` of the `end` object: name and format, clock error in millionths (positive:
  /// fast), start of the output on the system's monotonic clock, how often audio was lost, and seconds of
  /// silence in its place.
  static func microphone(_ report: MicrophoneAudio.Report) -> JSONValue {
    .object([
      ("name", .string(report.name)),
      ("rate", .int(report.rate)),
      ("channels", .int(report.channels)),
      ("driftPpm", .rounded(report.drift)),
      (
        "begin",
        .optional(report.begin) { .number(Double($0.nanoseconds) / 1e9) }
      ),
      ("gaps", .int(report.gaps)),
      ("silence", .rounded(report.missing)),
      ("loss", .optional(report.loss, JSONValue.string)),
    ])
  }
}
