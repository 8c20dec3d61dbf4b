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

  private let source: OpenedSource
  private let sink: any MediaSink
  private let captured: BoundedQueue<LineItem>
  private let finished = LineItem.queue(frames: queuedFrames)
  private let failure = Mutex<(any Error)?>(nil)
  private let counts: RecordingCounts
  private let stageThread: Mutex<StageBox?>

  /// The GPU's stages on their way to their thread, which alone touches them from then on.
  private struct StageBox: @unchecked Sendable {
    // @unchecked: handed over once, before any use.
    let stage: LineStage
  }

  init(
    source: OpenedSource, stage: LineStage, sink: any MediaSink,
    events: @escaping @Sendable (RecordingEvent) -> Void
  ) {
    self.source = source
    self.sink = sink
    captured =
      source.media.description.isLive
      ? LineItem.droppingQueue(
        of: source.first.format, rate: source.media.description.frameRate)
      : LineItem.queue(frames: RecordingRun.queuedFrames)
    counts = RecordingCounts(events: events)
    stageThread = Mutex(StageBox(stage: stage))
  }

  /// Runs to the end and completes the output.
  consuming func finish() throws -> RecordingEnd {
    let run = self
    let capture = WorkerThread(.capture) {
      // What was captured before a failure goes on down the line.
      do { try run.capture() } catch { run.note(error) }
      run.captured.close()
    }
    let gpu = WorkerThread(.gpu) {
      run.guarding { try run.process() }
      run.finished.close()
    }
    let encode = WorkerThread(.encode) {
      run.guarding { try run.encode() }
    }
    capture.join()
    gpu.join()
    encode.join()
    return try complete()
  }

  /// Stage one: the source's samples, with times from the first frame's.
  private func capture() throws {
    let zero = source.first.time
    var next: MediaSample? = .frame(source.first)
    while let sample = next {
      let item: LineItem
      switch sample {
      case .frame(var frame):
        frame.time = frame.time - zero
        frame.captured = frame.captured ?? .now
        counts.frameIn()
        item = .frame(frame)
      case .sound(let packet): item = .sound(try packet.moved(to: packet.time - zero))
      }
      guard captured.send(item) else { return }
      counts.dropped(captured.droppedCount)
      next = try source.media.next()
    }
  }

  /// Stages two to four, on the GPU.
  private func process() throws {
    guard let box = stageThread.withLock({ $0.take() }) else { return }
    try box.stage.run(from: captured, to: finished)
  }

  /// Stage five.
  private func encode() throws {
    while let item = finished.receive() {
      switch item {
      case .frame(let frame):
        try sink.write(frame)
        counts.frameOut(end: frame.time + (frame.duration ?? .zero))
      case .sound(let packet): try sink.write(packet)
      }
    }
  }

  private func guarding(_ stage: () throws -> Void) {
    do {
      try stage()
    } catch {
      note(error)
      source.media.interrupt()
      captured.cancel()
      finished.cancel()
    }
  }

  private func note(_ error: any Error) { failure.withLock { $0 = $0 ?? error } }

  private func complete() throws -> RecordingEnd {
    let failure = failure.withLock { $0 }
    let report = source.media.report
    if let failure, counts.current.framesOut == 0 {
      sink.abandon()
      throw failure
    }
    let sinkReport: SinkReport
    do {
      sinkReport = try sink.finish()
    } catch {
      throw failure ?? error
    }
    var incomplete = report.incomplete
    if let failure {
      incomplete = "\(failure); what was encoded until then is in \(sinkReport.output)"
    }
    return RecordingEnd(
      progress: counts.current, report: sinkReport, predictedTimes: report.predictedTimes,
      incomplete: incomplete)
  }
}
