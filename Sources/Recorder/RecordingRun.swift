import Capture
import Encode
import Frames
import Synchronization

/// The threads of a recording and the queues between them: capture, the GPU stages, and one encode
/// thread for each output.
///
/// A stage that fails stops the others, and the first failure is reported. What was encoded before it is
/// kept. An output that fails stops the stages only if no other output keeps the frames.
final class RecordingRun: Sendable {
  /// Maximum number of decoded frames that wait for the GPU, and of finished frames that wait for an
  /// encoder: enough to absorb one slow frame on either side.
  static let queuedFrames = 3

  private let timeline: Timeline
  private let movingInputs: [MovingInput]
  private let control: RecordingControl
  private let plan: RecordingPlan
  private let captured: BoundedQueue<TimelineItem>
  private let outputs: EncodeStages
  private let failure = Mutex<(any Error)?>(nil)
  private let endings = Mutex(Endings())
  private let counts: RecordingCounts
  private let times = RunTimes()
  private let microphone: MicrophoneTrack?
  /// The GPU stages, which their thread uses; they are released behind the outputs, because the driver may take long.
  private let stage: Handover<RenderStage>
  private let events: @Sendable (RecordingEvent) -> Void

  /// Indexes of the outputs that have stopped accepting frames.
  private struct Endings: Sendable {
    var ended: Set<Int> = []
    /// Notices sent about outputs that failed while others continued, by output index.
    var reported: [Int: Notice] = [:]
    /// Whether a stop ended the capture, and not the end of the source.
    var wasStopped = false
  }

  init(
    _ timeline: Timeline, movingInputs: [MovingInput] = [], stage: Handover<RenderStage>,
    outputs: [OpenOutput],
    plan: RecordingPlan, control: RecordingControl, microphone: MicrophoneTrack? = nil,
    events: @escaping @Sendable (RecordingEvent) -> Void
  ) {
    (self.timeline, self.stage) = (timeline, stage)
    self.movingInputs = movingInputs
    self.control = control
    self.plan = plan
    self.microphone = microphone
    self.events = events
    captured =
      plan.isLive
      ? .dropping(of: plan.source, rate: plan.frameRate)
      : .waiting(frames: RecordingRun.queuedFrames)
    counts = RecordingCounts(outputs: outputs.map(\.name), events: events)
    self.outputs = EncodeStages(
      outputs, plan: plan, isStopped: { control.isStopped }, counts: counts)
    stage.use { stage in
      stage.matched = { [counts] result in
        for place in outputs.indices {
          counts.matched(
            duplicated: result.duplicated, isLeftOut: result.isLeftOut, by: place)
        }
      }
    }
    microphone?.attach { [captured] block in captured.send(.audio(block)) }
  }

