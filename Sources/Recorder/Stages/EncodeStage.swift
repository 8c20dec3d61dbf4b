import Capture
import Encode
import FFmpegHandles
import Frames
import Synchronization

/// Stage five for one output: its queue, the work of its thread, and its result.
final class EncodeStage: Sendable {
  let output: OpenOutput
  let place: Int
  private let queue: BoundedQueue<MediaSample>
  private let frameWeight: Int
  private let grid: ConstantRate?
  private let plan: RecordingPlan
  private let isStopped: @Sendable () -> Bool
  private let counts: RecordingCounts
  private let state = Mutex(State())

  private struct State: Sendable {
    var times = StageTimes()
    var firstFrame: MonotonicTime?
    var failure: (any Error)?
    var gaps: GapCut?
  }

  /// Makes the stage of an output; its queue `waits` if it never drops a frame.
  init(
    _ output: OpenOutput, place: Int, queue: BoundedQueue<MediaSample>, waits: Bool,
    grid: ConstantRate?, plan: RecordingPlan, isStopped: @escaping @Sendable () -> Bool,
    counts: RecordingCounts
  ) {
    (self.output, self.place, self.queue) = (output, place, queue)
    frameWeight = waits ? BoundedQueue<MediaSample>.frameWeight : 1
    (self.grid, self.plan, self.isStopped, self.counts) = (grid, plan, isStopped, counts)
  }

  /// Maximum number of frames to write.
  private var frameLimit: Int { plan.trim.output.frames ?? .max }

  /// Queues an item from the earlier stages; false if no more items are accepted.
  func send(_ item: MediaSample) -> Bool {
    // An output without audio still needs the audio to decide whether a gap is cut.
    if !item.isFrame, !output.takesAudio, grid?.gaps == nil { return !hasFailed }
    let isTaken = queue.send(item)
    counts.dropped(queue.droppedCount, by: place)
    return isTaken
  }

  var droppedCount: Int { queue.droppedCount }

  /// Makes the sender wait if the queue is full, instead of dropping frames.
  func waitWhenFull() { queue.waitWhenFull() }

  func close() { queue.close() }

  var failure: (any Error)? { state.withLock { $0.failure } }
  private var hasFailed: Bool { failure != nil }

  /// Writes all items; returns whether it could have written more: it has neither failed nor reached its limit.
  func run() -> Bool {
    defer { queue.cancel() }
    do {
      return try output.sink.use { sink in try encode(to: sink) } ?? false
    } catch {
      state.withLock { $0.failure = error }
      return false
    }
  }

  /// State that only the encode thread uses.
  private struct Work {
    let sink: any MediaSink
    var times = StageTimes()
    var firstFrame: MonotonicTime?
    /// The time at which the audio ends that came, by track.
    var heard: [Int: Rational] = [:]
    /// The time until which the last frame is shown.
    var shownUntil = Rational.zero
    /// Subtitles that wait for the frames and the audio of their time, in order.
    var subtitles: [CompressedPacket] = []
    /// Subtitles at their output times that wait for the frames that show how long they last.
    var timed: [CompressedPacket] = []
  }

  private func encode(to sink: any MediaSink) throws -> Bool {
    var (work, grid) = (Work(sink: sink), grid)
    defer {
      state.withLock { state in
        (state.times, state.firstFrame, state.gaps) = (work.times, work.firstFrame, grid?.gaps)
      }
    }
    // The audio ends with the frames, as far as their end is known before they come.
    let end = grid?.end(ofFrames: frameLimit)
    while let item = timed(&work.times.input, { queue.receive() }) {
      switch item {
      case .codedAudio(let packet):
        let time = grid?.time(ofAudio: packet.time, lasting: packet.duration) ?? packet.time
        guard output.takesAudio, output.copiesAudio else { continue }
        work.heard[packet.streamIndex] = time + packet.duration
        if end.map({ time < $0 }) ?? true {
          let moved = time == packet.time ? packet : try packet.moved(to: time)
          try timed(&work.times.busy) { try work.sink.write(moved) }
        }
        if work.times.frames >= frameLimit, hasHeard(until: end, work) { return false }
      case .audioForEffects: break
      case .subtitle(let packet):
        if output.takesAudio { work.subtitles.append(packet) }
      case .audio(let block):
        let time = grid?.time(ofAudio: block.time, lasting: block.duration) ?? block.time
        guard output.takesAudio, output.encodesAudio else { continue }
        // The end of the whole block counts, because the part before `end` may stop up to half a sample earlier.
        work.heard[block.track] = time + block.duration
        if let part = block.moved(to: time).until(end) {
          try timed(&work.times.busy) { try work.sink.write(part) }
        }
        if work.times.frames >= frameLimit, hasHeard(until: end, work) { return false }
      case .frame(let frame):
        if work.times.frames >= frameLimit, let end {
          guard !hasHeard(until: end, work), frame.time < end + Self.longestLag else {
            return false
          }
          continue
        }
        guard let result = try grid?.pass(frame, unless: isStopped, to: { try write($0, &work) })
        else {
          try write(frame, &work)
          continue
        }
        counts.matched(
          duplicated: result.duplicated, isLeftOut: result.isLeftOut, by: place)
        guard work.times.frames < frameLimit else {
          try timeSubtitles(of: grid, isOver: true, &work)
          try writeSubtitles(isOver: true, &work)
          guard !hasHeard(until: end, work) else { return false }
          continue
        }
      }
      try timeSubtitles(of: grid, &work)
      try writeSubtitles(&work)
    }
    try timeSubtitles(of: grid, isOver: true, &work)
    if let result = try grid?.finish(unless: isStopped, { try write($0, &work) }) {
      counts.matched(duplicated: result.duplicated, isLeftOut: result.isLeftOut, by: place)
    }
    try writeSubtitles(isOver: true, &work)
    return true
  }

