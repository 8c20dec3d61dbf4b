import Frames

/// The frames of a part in the order of the passes, with times before the speed is changed.
struct RetimedFrames {
  /// A frame, when it begins and when it ends, in seconds from the first delivered one.
  struct Item {
    let frame: Frame
    let start: Rational
    let end: Rational
  }

  /// Known before the first frame if the retiming needs it.
  let plan: PassPlan?
  private let source: any MediaSource
  private let rereadable: (any RereadableSource)?
  private let ends: PartEnds?
  private let endHint: Rational
  private let interruption: Interruption
  /// The frame that was read when the ends were looked for, if it is the next one.
  private var ahead: Frame?
  private var number = 0
  private var pass: PassPlan.Pass?
  private var backward: BackwardFrames?
  /// In a backward pass, the source's own time until which the next frame is shown.
  private var shownUntil: Rational?
  /// The source's own time of the part's first frame; nil if there is none.
  let firstTime: Rational?
  /// How long a frame is shown that does not say it, in seconds.
  private let usualDuration: Rational

  init(_ source: any MediaSource, _ request: SourceRequest) throws(CaptureError) {
    let (retiming, description) = (request.retiming, source.description)
    self.source = source
    interruption = request.interruption
    let unit = description.timeBase
    let nominal = description.frameRate.reciprocal
    usualDuration = max(Rational(nominal.ticks(timeBase: unit)) * unit, unit)
    rereadable = source as? any RereadableSource
    guard retiming.needsEnd else {
      (plan, ends, endHint) = (nil, nil, .zero)
      ahead = try RetimedFrames.frame(of: source)
      firstTime = ahead?.time
      return
    }
    guard let rereadable else {
      throw CaptureError(
        "\(description.name) cannot be read again, and \(retiming.words) needs that",
        isUsageError: true)
    }
    if let refusal = rereadable.rereadRefusal {
      throw CaptureError(
        "\(retiming.words) does not work with \(description.name): \(refusal)", isUsageError: true)
    }
    guard let first = try RetimedFrames.frame(of: source) else {
      throw CaptureError("\(description.name) has no frame to record; check the file")
    }
    let second = try RetimedFrames.frame(of: source)
    let length = description.duration ?? .zero
    let hint = max(first.time + length, description.end ?? first.time) + usualDuration
    endHint = hint
    var backward = BackwardFrames(rereadable, first: first.time, endHint: hint)
    let interruption = interruption
    let found = try backward.next { interruption.isInterrupted }
    let last = found ?? first
    let ends = PartEnds(
      first: first.time, second: last.time > first.time ? second?.time : nil, last: last.time,
      end: last.time + (last.duration ?? usualDuration))
    plan = PassPlan(retiming, ends)
    self.ends = ends
    firstTime = first.time
    pass = plan?.pass(0)
    if retiming.isReversed {
      (self.backward, ahead, shownUntil) = (backward, last, ends.end)
    } else {
      try rereadable.reread(from: ends.first, before: nil)
    }
  }

  /// Returns the next frame; nil after the last one.
  mutating func next() throws(CaptureError) -> Item? {
    guard let ends else { return try nextOnce() }
    while let pass, !interruption.isInterrupted {
      while let frame = try nextOfSource(isBackward: pass.isBackward) {
        let end = shownUntil ?? ends.end
        if pass.isBackward { shownUntil = frame.time }
        if pass.leavesOutEnds, frame.time <= ends.first || frame.time >= ends.last { continue }
        return item(frame, in: pass, ends, until: end)
      }
      try beginNext(ends)
    }
    return nil
  }

  private func item(
    _ frame: Frame, in pass: PassPlan.Pass, _ ends: PartEnds, until end: Rational
  ) -> Item {
    guard pass.isBackward else {
      let zero = pass.leavesOutEnds ? ends.second ?? ends.first : ends.first
      let start = pass.start + frame.time - zero
      return Item(frame: frame, start: start, end: start + (frame.duration ?? usualDuration))
    }
    let start = pass.start + (pass.leavesOutEnds ? ends.last : ends.end) - end
    return Item(frame: frame, start: start, end: start + end - frame.time)
  }

  /// The next frame of a source that is read once.
  private mutating func nextOnce() throws(CaptureError) -> Item? {
    var frame = ahead.take()
    if frame == nil { frame = try RetimedFrames.frame(of: source) }
    guard let frame, let firstTime else { return nil }
    let start = frame.time - firstTime
    return Item(frame: frame, start: start, end: start + (frame.duration ?? usualDuration))
  }

  private mutating func nextOfSource(isBackward: Bool) throws(CaptureError) -> Frame? {
    guard isBackward else { return try RetimedFrames.frame(of: source) }
    if let frame = ahead.take() { return frame }
    return try backward?.next { [interruption] in interruption.isInterrupted }
  }

  private mutating func beginNext(_ ends: PartEnds) throws(CaptureError) {
    number += 1
    (pass, shownUntil, backward) = (plan?.pass(number), nil, nil)
    guard let pass, let rereadable else { return }
    if pass.isBackward {
      backward = BackwardFrames(rereadable, first: ends.first, endHint: endHint)
      shownUntil = ends.end
    } else {
      try rereadable.reread(from: ends.first, before: nil)
    }
  }

  private static func frame(of source: any MediaSource) throws(CaptureError) -> Frame? {
    while let sample = try source.next() {
      if case .frame(let frame) = sample { return frame }
    }
    return nil
  }
}

extension Retiming {
  /// The options that play the part more than once.
  var wordsOfTurns: String { isBoomerang ? "--boomerang" : "--loop" }

  /// The options that ask for it, as in "--reverse and --loop".
  var words: String {
    var words: [String] = []
    if isReversed { words.append("--reverse") }
    if isBoomerang { words.append("--boomerang") }
    if turns > 1 { words.append("--loop") }
    if speed != .one { words.append("--speed") }
    return words.joined(separator: " and ")
  }
}