  /// Runs to the end and completes the outputs; throws the first failure, if no output was made.
  consuming func finish(start: MonotonicTime, calls: [TimedCall]) throws -> RecordingResult {
    let run = self
    // The last stage starts first, so that nothing has been read if a thread cannot be created.
    let bestEffort = run.outputs.bestEffort.map { stage in
      run.start(.encode, place: stage.place) { run.encode(stage) }
    }
    let keeping = run.outputs.keeping.map { stage in
      run.start(.encode, place: stage.place) { run.encode(stage) }
    }
    let gpu = run.start(.gpu) {
      // Frames finished before a failure are still encoded.
      do {
        if try !run.process() { run.stop() }
      } catch {
        run.note(error)
        run.stop()
      }
      run.outputs.close()
    }
    let capture = run.start(.capture) {
      // Items captured before a failure still go through the later stages.
      do { try run.capture() } catch { run.note(error) }
      // The audio of the last frame comes after that frame.
      do { try run.microphone?.finish() } catch { run.note(error) }
      run.outputs.waitWhenFull()
      run.captured.close()
    }
    for stage in [capture, gpu] + keeping { stage.join() }
    let failure = failure.withLock { $0 }
    // Completes these outputs before it joins the best-effort threads, which a device may still block.
    var ends = outputs.keeping.map { $0.complete(after: failure) }
    for stage in bestEffort { stage.join() }
    let isKept = ends.contains { $0.result.report != nil }
    ends += outputs.bestEffort.map { isKept ? $0.complete(after: failure) : $0.abandon() }
    let (read, reports) = (timeline.report, timeline.reports)
    var report = read
    for movingInput in movingInputs {
      report.incomplete = report.incomplete ?? movingInput.report.incomplete
    }
    let wasStopped = endings.withLock { $0.wasStopped }
    let progress = counts.current
    if !wasStopped, !plan.isLive {
      let lengths = timeline.descriptions.map(\.frameRate.reciprocal)
      report.shortage =
        report.shortage
        ?? plan.trim.shortfall(
          plan.input, progress,
          rounding: max(lengths.reduce(.zero, +), plan.outputRate.reciprocal))
    }
    var damage = (reports + movingInputs.map { ($0.description, $0.report) })
      .compactMap { $0.description.isReceived ? nil : $0.report.damage(of: $0.description) }
    if !timeline.description.isReceived {
      damage += ends.compactMap(\.result.report).compactMap { report in
        report.damage.map { Notice(.sourceDamaged, report.output, $0) }
      }
    }
    var end = try RecordingResult(
      ends, reported: endings.withLock { $0.reported }, failure: failure,
      source: (plan.input, report),
      damage: damage.first, progress: progress)
    end.microphone = microphone?.report
    end.wasStopped = wasStopped
    end.statistics = times.statistics(
      encoding: ends, paused: read.paused, queues: queues, start: start, calls: calls,
      streamStart: timeline.description.streamStart)
    if read.frames > 0 {
      end.statistics?.inPlace = .init(count: read.inPlace, total: read.frames)
    }
    return end
  }

  /// Starts a stage; if no thread can be created, the run fails and the other stages end.
  private func start(
    _ name: ThreadName, place: Int = 0, _ body: @escaping @Sendable () -> Void
  ) -> StageThread {
    do throws(ThreadError) {
      return StageThread(try WorkerThread(name, place: place, body: body))
    } catch {
      note(error)
      stop()
      outputs.close()
      return StageThread(nil)
    }
  }

  private func capture() throws {
    var times = StageTimes()
    defer { self.times.capture(times) }
    let stage = CaptureStage(
      control: control, plan: plan, counts: counts, microphone: microphone)
    try timeline.source.use { source in
      try stage.run(
        source, to: captured, droppedBehind: { outputs.droppedCount }, times: &times)
    }
    endings.withLock { $0.wasStopped = control.isStopped }
  }

  /// Runs stages two to four, on the GPU; false if nothing more of the source is wanted.
  private func process() throws -> Bool {
    try stage.use { stage in
      defer { times.gpu(stage.times, stage.gpuTimes) }
      return try stage.run(from: captured, to: outputs)
    } ?? true
  }

  private func encode(_ stage: EncodeStage) {
    defer { times.encodingEnds() }
    if stage.run() { return }
    let isLast = endings.withLock { endings in
      endings.ended.insert(stage.place)
      return !outputs.keeping.contains { !endings.ended.contains($0.place) }
    }
    guard !isLast else { return stop() }
    // An output that reached its frame limit has not failed.
    guard let failure = stage.failure else { return }
    let notice = Notice(
      .outputFailed, stage.output.name, "\(failure); the recording goes on without this output")
    endings.withLock { $0.reported[stage.place] = notice }
    counts.lost(stage.place)
    events(.notice(notice))
  }

  /// Stops reading from the source, and discards the captured frames that still wait.
  private func stop() {
    timeline.interrupt()
    captured.cancel()
  }

  private func note(_ error: any Error) { failure.withLock { $0 = $0 ?? error } }

  private var queues: [RecordingStatistics.Queue] {
    let weight = plan.isLive ? 1 : BoundedQueue<TimelineItem>.frameWeight
    return [.init(name: "captured", captured, frameWeight: weight)] + outputs.queues
  }
}

/// The thread that a stage runs on; nil if it could not be created.
private final class StageThread {
  private var thread: WorkerThread?

  init(_ thread: consuming WorkerThread?) { self.thread = thread }

  func join() { thread.take()?.join() }
}
