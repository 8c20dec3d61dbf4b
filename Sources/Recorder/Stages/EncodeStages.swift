import Frames

/// Stage five of all outputs: what the stages before have made goes to each, by reference.
final class EncodeStages: Sendable {
  let stages: [EncodeStage]

  /// - Parameters:
  ///   - outputs: Those that keep frames first.
  ///   - plan: What comes. Behind a source that cannot wait no output waits for another.
  ///   - isStopped: The recording is to end soon.
  ///   - counts: Told of what each writes.
  init(
    _ outputs: [OpenOutput], plan: RecordingPlan, isStopped: @escaping @Sendable () -> Bool,
    counts: RecordingCounts
  ) {
    let grid = plan.constantRate.map {
      ConstantRate($0, duration: plan.trim.output.duration, cutsGaps: !plan.isLive)
    }
    stages = outputs.enumerated().map { place, output in
      let room: OutputRoom =
        output.isBestEffort
        ? .latest : plan.isLive && outputs.count > 1 ? .live(plan.sink, plan.frameRate) : .all
      return EncodeStage(
        output, place: place, room: room, grid: grid, frameLimit: plan.trim.output.frames,
        isStopped: isStopped, counts: counts)
    }
  }

  /// Those that decide how long the recording goes on.
  var keeping: [EncodeStage] { stages.filter { !$0.output.isBestEffort } }
  var bestEffort: [EncodeStage] { stages.filter(\.output.isBestEffort) }

  /// Hands an item to every output; false when none that keeps frames takes more.
  func send(_ item: FinishedItem) -> Bool {
    var isTaken = false
    // Companions first, for they never keep anybody waiting.
    for stage in stages.reversed() where stage.send(item) {
      isTaken = isTaken || !stage.output.isBestEffort
    }
    return isTaken
  }

  /// The source has ended: what is on its way is lost to no output that keeps frames.
  func waitWhenFull() { for stage in keeping { stage.waitWhenFull() } }

  /// No more comes.
  func close() { for stage in stages { stage.close() } }

  /// Frames that one of the outputs that keep frames had to miss, at most.
  var droppedCount: Int { keeping.map(\.droppedCount).max() ?? 0 }

  /// The queues in front of them.
  var queues: [RecordingStatistics.Queue] {
    stages.map { stage in
      stage.statistics(name: stages.count == 1 ? "finished" : "finished \(stage.output.name)")
    }
  }
}
