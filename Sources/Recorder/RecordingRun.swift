import Capture
import Encode
import FFmpegHandles
import Frames
import Synchronization

/// The three threads of a recording and the two queues between them: capture, the GPU's stages, and
/// encode.
///
/// A stage that fails stops the others; the first failure is what is told. What was encoded until
/// then is kept.
final class RecordingRun: Sendable {
  /// Decoded pictures that may wait for the GPU, and finished ones for the encoder: enough to ride
  /// out a slow frame on either side.
  private static let queuedFrames = 3

  private let source: any LineSource
  private let sink: any MediaSink
  private let control: RecordingControl
  private let limit: RecordingLimit
  private let constantRate: Rational?
  private let captured: BoundedQueue<LineItem>
  private let finished = LineItem.queue(frames: queuedFrames)
  private let failure = Mutex<(any Error)?>(nil)
  private let counts: RecordingCounts
  private let times = RunTimes()
  private let microphone: MicrophoneTrack?
  private let stageThread: Mutex<StageBox?>

  /// The GPU's stages on their way to their thread, which alone touches them from then on.
  private struct StageBox: @unchecked Sendable {
    // @unchecked: handed over once, before any use.
    let stage: LineStage
  }

  init(
    source: any LineSource, stage: LineStage, sink: any MediaSink, control: RecordingControl,
    limit: RecordingLimit, constantRate: Rational?,
    microphone: MicrophoneTrack?, events: @escaping @Sendable (RecordingEvent) -> Void
  ) {
    self.source = source
    self.sink = sink
    self.control = control
    self.limit = limit
    self.constantRate = constantRate
    self.microphone = microphone
    captured =
      source.description.isLive
      ? LineItem.droppingQueue(of: source.firstFormat, rate: source.description.frameRate)
      : LineItem.queue(frames: RecordingRun.queuedFrames)
    counts = RecordingCounts(events: events)
    stageThread = Mutex(StageBox(stage: stage))
    microphone?.attach { [captured] packet in captured.send(.sound(packet)) }
  }

  /// Runs to the end and completes the output.
  ///
  /// - Parameters:
  ///   - start: When the program started.
  ///   - calls: Of its start, to be listed apart in the statistics.
  /// - Returns: How it ended.
  /// - Throws: The first failure, where nothing was made.
  consuming func finish(start: MonotonicTime, calls: [TimedCall]) throws -> RecordingEnd {
    let run = self
    let capture = WorkerThread(.capture) {
      // What was captured before a failure goes on down the line.
      do { try run.capture() } catch { run.note(error) }
      do { try run.microphone?.finish() } catch { run.note(error) }
      run.captured.close()
    }
    let gpu = WorkerThread(.gpu) {
      // What was finished before a failure is still encoded.
      run.guarding { try run.process() }
      run.finished.close()
    }
    let encode = WorkerThread(.encode) {
      run.guarding { try run.encode() }
      run.finished.cancel()
    }
    capture.join()
    gpu.join()
    encode.join()
    return try complete(start: start, calls: calls)
  }

  /// Stage one: what the source gives, less pauses.
  private func capture() throws {
    var times = StageTimes()
    defer { self.times.capture(times) }
    defer { source.finish() }
    let description = source.description
    var pause = PauseCut(interval: description.frameRate.reciprocal)
    var end = Rational.zero
    defer { microphone?.end(at: end) }
    while var item = try timed(&times.busy, { try source.next() }) {
      while control.isPaused, !description.isLive {
        MonotonicTime.sleep(until: .now + Rational(1, 50))
      }
      if control.isPaused {
        if let time = pause.skip() { microphone?.pause(at: time) }
        continue
      }
      switch item {
      case .frame(var frame):
        frame.time = pause.time(of: frame.time)
        let dropped = captured.droppedCount
        guard !limit.excludes(frameAt: frame.time, after: times.frames, dropped: dropped) else {
          return
        }
        end = limit.end(ofFrameAt: frame.time, lasting: frame.duration ?? pause.interval)
        microphone?.picture(taken: frame.captured ?? .now, shown: frame.time)
        item = .frame(frame)
      case .joined: break
      case .sound(let packet): item = .sound(try packet.moved(to: packet.time - pause.cut))
      }
      if item.weight == LineItem.pictureWeight {
        counts.frameIn()
        times.frames += 1
      }
      guard timed(&times.room, { captured.send(item) }) else { return }
      counts.dropped(captured.droppedCount)
      if limit.isReached(sent: times.frames, dropped: captured.droppedCount) { return }
    }
  }