  /// Whether the audio of the frames was written, or none is.
  private func hasHeard(until end: Rational?, _ work: Work) -> Bool {
    guard let end, output.takesAudio else { return true }
    let tracks = output.encodesAudio ? plan.audio.count : plan.codedAudio
    return work.heard.count >= tracks && work.heard.values.allSatisfy { $0 >= end }
  }

  /// The wait for missing audio ends when a frame comes this many seconds after the end of the output.
  static let longestLag = Rational.one

  /// Finds the output times of subtitles, which may lie behind a gap that is cut.
  private func timeSubtitles(
    of grid: ConstantRate?, isOver: Bool = false, _ work: inout Work
  ) throws {
    let end = grid?.end(ofFrames: frameLimit)
    while let packet = work.subtitles.first,
      let time = grid == nil
        ? packet.time : grid?.time(ofSubtitle: packet.time, isOver: isOver)
    {
      work.subtitles.removeFirst()
      let shown = min(packet.duration, end.map { $0 - time } ?? packet.duration)
      guard shown > .zero || packet.duration <= .zero, end.map({ time < $0 }) ?? true else {
        continue
      }
      work.timed.append(try packet.moved(to: time, lasting: shown))
    }
  }

  /// Writes subtitles in the order of each track; those of other files than the source end with its last frame.
  private func writeSubtitles(isOver: Bool = false, _ work: inout Work) throws {
    var waiting: [CompressedPacket] = []
    for packet in work.timed {
      var packet = packet
      if packet.streamIndex >= plan.ownSubtitles {
        let rest = work.shownUntil - packet.time
        guard isOver || packet.duration <= rest,
          !waiting.contains(where: { $0.streamIndex == packet.streamIndex })
        else {
          waiting.append(packet)
          continue
        }
        guard rest > .zero else { continue }
        packet = try packet.moved(to: packet.time, lasting: min(packet.duration, rest))
      }
      try timed(&work.times.busy) { try work.sink.write(subtitle: packet) }
    }
    work.timed = waiting
  }

  private func write(_ frame: Frame, _ work: inout Work) throws {
    guard work.times.frames < frameLimit else { return }
    work.firstFrame = work.firstFrame ?? .now
    try timed(&work.times.busy) { try work.sink.write(frame) }
    work.times.frames += 1
    let usual = plan.isLive ? .zero : plan.outputRate.reciprocal
    work.shownUntil = frame.time + (frame.duration ?? usual)
    counts.frameOut(end: work.shownUntil, by: place)
  }

  /// Completes the output after the thread has ended, or drops it if a failure (of earlier stages, or its own) left it
  /// empty.
  func complete(after failure: (any Error)?) -> EncodeResult {
    var end = end
    if failure != nil || end.failure != nil, end.times.frames == 0 {
      return abandon()
    }
    do {
      end.result.report = try timed(&end.completion) {
        try output.sink.use { sink in try sink.finish() }
      }
      end.result.incomplete = end.result.report?.shortfall
    } catch {
      let (first, joined) = (end.failure, EncodeResult.joined(end.failure, error))
      end.failure = joined
      // A pipe's second error only repeats that its reader has gone.
      end.isUnfinished = first.map { "\($0)" } != "\(joined)"
    }
    return end
  }

  func abandon() -> EncodeResult {
    output.sink.use { $0.abandon() }
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

  func statistics(name: String) -> RecordingStatistics.Queue {
    .init(name: name, queue, frameWeight: frameWeight)
  }
}

struct EncodeResult: Sendable {
  let times: StageTimes
  let firstFrame: MonotonicTime?
  /// The output's own failure, which ended it early or made its completion fail.
  var failure: (any Error)?
  let isBestEffort: Bool
  /// Whether it has frames but could not be completed; `failure` says where the frames are.
  var isUnfinished = false
  /// Seconds that it took to complete the output.
  var completion = 0.0
  var result: OutputResult

  /// Joins the error that ended an output with the error that followed.
  static func joined(_ first: (any Error)?, _ second: any Error) -> any Error {
    guard let first, !"\(second)".hasPrefix("\(first)") else { return second }
    return RecorderError("\(first); \(second)")
  }
}
