import Capture
import Frames
import Render

/// Several sources that follow each other, each pair by a cut or with an overlap in which both are
/// seen.
///
/// The times of a clip rule until it ends, then those of the next one, moved by a fixed amount. While
/// one clip is shown the next one is read ahead; the others rest.
final class ClipSequence: FrameSetSource, @unchecked Sendable {
  // @unchecked: only the thread that reads touches what changes; `interrupt` does not.
  let clips: [Clip]
  /// For each pair of clips how long both are seen, in seconds; 0 for a cut.
  let overlaps: [Rational]
  /// Nil where there is none, or none is wanted.
  let sound: ClipSequenceAudio?
  let includesAudio: Bool
  private let isHeard: Bool
  /// How much is wanted of all together.
  let limit: TrimPlan.Limit

  private let interruption: Interruption
  /// What is ready to be handed on; sound goes before the picture at whose time it ends.
  private var ready: [TimelineItem] = []
  private var isOver = false
  private var frames = 0
  /// The clip that is shown, and how it leads to the next one; nil for a cut.
  private var place = 0
  private var transition: ClipTransition?
  /// The latest frame of that clip.
  private var latest: Frame?
  /// Where what was handed on ends, and the time of the last set.
  private var shownUntil = Rational.zero
  private var lastTime: Rational?
  /// Until when the clip before is shown: what a clip has for earlier times is not seen.
  private var hiddenUntil = Rational.zero

  /// Starts to read.
  ///
  /// - Parameters:
  ///   - clips: Two or more, opened, with one interruption.
  ///   - overlaps: For each pair of them how long both are seen, in seconds; 0 for a cut.
  ///   - limit: How much is wanted of all together.
  ///   - includesAudio: Outputs take their sound.
  ///   - isHeard: Effects hear it: it is there to the sample before each frame.
  /// - Throws: A sentence for the user.
  init(
    _ clips: [Clip], overlaps: [Rational], limit: TrimPlan.Limit,
    includesAudio: Bool, isHeard: Bool = false
  ) throws {
    (self.clips, self.overlaps, self.limit) = (clips, overlaps, limit)
    interruption = clips[0].request.interruption
    try ClipTransition.check(clips, overlaps: overlaps)
    (self.includesAudio, self.isHeard) = (includesAudio, isHeard)
    sound = includesAudio || isHeard ? try ClipSequenceAudio(clips) : nil
    do {
      try clips[0].prefetch(place: 0)
      try show(0)
    } catch {
      interruption.interrupt()
      throw error
    }
  }

  var formats: [FrameFormat] { clips.map(\.firstFormat) }
  var heard: HeardAudio? { isHeard ? sound.map { .blocks($0.format) } : nil }
  var firstTime: Rational { clips[0].firstTime }

  func interrupt() {
    interruption.interrupt()
    for clip in clips { clip.interrupt() }
  }

  func finish() {
    interrupt()
    for clip in clips { clip.close() }
  }

  /// Makes a clip the one that is shown, and has the next one read ahead.
  private func show(_ place: Int) throws {
    self.place = place
    latest = nil
    guard place + 1 < clips.count else { return transition = nil }
    let next = clips[place + 1]
    try next.prefetch(place: place + 1)
    transition = clips[place].transition(overlap: overlaps[place])
    guard let transition else { return }
    next.begin(at: transition.start)
    sound?.lead(from: transition.start, until: transition.end)
  }

  func next() throws -> TimelineItem? {
    if ready.isEmpty { try prepare() }
    return ready.isEmpty ? nil : ready.removeFirst()
  }

  /// Makes the next set ready, and the sound until then; at the end the rest of the sound.
  private func prepare() throws {
    guard let set = try nextWanted() else {
      guard !isOver else { return }
      isOver = true
      try readSound(before: shownUntil)
      try sound?.finish(at: shownUntil) { ready.append(.audio($0)) }
      return
    }
    try sound?.advance(to: set.time, inWholeBlocks: !isHeard) { ready.append(.audio($0)) }
    shownUntil = set.time + clips[place].length(of: set.primary)
    if let limit = limit.duration { shownUntil = min(shownUntil, limit) }
    lastTime = set.time
    ready.append(.frames(set))
  }

