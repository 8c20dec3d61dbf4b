/// Where a recording spent its time.
package struct RecordingStatistics: Sendable {
  /// One stage of the pipeline; times are in seconds.
  package struct Stage: Sendable {
    package var name: String
    /// Number of frames that passed through.
    package var frames: Int
    /// Working time; nil if it cannot be measured (a GPU without a clock).
    package var busy: Double?
    /// Time waiting for input, and for room in the next queue; nil if the stage has no thread.
    package var input: Double?
    package var room: Double?
    /// Time in which another stage's thread only waited for this one; nil if none waits.
    ///
    /// The stage was busy for at least that time.
    package var awaited: Double?

    /// Working time per frame, in milliseconds.
    package var perFrame: Double? { frames > 0 ? busy.map { 1000 * $0 / Double(frames) } : nil }
  }

  /// A queue between two stages, in frames.
  package struct Queue: Sendable {
    package var name: String
    package var room: Int
    /// Average over time.
    package var mean: Double
    package var largest: Double
  }

  /// Seconds from the first frame's entry into the pipeline to the completion of the output.
  package var wall: Double
  /// Stages in pipeline order; stages that no frame passed through are left out.
  package var stages: [Stage]
  /// Seconds that the pipeline waited for a source with its own pace.
  package var paused: Double
  package var queues: [Queue]
  /// CPU time of the threads since the program's start, the busiest first.
  package var threads: [ThreadGroup]
  /// CPU seconds of all threads within `wall`.
  package var processor: Double
  /// Start-up times; nil if the encoder received no frame.
  package var startUp: StartUp?
  /// Seconds from the camera's start to the first recorded frame at the encoder.
  package var streamToFirstFrame: Double?
  /// Number of frames from a camera (`total`), and how many of them stayed in its driver's memory
  /// (`count`).
  package struct InPlace: Sendable {
    package var count: Int
    package var total: Int
  }

  /// Nil for a source that is not a camera.
  package var inPlace: InPlace?
  /// Peak memory of the process, in bytes.
  package var peakMemory: Int

  /// Average number of CPU cores in use.
  package var cores: Double? { wall > 0 ? processor / wall : nil }

  /// Returns a stage's share of the wall time, 0 to 1; nil if it was not measured.
  package func share(of stage: Stage) -> Double? {
    wall > 0 ? stage.busy.map { min($0 / wall, 1) } : nil
  }

  /// What limits the speed of the recording.
  package enum Bottleneck: Hashable, Sendable {
    /// The source's own pace, for which all stages wait, and its share of the time.
    case pace(Double)
    /// The name of the busiest stage, and its share of the time.
    case stage(String, Double)
  }

  /// What limits the speed; nil if no stage could be measured.
  package var bottleneck: Bottleneck? {
    guard wall > 0 else { return nil }
    let measured = stages.compactMap { stage in
      (stage.busy ?? stage.awaited).map { (stage.name, min($0 / wall, 1)) }
    }
    guard let busiest = measured.max(by: { $0.1 < $1.1 }) else { return nil }
    let pace = min(paused / wall, 1)
    return pace > busiest.1 ? .pace(pace) : .stage(busiest.0, busiest.1)
  }
}

extension RecordingStatistics.Bottleneck {
  /// "pace" or the stage's name.
  package var name: String {
    switch self {
    case .pace: "pace"
    case .stage(let name, _): name
    }
  }

  /// One sentence for the user.
  package var sentence: String {
    switch self {
    case .pace(let share):
      "bottleneck: none; all stages wait for the source's own pace \(percent(share)) of the time"
    case .stage(let name, let share) where share >= 0.5:
      "bottleneck: \(name), busy \(percent(share)) of the time while the others wait"
    case .stage(let name, let share):
      "bottleneck: no single stage; \(name), the busiest, works \(percent(share)) of the time"
    }
  }

  private func percent(_ share: Double) -> String { "\(Int((100 * share).rounded()))%" }
}
