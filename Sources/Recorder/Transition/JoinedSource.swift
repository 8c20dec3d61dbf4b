import Capture
import Frames
import Render

/// Two sources, the second of which follows the first after an overlap in which both are seen.
///
/// The first source's times rule until it ends, then the second's, moved by a fixed amount.
final class JoinedSource: LineSource, @unchecked Sendable {
  // @unchecked: only the thread that reads touches what changes; `interrupt` does not.
  let times: JoinedTimes
  private let request: SourceRequest
  let first: OpenedSource
  let second: OpenedSource
  private let reader: SecondReader
  /// Nil where there is none, or none is wanted.
  let sound: JoinedSound?
  /// What is ready to be handed on; sound goes before the picture at whose time it ends.
  private var ready: [LineItem] = []
  /// When the last frame handed on ends.
  private var shownUntil = Rational.zero
  private var isSoundOver = false

  /// How much is wanted of both together.
  let limit: (time: Rational?, frames: Int?)
  private var frames = 0

  private var isBegun = false
  /// The first source's latest frame, which stands still where that ends early.
  private var latest: Frame?
  private var hasFirstEnded = false
  /// What the second source shows, and what it shows next; times are the output's.
  private var shown: Frame?
  private var coming: Frame?

  /// Starts to read the second source.
  ///
  /// `request` is what was asked of the first source, and of both together in duration and frames;
  /// both are ended by its interruption. Both are seen for `overlap` seconds.
  init(
    _ first: OpenedSource, _ second: OpenedSource, request: SourceRequest,
    secondRequest: SourceRequest, overlap: Rational
  ) throws {
    times = try JoinedTimes(first: first, second: second, overlap: overlap)
    self.first = first
    self.second = second
    self.request = request
    limit = (request.duration, request.frames)
    var other = secondRequest
    other.interruption = request.interruption
    sound =
      request.includesSound
      ? try JoinedSound(
        (request, other), zeros: (first.first.time, second.first.time), times: times) : nil
    coming = second.first
    coming?.time = times.start
    reader = try SecondReader(second.media)
  }

  var firstFormat: FrameFormat { first.first.format }
  var firstTime: Rational { first.first.time }
  var media: [any MediaSource] { [first.media, second.media] }

  func interrupt() {
    first.media.interrupt()
    reader.interrupt()
  }

  func finish() { reader.finish() }

  func join(at place: Int, firstTime: Rational) -> LineJoin? {
    LineJoin(
      transition: place, format: second.first.format, start: firstTime + times.start,
      end: firstTime + times.end)
  }

  func next() throws -> LineItem? {
    if ready.isEmpty { try prepare() }
    return ready.isEmpty ? nil : ready.removeFirst()
  }

  /// Makes the next frame ready, and the sound until then; at the end the rest of the sound.
  private func prepare() throws {
    guard let frame = try nextWanted() else {
      guard !isSoundOver else { return }
      isSoundOver = true
      try sound?.finish(at: shownUntil) { ready.append(.sound($0)) }
      return
    }
    try sound?.advance(to: frame.time) { ready.append(.sound($0)) }
    shownUntil = frame.time + length(of: frame.duration)
    if let limit = limit.time { shownUntil = min(shownUntil, limit) }
    ready.append(.joined(frame))
  }

  /// Of a frame that does not say how long it is shown, the nominal one.
  private func length(of duration: Rational?) -> Rational {
    duration ?? first.media.description.frameRate.reciprocal
  }

  private func nextWanted() throws -> JoinedFrame? {
    guard !isSoundOver, limit.frames.map({ frames < $0 }) ?? true, let frame = try nextFrame(),
      limit.time.map({ frame.time < $0 }) ?? true, !request.interruption.isInterrupted
    else { return nil }
    frames += 1
    return frame
  }

  private func nextFrame() throws -> JoinedFrame? {
    while !hasFirstEnded {
      guard var frame = try nextOfFirst() else {
        hasFirstEnded = true
        break
      }
      frame.time = frame.time - first.first.time
      frame.captured = frame.captured ?? .now
      // A container may promise less than it holds.
      guard frame.time < times.end else { continue }
      latest = frame
      guard frame.time >= times.start else { return JoinedFrame(frame) }
      while let next = coming, next.time <= frame.time { try advance() }
      guard let shown else { return JoinedFrame(frame) }
      return JoinedFrame(first: frame, second: shown, leading: frame, time: frame.time)
    }
    let end = min(times.end, latest.map { $0.time + length(of: $0.duration) } ?? .zero)
    while let next = coming {
      try advance()
      guard next.time >= end, next.time > latest?.time ?? .zero else { continue }
      // The first source had less than its container promised: its last frame stands still.
      let still = next.time < times.end ? latest : nil
      return JoinedFrame(first: still, second: next, leading: next, time: next.time)
    }
    return nil
  }

  private func nextOfFirst() throws -> Frame? {
    guard isBegun else {
      isBegun = true
      return first.first
    }
    while let sample = try first.media.next() {
      if case .frame(let frame) = sample { return frame }
    }
    return nil
  }

  /// Shows what is coming.
  private func advance() throws {
    shown = coming
    coming = try reader.next()
    guard var frame = coming else { return }
    frame.time = frame.time - second.first.time + times.start
    frame.captured = frame.captured ?? .now
    coming = frame
  }

  var report: SourceReport {
    var report = first.media.report
    let other = second.media.report
    report.predictedTimes += other.predictedTimes
    report.damaged += other.damaged
    report.incomplete = report.incomplete ?? other.incomplete
    return report
  }
}
