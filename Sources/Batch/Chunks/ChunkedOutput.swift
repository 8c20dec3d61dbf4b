import Capture
import Encode
import Frames
import Recorder
import Synchronization

/// Makes outputs of long inputs: cuts the input, records each chunk apart, and joins them.
struct ChunkedOutput: Sendable {
  let request: BatchRequest
  let length: ChunkLength
  let store: ChunkStore
  let board: ChunkBoard
  let gpu: SharedGPU
  let control: BatchControl
  let events: @Sendable (BatchEvent) -> Void

  /// A chunk is not what the plan says, so the input must stay whole.
  private struct Mismatch: Error {
    let reason: String
  }

  private enum Outcome: Sendable {
    case made(end: Rational)
    /// The batch was stopped, or another chunk failed.
    case skipped
    case failed(any Error)
  }

  /// Records an input in chunks, into a file in the work folder; returns nil if the input stays whole.
  ///
  /// - Throws: Why the output was not made; chunks that were made are kept.
  func record(
    _ item: BatchPlan.Item, _ recording: Recording, _ control: RecordingControl,
    _ read: ReadFiles, warn: @escaping @Sendable (String) -> Void
  ) throws -> SinkReport? {
    do {
      control.attach(recording.source.interruption)
      let plan = try ChunkPlan(
        recording, length: length, leadIn: request.chunkLeadIn,
        interruption: recording.source.interruption)
      let parts = try makeChunks(of: plan, item, recording, read, warn: warn)
      let report = try joinParts(recording, parts: parts, control: control, gpu: gpu) { notice in
        if notice.severity == .warning { warn(notice.message) }
      }
      guard report.frames == plan.frames else {
        throw BatchError(
          "\(item.input): the joined output has \(report.frames) frames instead of \(plan.frames)")
      }
      return report
    } catch let whole as ChunkPlan.Whole {
      if case .because(let reason) = whole { warn("\(item.input) \(reason)") }
    } catch let mismatch as Mismatch {
      warn("\(item.input) is rendered whole: \(mismatch.reason)")
    }
    store.remove(item.output)
    return nil
  }

  /// Records the chunks that are not there yet; threads that have no other work help.
  private func makeChunks(
    of plan: ChunkPlan, _ item: BatchPlan.Item, _ recording: Recording, _ read: ReadFiles,
    warn: @escaping @Sendable (String) -> Void
  ) throws -> MovieParts {
    let fileExtension = item.output.split(separator: ".").last.map(String.init) ?? "mov"
    var paths: [String] = []
    var work: [ChunkBoard.Task] = []
    let outcomes = BoundedQueue<Outcome>(capacity: 1, weight: { _ in 0 })
    let hasFailed = Shared(false)
    // Chunks have the same notices; those from before the first frame come with the join.
    let reported = Shared<Set<NoticeID>>([])
    var last: Rational?
    let progress = Shared(0)
    let frames = ChunkFrames(of: plan)
    for (number, chunk) in plan.chunks.enumerated() {
      let path = try store.path(of: chunk.name, output: item.output, fileExtension: fileExtension)
      paths.append(path)
      if let made = store.made(chunk.name, of: item, at: path),
        (try? MoviePart(path))?.frames == chunk.frames
      {
        progress.change { $0 += 1 }
        frames.note(chunk.frames, of: number)
        if number == plan.chunks.count - 1 { last = made.end }
        continue
      }
      work.append {
        guard !hasFailed.value else { return _ = outcomes.send(.skipped) }
        do {
          let end = try make(chunk, plan, item, recording, into: path, read, reported, warn) {
            count, ready in
            frames.note(count, of: number)
            events(.progress(item, frames.progress, frames.whole(ready)))
          }
          guard let end else {
            return _ = outcomes.send(.skipped)
          }
          let count = progress.change { count in
            count += 1
            return count
          }
          events(.chunk(item, made: count, of: plan.chunks.count))
          outcomes.send(.made(end: end))
        } catch {
          hasFailed.change { $0 = true }
          outcomes.send(.failed(error))
        }
      }
    }
    let ends = board.run(work, collecting: outcomes)
    var isStopped = false
    for end in ends {
      switch end {
      case .failed(let error): throw error
      case .skipped: isStopped = true
      case .made(let end): last = max(last ?? end, end)
      }
    }
    guard !isStopped, let last else { throw BatchError("\(item.input) was stopped") }
    return MovieParts(paths: paths, end: last)
  }

