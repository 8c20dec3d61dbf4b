import Encode
import FFmpegHandles
import Frames
import Synchronization

/// Stage five for one output: the queue in front of it, its thread's work, and how it ended.
final class EncodeStage: Sendable {
  let output: OpenOutput
  /// Its number among the outputs.
  let place: Int
  private let queue: BoundedQueue<FinishedItem>
  /// A frame's share of the queue.
  private let frameWeight: Int
  private let grid: ConstantRate?
  private let frameLimit: Int
  private let isStopped: @Sendable () -> Bool
  private let counts: RecordingCounts
  private let state = Mutex(State())

  private struct State: Sendable {
    var times = StageTimes()
    var firstFrame: MonotonicTime?
    var failure: (any Error)?
    var gaps: GapCut?
  }

  /// - Parameters:
  ///   - output: What it writes to.
  ///   - place: Its number among the outputs.
  ///   - room: What waits for it.
  ///   - grid: The output's constant rate, if it has one.
  ///   - frameLimit: How many frames it writes at most; nil as many as come.
  ///   - isStopped: The recording is to end soon.
  ///   - counts: What it tells of its frames.
  init(
    _ output: OpenOutput, place: Int, room: OutputRoom, grid: ConstantRate?, frameLimit: Int?,
    isStopped: @escaping @Sendable () -> Bool, counts: RecordingCounts
  ) {
    self.output = output
    self.place = place
    self.grid = grid
    self.frameLimit = frameLimit ?? .max
    self.isStopped = isStopped
    self.counts = counts
    (queue, frameWeight) = room.queue()
  }

  /// Hands over what the stages before have made; false when no more is taken.
  func send(_ item: FinishedItem) -> Bool {
    // Whether a gap is one, the sound tells also those that do not take it.
    if !item.isPicture, !output.takesAudio, grid?.gaps == nil { return !hasFailed }
    let isTaken = queue.send(item)
    counts.dropped(queue.droppedCount, by: place)
    return isTaken
  }

  /// Frames that gave way to newer ones in front of it.
  var droppedCount: Int { queue.droppedCount }

  /// What comes from now on can wait for it.
  func waitWhenFull() { queue.waitWhenFull() }

  /// No more comes.
  func close() { queue.close() }

  var failure: (any Error)? { state.withLock { $0.failure } }
  private var hasFailed: Bool { failure != nil }

  /// Writes all that comes.
  ///
  /// - Returns: Whether it could have taken more: it has neither failed nor reached its limit.
  func run() -> Bool {
    defer { queue.cancel() }
    var work = Work()
    defer {
      state.withLock { state in
        (state.times, state.firstFrame, state.gaps) = (work.times, work.firstFrame, work.gaps)
      }
    }
    do {
      return try encode(&work)
    } catch {
      state.withLock { $0.failure = error }
      return false
    }
  }

  /// What the thread alone touches.
  private struct Work {
    var times = StageTimes()
    var firstFrame: MonotonicTime?
    var gaps: GapCut?
  }

  private func encode(_ work: inout Work) throws -> Bool {
    var grid = grid
    defer { work.gaps = grid?.gaps }
    while let item = timed(&work.times.input, { queue.receive() }) {
      switch item {
      case .sound(let packet):
        let time = grid?.time(ofSound: packet.time, lasting: packet.duration) ?? packet.time
        guard output.takesAudio else { continue }
        let moved = time == packet.time ? packet : try packet.moved(to: time)
        try timed(&work.times.busy) { try output.sink.write(moved) }
      case .audio(let block):
        // It has no gaps of its own that could be cut.
        _ = grid?.time(ofSound: block.time, lasting: block.duration)
        guard output.takesAudio else { continue }
        try timed(&work.times.busy) { try output.sink.write(block) }
      case .frame(let frame):
        guard let result = try grid?.pass(frame, unless: isStopped, to: { try write($0, &work) })
        else {
          try write(frame, &work)
          continue
        }
        counts.matched(
          duplicated: result.duplicated, isLeftOut: result.isLeftOut, by: place)
        guard work.times.frames < frameLimit else { return false }
      }
    }
    if let duplicated = try grid?.finish(unless: isStopped, { try write($0, &work) }) {
      counts.matched(duplicated: duplicated, isLeftOut: false, by: place)
    }
    return true
  }

  private func write(_ frame: Frame, _ work: inout Work) throws {
    guard work.times.frames < frameLimit else { return }
    work.firstFrame = work.firstFrame ?? .now
    try timed(&work.times.busy) { try output.sink.write(frame) }
    work.times.frames += 1
    counts.frameOut(end: frame.time + (frame.duration ?? .zero), by: place)
  }

  /// Completes the output, once the thread has ended, or drops it where a failure left nothing in it.
  ///
  /// - Parameter failure: Of the stages before.
  /// - Returns: How the output ended.
  func complete(after failure: (any Error)?) -> EncodeResult {
    var end = end
    if failure != nil || end.failure != nil, end.times.frames == 0 {
      output.sink.abandon()
      return end
    }
    do {
      end.result.report = try timed(&end.completion) { try output.sink.finish() }
    } catch {
      let (first, joined) = (end.failure, EncodeResult.joined(end.failure, error))
      end.failure = joined
      // A pipe has nothing more to say than that its reader has gone.
      end.isUnfinished = first.map { "\($0)" } != "\(joined)"
    }
    return end
  }

  /// Drops the output, once the thread has ended.
  func abandon() -> EncodeResult {
    output.sink.abandon()
    return end
  }

  private var end: EncodeResult {
    let state = state.withLock { $0 }
    var result = OutputResult(name: output.name)
    result.cutGaps = (state.gaps?.count ?? 0, state.gaps?.removed ?? .zero)
    return EncodeResult(
      times: state.times, firstFrame: state.firstFrame, failure: state.failure,
      isBestEffort: output.isBestEffort, result: result)
  }

  /// How full its queue was.
  func statistics(name: String) -> RecordingStatistics.Queue {
    .init(name: name, queue, frameWeight: frameWeight)
  }
}

/// How stage five ended for one output.
struct EncodeResult: Sendable {
  let times: StageTimes
  let firstFrame: MonotonicTime?
  /// Its own, which ended it too early or made its completion fail.
  var failure: (any Error)?
  let isBestEffort: Bool
  /// It has frames and could not be completed; `failure` says where they are.
  var isUnfinished = false
  /// What completing the output took, in seconds.
  var completion = 0.0
  var result: OutputResult

  /// What ended an output, and what then became of it.
  static func joined(_ first: (any Error)?, _ second: any Error) -> any Error {
    guard let first, !"\(second)".hasPrefix("\(first)") else { return second }
    return RecorderError("\(first); \(second)")
  }
}
