/// Where the time of a recording went.
package struct RecordingStatistics: Sendable {
  /// One of the line's stages; times are in seconds.
  package struct Stage: Sendable {
    package var name: String
    /// Frames that went through.
    package var frames: Int
    /// Nil where it cannot be measured: a GPU without a clock.
    package var busy: Double?
    /// Waiting for something to do, and for room behind it; nil where the stage has no thread.
    package var input: Double?
    package var room: Double?
    /// How long another stage's thread did nothing but wait for this one; nil where nobody does.
    ///
    /// It was busy at least that long.
    package var awaited: Double?

    package init(
      name: String, frames: Int, busy: Double?, input: Double? = nil, room: Double? = nil,
      awaited: Double? = nil
    ) {
      self.name = name
      self.frames = frames
      self.busy = busy
      self.input = input
      self.room = room
      self.awaited = awaited
    }

    /// Milliseconds.
    package var perFrame: Double? { frames > 0 ? busy.map { 1000 * $0 / Double(frames) } : nil }
  }

  /// A queue between two stages, in frames.
  package struct Queue: Sendable {
    package var name: String
    package var room: Int
    /// Over time.
    package var mean: Double
    package var largest: Double

    package init(name: String, room: Int, mean: Double, largest: Double) {
      self.name = name
      self.room = room
      self.mean = mean
      self.largest = largest
    }
  }

  /// Seconds from the first frame's way down the line to the output's completion.
  package var wall: Double
  /// In the order of the line; those that no frame went through are left out.
  package var stages: [Stage]
  /// How long a source with a pace of its own made the line wait, in seconds.
  package var paused: Double
  package var queues: [Queue]
  /// The busiest first, since the program's start.
  package var threads: [ThreadGroup]
  /// Processor seconds of all threads within `wall`.
  package var processor: Double
  /// Nil where the encoder was given no frame.
  package var startUp: StartUp?
  /// From the camera's start to the first recorded frame at the encoder, in seconds.
  package var streamToFirstFrame: Double?
  /// Pictures that a camera gave, and those of them that went on in its driver's memory.
  package struct InPlace: Sendable {
    package var count: Int
    package var total: Int
  }

  /// Nil of another source than a camera.
  package var inPlace: InPlace?
  /// The most memory that the process had at once, in bytes.
  package var peakMemory: Int

  package init(
    wall: Double, stages: [Stage], paused: Double, queues: [Queue], threads: [ThreadGroup],
    processor: Double, startUp: StartUp?, peakMemory: Int
  ) {
    self.wall = wall
    self.stages = stages
    self.paused = paused
    self.queues = queues
    self.threads = threads
    self.processor = processor
    self.startUp = startUp
    self.peakMemory = peakMemory
  }

  /// Processor cores in use on average.
  package var cores: Double? { wall > 0 ? processor / wall : nil }

  /// A stage's share of the wall time, 0 to 1.
  package func share(of stage: Stage) -> Double? {
    wall > 0 ? stage.busy.map { min($0 / wall, 1) } : nil
  }

  /// What holds the recording up.
  package enum Bottleneck: Hashable, Sendable {
    /// The source's own pace, for which all stages wait, and its share of the time.
    case pace(Double)
    /// The busiest stage by name, and its share of the time.
    case stage(String, Double)
  }

  /// Nil where no stage could be measured.
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
  /// "the source's pace" or the stage's name.
  package var name: String {
    switch self {
    case .pace: "pace"
    case .stage(let name, _): name
    }
  }

  /// One sentence for people.
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