  /// Records one chunk and checks it; returns the time at which its last frame ends, in seconds; nil if the batch was stopped.
  private func make(
    _ chunk: ChunkPlan.Chunk, _ plan: ChunkPlan, _ item: BatchPlan.Item, _ whole: Recording,
    into path: String, _ read: ReadFiles, _ reported: Shared<Set<NoticeID>>,
    _ warn: @escaping @Sendable (String) -> Void,
    progress: @escaping @Sendable (Int, RecordingReady) -> Void
  ) throws -> Rational? {
    let id = ChunkedOutput.nextID()
    guard let control = control.begin(id) else { return nil }
    defer { self.control.end(id) }
    var recording = whole
    recording.source.interruption = Interruption()
    recording.source.range = chunk.range
    recording.source.includesAudio = false
    recording.encoding.isPart = true
    recording.outputs = [path]
    let isOther = Shared(false)
    let opened = Shared<RecordingReady?>(nil)
    let end = try Recorder.record(recording, control: control, gpu: gpu) { event in
      switch event {
      case .ready(let ready):
        opened.change { $0 = ready }
        guard ready.source != plan.format else { return }
        isOther.change { $0 = true }
        control.stop()
      case .progress(let current):
        if let ready = opened.value { progress(current.framesOut, ready) }
      case .notice(let notice) where notice.severity == .warning && opened.value != nil:
        if reported.change({ $0.insert(notice.id).inserted }) { warn(notice.message) }
      default: break
      }
    }
    if isOther.value { throw Mismatch(reason: "its frames change their format") }
    if let shortfall = end.shortfall { throw BatchError(shortfall) }
    // The whole says what is wrong with it.
    if end.flaw != nil { throw Mismatch(reason: end.incomplete?.message ?? "it is damaged") }
    guard !control.isStopped, let report = end.report else { return nil }
    let part = try MoviePart(path)
    guard report.frames == chunk.frames, part.frames == chunk.frames else {
      throw Mismatch(
        reason: "its frames \(chunk.name) gave \(report.frames) frames instead of \(chunk.frames)")
    }
    // A container may store milliseconds.
    let shift = part.first - chunk.start
    guard max(shift, -shift) < Rational(1, 500) else {
      throw Mismatch(
        reason:
          "its frame \(chunk.range.first) came at \(part.first.doubleValue) seconds instead of "
          + "\(chunk.start.doubleValue)")
    }
    try read.check()
    try store.add(chunk.name, of: item, at: path, frames: part.frames, end: report.duration)
    return report.duration
  }

  /// Numbers for `BatchControl`, which items do not have.
  private static let ids = Mutex(0)
  private static func nextID() -> Int {
    ids.withLock { id in
      id -= 1
      return id
    }
  }
}

/// The progress of all chunks of an input together.
private final class ChunkFrames: Sendable {
  private let plan: ChunkPlan
  private let start = MonotonicTime.now
  private let made: Shared<[Int: Int]> = Shared([:])

  init(of plan: ChunkPlan) { self.plan = plan }

  func note(_ frames: Int, of chunk: Int) { made.change { $0[chunk] = frames } }

  var progress: RecordingProgress {
    let frames = made.value.values.reduce(0, +)
    let seconds = plan.seconds * Rational(Int64(frames)) / Rational(Int64(max(plan.frames, 1)))
    return RecordingProgress(
      frames: frames, time: seconds, elapsed: MonotonicTime.now.seconds(since: start))
  }

  /// A chunk's facts with those of the whole in their place.
  func whole(_ chunk: RecordingReady) -> RecordingReady {
    var ready = chunk
    (ready.frameCount, ready.duration) = (plan.frames, plan.seconds)
    return ready
  }
}

/// A value that several threads change.
private final class Shared<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>
  init(_ value: Value) { mutex = Mutex(value) }
  var value: Value { mutex.withLock { $0 } }

  @discardableResult
  func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { value in body(&value) }
  }
}
