import Encode
import Frames
import Recorder

/// The objects of `--progress json`, one per line; each has a `type`, times are in seconds, and
/// unknown values are null.
extension JSONValue {
  static func ready(_ ready: RecordingReady) -> JSONValue {
    .object([
      ("type", .string("ready")),
      ("input", .string(ready.input)),
      ("output", .optional(ready.outputs.first, JSONValue.string)),
      ("outputs", .array(ready.outputs.map(JSONValue.string))),
      ("gpu", .optional(ready.gpu, JSONValue.string)),
      ("effects", .array(ready.effects.map(JSONValue.string))),
      ("plan", .array(ready.plan.map(JSONValue.string))),
      ("width", .int(ready.width)),
      ("height", .int(ready.height)),
      ("frameRate", .number(ready.frameRate.doubleValue)),
      ("frameRateExact", .string("\(ready.frameRate)")),
      ("live", .bool(ready.isLive)),
      ("frameCount", .optional(ready.frameCount, JSONValue.int)),
      ("duration", .optional(ready.duration, JSONValue.seconds)),
    ])
  }

  static func progress(_ line: ProgressLine) -> JSONValue {
    .object(
      [("type", .string("progress"))] + counts(line.progress) + [
        ("percent", .optional(line.fraction) { .rounded($0 * 100) }),
        ("fps", .optional(line.framesPerSecond, JSONValue.rounded)),
        ("speed", .optional(line.speed, JSONValue.rounded)),
        ("remaining", .optional(line.remaining, JSONValue.rounded)),
        ("outputs", .array(line.progress.outputs.map(JSONValue.output))),
      ])
  }

  /// The `id` stays the same if the message changes.
  static func notice(_ notice: Notice) -> JSONValue {
    .object([
      (
        "type",
        .string([.sourceLost, .sourceWaiting].contains(notice.id) ? "source-lost" : "warning")
      ),
      ("id", .string(notice.id.rawValue)), ("subject", .string(notice.subject)),
      ("message", .string(notice.message)),
    ])
  }

  static func reloaded(_ effects: [String]) -> JSONValue {
    .object([
      ("type", .string("reloaded")), ("effects", .array(effects.map(JSONValue.string))),
    ])
  }

  static func error(_ message: String, exitCode: ExitCode) -> JSONValue {
    .object([
      ("type", .string("error")), ("message", .string(message)),
      ("exitCode", .int(Int64(exitCode.rawValue))),
    ])
  }

  /// `stats` is present if it was requested; it is null if nothing was recorded.
  static func end(
    _ end: RecordingResult, exitCode: ExitCode, hasStatistics: Bool = false
  ) -> JSONValue {
    .object(
      [("type", .string("end"))] + counts(end.progress) + [
        ("fps", .optional(ProgressLine(progress: end.progress).framesPerSecond, JSONValue.rounded)),
        ("predictedTimes", .int(end.predictedTimes)),
        ("lostByDriver", .int(end.lostByDriver)),
        ("damaged", .int(end.damaged)),
        ("skipped", .bool(end.report == nil)),
        ("output", .optional(end.report?.output, JSONValue.string)),
        ("duration", .optional(end.report?.duration, JSONValue.seconds)),
        ("bytes", .optional(end.report?.bytes, JSONValue.int)),
        ("latency", .optional(end.report?.latency, JSONValue.latency)),
        ("cores", .optional(ProgressLine(progress: end.progress).cores, JSONValue.rounded)),
        ("outputs", .array(end.outputs.map(JSONValue.output))),
        ("microphone", .optional(end.microphone, JSONValue.microphone)),
        ("incomplete", .optional(end.incomplete?.message, JSONValue.string)),
        ("exitCode", .int(Int64(exitCode.rawValue))),
      ]
        + (hasStatistics ? [("stats", .optional(end.statistics, JSONValue.statistics))] : []))
  }

  private static func output(_ output: OutputProgress) -> JSONValue {
    .object([
      ("output", .string(output.name)), ("frames", .int(output.frames)),
      ("dropped", .int(output.dropped)),
    ])
  }

  /// `frames`, `duration`, `bytes` and `latency` are null if nothing was written.
  private static func output(_ output: OutputResult) -> JSONValue {
    .object([
      ("output", .string(output.name)),
      ("frames", .optional(output.report?.frames, JSONValue.int)),
      ("dropped", .int(output.dropped)),
      ("duration", .optional(output.report?.duration, JSONValue.seconds)),
      ("bytes", .optional(output.report?.bytes, JSONValue.int)),
      ("latency", .optional(output.report?.latency, JSONValue.latency)),
      ("incomplete", .optional(output.incomplete?.message, JSONValue.string)),
      ("verified", .bool(output.report?.isVerified ?? false)),
      ("parts", .array((output.report?.parts ?? []).map(JSONValue.part))),
    ])
  }

  /// A file of a movie that was split.
  private static func part(_ part: SinkReport) -> JSONValue {
    .object([
      ("output", .string(part.output)), ("frames", .int(part.frames)),
      ("duration", .seconds(part.duration)), ("bytes", .optional(part.bytes, JSONValue.int)),
    ])
  }

  private static func latency(_ latency: Latency) -> JSONValue {
    .object(
      [("mean", .rounded(latency.mean)), ("longest", .rounded(latency.longest))]
        + (latency.median.map { [("median", .rounded($0))] } ?? []))
  }

  private static func counts(_ progress: RecordingProgress) -> [(String, JSONValue)] {
    [
      ("framesIn", .int(progress.framesIn)),
      ("framesOut", .int(progress.framesOut)),
      ("dropped", .int(progress.dropped)),
      ("duplicated", .int(progress.duplicated)),
      ("time", .seconds(progress.time)),
      ("elapsed", .rounded(progress.elapsed)),
    ]
  }

  /// Rounds to thousandths: a measurement by the wall clock is not more exact than that.
  static func rounded(_ value: Double) -> JSONValue {
    .number((value * 1000).rounded() / 1000)
  }

  private static func seconds(_ time: Rational) -> JSONValue { .number(time.doubleValue) }
}