  /// Stages two to four, on the GPU.
  private func process() throws {
    guard let box = stageThread.withLock({ $0.take() }) else { return }
    defer { times.gpu(box.stage.times, box.stage.gpuTimes) }
    try box.stage.run(from: captured, to: finished)
  }

  /// Stage five.
  private func encode() throws {
    var times = StageTimes()
    var firstFrame: MonotonicTime?
    var grid = constantRate.map { ConstantRate($0) }
    var written = 0
    defer { self.times.encode(times, firstFrame: firstFrame) }
    func write(_ frame: Frame) throws {
      guard written < limit.outputFrames ?? .max else { return }
      firstFrame = firstFrame ?? .now
      try timed(&times.busy) { try sink.write(frame) }
      times.frames += 1
      written += 1
      counts.frameOut(end: frame.time + (frame.duration ?? .zero))
    }
    while let item = timed(&times.input, { finished.receive() }) {
      switch item {
      case .joined: preconditionFailure("the GPU's stages make one frame of two")
      case .sound(let packet): try timed(&times.busy) { try sink.write(packet) }
      case .frame(let frame):
        guard let result = try grid?.pass(frame, to: write) else {
          try write(frame)
          continue
        }
        counts.matched(duplicated: result.duplicated, isLeftOut: result.isLeftOut)
        guard written < limit.outputFrames ?? .max else {
          source.interrupt()
          captured.cancel()
          return
        }
      }
    }
    if let duplicated = try grid?.finish(write) {
      counts.matched(duplicated: duplicated, isLeftOut: false)
    }
  }

  /// Runs a stage; if it fails, those before it stop.
  private func guarding(_ stage: () throws -> Void) {
    do {
      try stage()
    } catch {
      note(error)
      source.interrupt()
      captured.cancel()
    }
  }

  private func note(_ error: any Error) { failure.withLock { $0 = $0 ?? error } }

  private func complete(start: MonotonicTime, calls: [TimedCall]) throws -> RecordingEnd {
    let failure = failure.withLock { $0 }
    let report = source.report
    if let failure, counts.current.framesOut == 0 {
      sink.abandon()
      throw failure
    }
    let sinkReport: SinkReport
    var completion = 0.0
    do {
      sinkReport = try timed(&completion) { try sink.finish() }
    } catch {
      throw failure ?? error
    }
    var incomplete = report.incomplete
    if let failure {
      incomplete = "\(failure); what was encoded until then is in \(sinkReport.output)"
    }
    var end = RecordingEnd(
      progress: counts.current, report: sinkReport, predictedTimes: report.predictedTimes,
      incomplete: incomplete)
    end.lostByDriver = report.lostByDriver
    end.damaged = report.damaged
    end.microphone = microphone?.report
    end.statistics = times.statistics(
      completion: completion, paused: report.paused, queues: queues, start: start, calls: calls,
      streamStart: source.description.streamStart)
    return end
  }

  private var queues: [RecordingStatistics.Queue] {
    let weight = source.description.isLive ? 1 : LineItem.pictureWeight
    return [
      .init(name: "captured", captured, frameWeight: weight),
      .init(name: "finished", finished, frameWeight: LineItem.pictureWeight),
    ]
  }
}
