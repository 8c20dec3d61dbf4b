import Frames
import Recorder

/// The member `stats` of the `end` object; times are in seconds unless the name says otherwise,
/// shares are fractions of 1.
extension JSONValue {
  static func statistics(_ statistics: RecordingStatistics) -> JSONValue {
    .object([
      ("wall", .rounded(statistics.wall)),
      ("cores", .optional(statistics.cores, JSONValue.rounded)),
      ("processor", .rounded(statistics.processor)),
      ("peakMemory", .int(statistics.peakMemory)),
      ("paused", .rounded(statistics.paused)),
      ("bottleneck", .optional(statistics.bottleneck?.name, JSONValue.string)),
      ("startUp", .optional(statistics.startUp, JSONValue.startUp)),
      (
        "streamToFirstFrameMs",
        .optional(statistics.streamToFirstFrame) { .rounded(1000 * $0) }
      ),
      (
        "inPlace",
        .optional(statistics.inPlace) {
          .object([("pictures", .int($0.count)), ("of", .int($0.total))])
        }
      ),
      (
        "stages",
        .array(statistics.stages.map { .stage($0, share: statistics.share(of: $0)) })
      ),
      ("queues", .array(statistics.queues.map(JSONValue.queue))),
      ("threads", .array(statistics.threads.map(JSONValue.threads))),
    ])
  }

  private static func stage(
    _ stage: RecordingStatistics.Stage, share: Double?
  ) -> JSONValue {
    .object([
      ("name", .string(stage.name)),
      ("frames", .int(stage.frames)),
      ("busy", .optional(stage.busy, JSONValue.rounded)),
      ("frameMs", .optional(stage.perFrame, JSONValue.rounded)),
      ("share", .optional(share, JSONValue.rounded)),
      ("waitIn", .optional(stage.input, JSONValue.rounded)),
      ("waitOut", .optional(stage.room, JSONValue.rounded)),
      ("awaited", .optional(stage.awaited, JSONValue.rounded)),
    ])
  }

  private static func queue(_ queue: RecordingStatistics.Queue) -> JSONValue {
    .object([
      ("name", .string(queue.name)),
      ("room", .int(queue.room)),
      ("mean", .rounded(queue.mean)),
      ("most", .rounded(queue.largest)),
    ])
  }

  private static func threads(_ group: ThreadGroup) -> JSONValue {
    .object([
      ("name", .string(group.name)),
      ("count", .int(group.count)),
      ("processor", .rounded(group.seconds)),
    ])
  }

  /// The times of the start-up calls; calls with the same name are added up.
  private static func startUp(_ startUp: StartUp) -> JSONValue {
    var calls: [(name: String, seconds: Double)] = []
    for call in startUp.calls {
      if let index = calls.firstIndex(where: { $0.name == call.name }) {
        calls[index].seconds += call.seconds
      } else {
        calls.append((call.name, call.seconds))
      }
    }
    return .object(
      [
        ("firstFrameMs", .rounded(1000 * startUp.total)),
        ("ownMs", .rounded(1000 * startUp.own)),
      ] + calls.map { ($0.name + "Ms", .rounded(1000 * $0.seconds)) })
  }
}
