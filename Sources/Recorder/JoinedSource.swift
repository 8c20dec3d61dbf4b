import Capture
import Frames

/// Two sources, the second of which follows the first after an overlap in which both are seen.
///
/// The first source's times rule until it ends, then the second's, moved by a fixed amount.
final class JoinedSource: LineSource, @unchecked Sendable {
  // @unchecked: only the thread that reads touches what changes; `interrupt` does not.
  let times: JoinedTimes
  private let request: SourceRequest
  private let first: OpenedSource
  private let second: OpenedSource
  private let reader: SecondReader
  /// Nil where there is none, or none is wanted.
  private let sound: JoinedSound?
  /// What is ready to be handed on; sound goes before the picture at whose time it ends.
  private var ready: [LineItem] = []
  /// When the last frame handed on ends.
  private var shownUntil = Rational.zero
  private var isSoundOver = false

  /// How much is wanted of both together.
  private let limit: (time: Rational?, frames: Int?)
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
    reader = SecondReader(second.media)
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
    shownUntil =
      frame.time + (frame.duration ?? first.media.description.frameRate.reciprocal)
    if let limit = limit.time { shownUntil = min(shownUntil, limit) }
    ready.append(.joined(frame))
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
    let end = min(times.end, latest.map { $0.time + ($0.duration ?? .zero) } ?? .zero)
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

  var description: SourceDescription {
    var description = first.media.description
    let other = second.media.description
    description.name += ", " + other.name
    description.timeBase = JoinedSource.commonUnit(
      [description.timeBase, other.timeBase, times.start])
    description.duration = times.total ?? (other.isStill ? times.end : nil)
    if let duration = limit.time {
      description.duration = min(description.duration ?? duration, duration)
    }
    description.frameCount = frameCount
    description.openingCalls += other.openingCalls
    description.warnings += other.warnings
    for name in unheard {
      description.warnings.append(
        "the sound of \(name) is left out: only that of a file can be mixed with another")
    }
    if second.first.format.color.isHighDynamicRange != first.first.format.color.isHighDynamicRange {
      description.warnings.append(
        """
        one of \(description.name) is HDR and the other is not: the second one's values are kept and \
        tagged as the first one's
        """)
    }
    description.sound = sound.map { [$0.stream] } ?? []
    return description
  }

  /// Those whose sound was stored and cannot be had a second time.
  private var unheard: [String] {
    [(first, sound?.hasFirst), (second, sound?.hasSecond)].compactMap { source, isHeard in
      let description = source.media.description
      return description.sound.isEmpty || isHeard == true ? nil : description.name
    }
  }

  /// The first source's and those of the second that come after it, about.
  private var frameCount: Int? {
    guard let count = first.media.description.frameCount else { return limit.frames }
    let after = times.total.map { ($0 - times.end) * second.media.description.frameRate }
    guard let after = after ?? (second.media.description.isStill ? .zero : nil) else {
      return limit.frames
    }
    var whole = count + Int(after.floor)
    if let time = limit.time {
      whole = min(whole, Int((time * first.media.description.frameRate).floor) + 1)
    }
    return min(whole, limit.frames ?? whole)
  }

  /// A unit of which all these are multiples, or a microsecond where that would be finer still.
  private static func commonUnit(_ times: [Rational]) -> Rational {
    let finest: Int64 = 1_000_000
    var common: Int64 = 1
    for time in times {
      // The least common multiple: a fraction in lowest terms has the rest.
      let factor = Rational(time.denominator, common).numerator
      guard factor <= finest / common else { return Rational(1, finest) }
      common *= factor
    }
    return Rational(1, common)
  }
}
