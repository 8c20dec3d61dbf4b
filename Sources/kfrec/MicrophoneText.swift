import Capture
import Frames

/// What is told of a microphone at the end.
enum MicrophoneText {
  /// "sound: default, 48000 Hz; its clock is 12.3 ppm slow, which is made up for".
  static func summary(_ report: MicrophoneSound.Report) -> String {
    let drift = fixed(abs(report.drift), decimals: 1)
    let clock =
      drift == "0.0"
      ? "its clock is right"
      : "its clock is \(drift) ppm \(report.drift > 0 ? "fast" : "slow"), which is made up for"
    return "sound: \(report.name), \(report.rate) Hz; \(clock)"
  }
}

extension JSONValue {
  /// The member `microphone` of the `end` object: what it was, how far off its clock is in millionths
  /// (positive: fast), when the output begins by the system's monotonic clock, how often sound was lost and how many seconds of silence that makes.
  static func microphone(_ report: MicrophoneSound.Report) -> JSONValue {
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