  /// Reads on until the sound before a time was read, for as long as it may be stored behind.
  private func readSound(before time: Rational) throws {
    guard let sound else { return }
    let end = time + ClipSequenceAudio.longestLag
    while !sound.isKnown(before: time), !interruption.isInterrupted,
      let frame = try clips[place].take(), frame.time < end
    {}
  }

  private func nextWanted() throws -> FrameSet? {
    guard !isOver, limit.frames.map({ frames < $0 }) ?? true, let set = try nextSet(),
      limit.duration.map({ set.time < $0 }) ?? true, !interruption.isInterrupted
    else { return nil }
    frames += 1
    return set
  }

  private func nextSet() throws -> FrameSet? {
    while true {
      if let set = try nextOfClip() { return set }
      if let set = try nextOfStillClip() { return set }
      guard place + 1 < clips.count, !interruption.isInterrupted else { return nil }
      try goOn()
    }
  }

  private func nextOfClip() throws -> FrameSet? {
    while let frame = try clips[place].take() {
      guard frame.time >= hiddenUntil, lastTime.map({ frame.time > $0 }) ?? true else { continue }
      // A container may promise less than it holds.
      if let transition, frame.time >= transition.end { continue }
      latest = frame
      guard let transition, frame.time >= transition.start,
        let next = try clips[place + 1].frame(at: frame.time)
      else { return FrameSet(frame, inputs: noInputs, stretch: .clip(place)) }
      return set(frame, next, in: transition)
    }
    return nil
  }

  /// Where a clip had less than its container promised its last frame stands still until the
  /// transition is over.
  private func nextOfStillClip() throws -> FrameSet? {
    guard let transition, let latest else { return nil }
    let clipEnd = latest.time + clips[place].length(of: latest)
    while let next = try clips[place + 1].peek(), next.time < transition.end {
      _ = try clips[place + 1].take()
      guard next.time >= clipEnd, lastTime.map({ next.time > $0 }) ?? true else { continue }
      var still = latest
      (still.time, still.duration, still.captured) = (next.time, next.duration, next.captured)
      return set(still, next, in: transition)
    }
    return nil
  }

  /// Where there is a transition somewhere, its input shows nothing.
  private var noInputs: [Frame?] { overlaps.allSatisfy { $0 == .zero } ? [] : [nil] }

  private func set(_ frame: Frame, _ next: Frame, in transition: ClipTransition) -> FrameSet {
    FrameSet(
      frame, inputs: [next], stretch: .transition(from: place),
      progress: transition.progress(at: frame.time))
  }

  /// Goes on with the next clip.
  private func goOn() throws {
    let clip = clips[place]
    if let latest {
      let end = latest.time + clip.length(of: latest)
      hiddenUntil = transition.map { min($0.end, end) } ?? end
    }
    if transition == nil {
      clips[place + 1].begin(at: hiddenUntil)
      sound?.lead(from: hiddenUntil, until: hiddenUntil)
    }
    clip.close()
    try show(place + 1)
  }

  var report: SourceReport {
    var sum = clips[0].report
    for report in clips.dropFirst().map(\.report) {
      sum.predictedTimes += report.predictedTimes
      sum.damaged += report.damaged
      sum.incomplete = sum.incomplete ?? report.incomplete
    }
    return sum
  }

  var reports: [(description: SourceDescription, report: SourceReport)] {
    clips.map { ($0.description, $0.report) }
  }
}

extension Clip {
  /// How it leads to the next one if both are seen for a while; nil for a cut.
  func transition(overlap: Rational) -> ClipTransition? {
    guard overlap > .zero, let length else { return nil }
    let end = start + length
    return ClipTransition(start: end - overlap, end: end)
  }
}
