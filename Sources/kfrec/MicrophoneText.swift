import Capture

/// What is told of a microphone at the end.
enum MicrophoneText {
  /// "sound: default, 48000 Hz; its clock is 12.3 ppm slow, which is made up for".
  static func summary(_ report: Microphone.Report) -> String {
    let drift = fixed(abs(report.drift), decimals: 1)
    let clock =
      drift == "0.0"
      ? "its clock is right" : "its clock is \(drift) ppm \(report.drift > 0 ? "fast" : "slow")"
    return "sound: \(report.name), \(report.rate) Hz; \(clock), which is made up for"
  }
}

extension JSONValue {
  /// The member `microphone` of the `end` object: what it was, how far off its clock is in millionths
  /// (positive: fast), how often sound was lost and how many seconds of silence that makes.
  static func microphone(_ report: Microphone.Report) -> JSONValue {
    .object([
      ("name", .string(report.name)),
      ("rate", .int(report.rate)),
      ("channels", .int(report.channels)),
      ("driftPpm", .rounded(report.drift)),
      ("gaps", .int(report.gaps)),
      ("silence", .rounded(report.missing)),
      ("loss", .optional(report.loss, JSONValue.string)),
    ])
  }
}
