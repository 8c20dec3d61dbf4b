import Capture
import Frames

/// Stage five of all outputs; each finished item goes to every output, by reference.
final class EncodeStages: Sendable {
  let stages: [EncodeStage]

  /// Makes the stages; outputs that keep frames come first, and after a source that cannot wait no output waits for
  /// another.
  init(
    _ outputs: [OpenOutput], plan: RecordingPlan, isStopped: @escaping @Sendable () -> Bool,
    counts: RecordingCounts
  ) {
    let grid = plan.constantRate.map {
      ConstantRate(
        $0, duration: plan.trim.output.duration, cutsGaps: !plan.isLive,
        isLive: plan.isLive, showsNearest: plan.frameChoice == .nearest)
    }
    stages = outputs.enumerated().map { place, output in
      let isPatient = !output.isBestEffort && !(plan.isLive && outputs.count > 1)
      let queue: BoundedQueue<MediaSample> =
        isPatient
        ? .waiting(frames: RecordingRun.queuedFrames)
        : output.isBestEffort && !output.queuesFrames
          ? .latest(frames: 2) : .dropping(of: plan.sink, rate: plan.frameRate)
      return EncodeStage(
        output, place: place, queue: queue, waits: isPatient, grid: grid, plan: plan,
        isStopped: isStopped, counts: counts)
    }
  }

  /// Stages that decide how long the recording continues.
  var keeping: [EncodeStage] { stages.filter { !$0.output.isBestEffort } }
  var bestEffort: [EncodeStage] { stages.filter(\.output.isBestEffort) }

  /// Sends an item to every output; false if no output that keeps frames accepts more.
  func send(_ item: MediaSample) -> Bool {
    var isTaken = false
    // Best-effort outputs first, because they never block.
    for stage in stages.reversed() where stage.send(item) {
      isTaken = isTaken || !stage.output.isBestEffort
    }
    return isTaken
  }

  /// Makes outputs that keep frames wait instead of dropping frames, after the source has ended.
  func waitWhenFull() { for stage in keeping { stage.waitWhenFull() } }

  func close() { for stage in stages { stage.close() } }

  /// Largest number of frames dropped by an output that keeps frames.
  var droppedCount: Int {
    stages.reduce(0) { $1.output.isBestEffort ? $0 : max($0, $1.droppedCount) }
  }

  var queues: [RecordingStatistics.Queue] {
    stages.map { stage in
      stage.statistics(name: stages.count == 1 ? "finished" : "finished \(stage.output.name)")
    }
  }
}
