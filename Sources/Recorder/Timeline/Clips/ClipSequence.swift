import Capture
import Frames
import Render

/// Several consecutive sources, each pair joined by a cut or by an overlap in which both are visible.
///
/// A clip's times are used until it ends, then those of the next clip, moved by a fixed amount. While
/// one clip is shown, the next one is read ahead; the others are not read.
final class ClipSequence: FrameSetSource {
  let clips: [Clip]
  /// For each pair of clips, how long both are visible, in seconds; 0 for a cut.
  let overlaps: [Rational]
  /// Nil if there is no audio, or none is wanted.
  let audio: ClipSequenceAudio?
  let includesAudio: Bool
  private let feedsEffects: Bool
  let limit: TrimPlan.Limit
  /// The times at which frames of the output can end; nil for any.
  private let grid: FrameGrid?

  private let interruption: Interruption
  /// The next set; the audio before its time comes first.
  private var ready: FrameSet?
  private var isOver = false
  private var frames = 0
  /// Index of the clip that is shown, and its transition to the next one; nil for a cut.
  private var place = 0
  private var transition: ClipTransition?
  private var latest: Frame?
  /// Output time at which the delivered frames end, and the time of the last set.
  private var shownUntil = Rational.zero
  private var lastTime: Rational?
  /// Output time until which the previous clip is shown; earlier frames of the current clip are hidden.
  private var hiddenUntil = Rational.zero

  /// Starts to read two or more open clips with one interruption; for effects the audio is complete to the sample before
  /// each frame.
  init(
    _ clips: [Clip], overlaps: [Rational], limit: TrimPlan.Limit, grid: FrameGrid? = nil,
    includesAudio: Bool, feedsEffects: Bool = false
  ) throws {
    (self.clips, self.overlaps, self.grid) = (clips, overlaps, grid)
    var whole = limit
    let own = clips[0].description.frameRate
    whole.duration = limit.duration.map { grid?.filling($0, own: own) ?? $0 }
    self.limit = whole
    interruption = clips[0].request.interruption
    try ClipTransition.check(clips, overlaps: overlaps)
    (self.includesAudio, self.feedsEffects) = (includesAudio, feedsEffects)
    audio = includesAudio || feedsEffects ? try ClipSequenceAudio(clips) : nil
    do {
      try clips[0].prefetch(place: 0)
      try show(0)
    } catch {
      interruption.interrupt()
      throw error
    }
  }

  var formats: [FrameFormat] { clips.map(\.firstFormat) }
  var audioForEffects: AudioForEffects? { feedsEffects ? audio.map { .blocks($0.format) } : nil }
  var firstTime: Rational { clips[0].firstTime }

  var interruptions: [Interruption] { [interruption] }

  func finish() {
    interruption.interrupt()
    for clip in clips { clip.close() }
  }

  /// Shows a clip, and starts to read the next one ahead.
  private func show(_ place: Int) throws {
    self.place = place
    latest = nil
    guard place + 1 < clips.count else { return transition = nil }
    let next = clips[place + 1]
    try next.prefetch(place: place + 1)
    transition = clips[place].transition(overlap: overlaps[place])
    guard let transition else { return }
    next.begin(at: transition.start)
    audio?.lead(from: transition.start, until: transition.end)
  }

  func next() throws -> TimelineItem? {
    if ready == nil, !isOver { try prepare() }
    // One block at a time: it may be hours until the next frame.
    guard let set = ready else { return try audio?.rest(before: shownUntil).map { .audio($0) } }
    if let block = try audio?.next(before: set.time, inWholeBlocks: !feedsEffects) {
      return .audio(block)
    }
    ready = nil
    return .frame(set)
  }

  /// Prepares the next set; at the end, reads the rest of the audio.
  private func prepare() throws {
    guard var set = try nextWanted() else {
      isOver = true
      shownUntil =
        grid?.nearest(to: shownUntil, own: clips[0].description.frameRate) ?? shownUntil
      return try readAudio(before: shownUntil)
    }
    shownUntil = set.time + clips[place].length(of: set.primary)
    if let limit = limit.duration, limit < shownUntil {
      shownUntil = limit
      set.primary.duration = limit - set.time
    }
    lastTime = set.time
    ready = set
  }

  /// Reads on until all audio before a time was read, or the longest lag is reached.
  private func readAudio(before time: Rational) throws {
    guard let audio else { return }
    let end = time + ClipSequenceAudio.longestLag
    while !audio.isKnown(before: time), !interruption.isInterrupted,
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
      // A container may state a shorter length than it holds.
      if let transition, frame.time >= transition.end { continue }
      latest = frame
      guard let transition, frame.time >= transition.start,
        let next = try clips[place + 1].frame(at: frame.time + clips[place].leeway)
      else { return FrameSet(frame, inputs: noInputs, stretch: .clip(place)) }
      return set(frame, next, in: transition)
    }
    return nil
  }

  /// Repeats the last frame until the transition ends, if a clip is shorter than its container stated.
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

  /// Inputs outside a transition: one empty input if there is a transition anywhere, otherwise none.
  private var noInputs: [Frame?] { overlaps.allSatisfy { $0 == .zero } ? [] : [nil] }

  private func set(_ frame: Frame, _ next: Frame, in transition: ClipTransition) -> FrameSet {
    FrameSet(
      frame, inputs: [next], stretch: .transition(from: place),
      progress: transition.progress(at: frame.time))
  }

  /// Continues with the next clip.
  private func goOn() throws {
    let clip = clips[place]
    if let latest {
      let end = latest.time + clip.length(of: latest)
      hiddenUntil = transition.map { min($0.end, end) } ?? end
    }
    if transition == nil {
      clips[place + 1].begin(at: hiddenUntil)
      audio?.lead(from: hiddenUntil, until: hiddenUntil)
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
      sum.shortage = sum.shortage ?? report.shortage
    }
    return sum
  }

  var descriptions: [SourceDescription] { clips.map(\.description) }
  var reports: [(description: SourceDescription, report: SourceReport)] {
    clips.map { ($0.description, $0.report) }
  }
}

extension Clip {
  /// Returns the transition to the next clip if both are visible for a while; nil for a cut.
  func transition(overlap: Rational) -> ClipTransition? {
    guard overlap > .zero, let length else { return nil }
    let end = start + length
    return ClipTransition(start: end - overlap, end: end)
  }
}
