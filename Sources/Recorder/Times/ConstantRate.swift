import Frames

/// Puts frames on the grid of a constant frame rate.
///
/// Usually each frame goes to the nearest grid time. A grid time with no frame near it repeats the previous
/// frame; of two frames at one grid time, the one that is nearer to it is shown, and that of a live source, which
/// cannot wait for the next one, is the first. The grid ends at the grid time that is nearest to the end of the last
/// frame. Or each grid time shows the frame that is nearest to it.
///
/// It runs before the effects of a file, which so get the times of the output, and once more after all stages that drop
/// frames, so the output has no holes whatever was dropped. A file's gaps of ten minutes without frames
/// or audio are cut (`GapCut`); a live source's gaps keep their length.
struct ConstantRate: Sendable {
  let rate: Rational
  /// Whether a frame is shown from the middle between it and the frame before it on.
  private let showsNearest: Bool
  /// The first grid index after the end.
  private let end: Int64
  private var next: Int64 = 0
  /// The latest frame that was written.
  private var last: FrameSet?
  /// The frame that is nearest to a grid time so far, and that time's number; nil for a live source.
  private var waiting: (set: FrameSet, place: Int64)?
  /// Output time at which the latest frame ends, if it says so.
  private var shownUntil: Rational?
  private let isLive: Bool
  private let leavesGaps: Bool
  /// The gaps that were cut; nil if gaps are not cut.
  private(set) var gaps: GapCut?
  /// Whether a long repetition was ended; nothing may follow it.
  private var isOver = false

  /// Creates a grid of frames per second, with a maximum length in seconds.
  ///
  /// Long gaps can be cut, or stay without frames. A live grid writes frames as they come, without waiting for the frame
  /// after them.
  init(
    _ rate: Rational, duration: Rational? = nil, cutsGaps: Bool = false, leavesGaps: Bool = false,
    isLive: Bool = false,
    showsNearest: Bool = false
  ) {
    (self.rate, self.showsNearest, self.isLive) = (rate, showsNearest, isLive)
    self.leavesGaps = leavesGaps
    gaps = cutsGaps ? GapCut() : nil
    end = duration.map { Int64(($0 * rate).ceiling) } ?? .max
  }

  /// What happened to a frame.
  struct Result: Equatable {
    var duplicated = 0
    var isLeftOut = false
  }

  mutating func time(ofAudio time: Rational, lasting length: Rational) -> Rational {
    gaps?.move(time, lasting: length) ?? time
  }

  /// Returns the output time of a subtitle; nil while it is not known whether it lies behind a gap.
  func time(ofSubtitle time: Rational, isOver: Bool) -> Rational? {
    guard let gaps else { return time }
    return gaps.time(ofSubtitle: time, isOver: isOver)
  }

  /// Output time in seconds of a number of frames, but not more than the maximum length.
  func end(ofFrames count: Int) -> Rational? {
    let places = min(Int64(count), end)
    return places < Int64(Int.max) ? Rational(places) / rate : nil
  }

  /// Writes the repetitions before a frame, and the frame; once `isStopped` returns true, at most one
  /// second of repetitions.
  mutating func pass(
    _ frame: Frame, unless isStopped: () -> Bool = { false }, to write: (Frame) throws -> Void
  ) rethrows -> Result {
    try pass(FrameSet(frame), unless: isStopped) { try write($0.primary) }
  }

  /// Shows the last frame for its stated duration; returns what happened to it and the number of repetitions.
  mutating func finish(
    unless isStopped: () -> Bool = { false }, _ write: (Frame) throws -> Void
  ) rethrows -> Result {
    try finish(setsUnless: isStopped) { try write($0.primary) }
  }

  /// Like `pass`, for a frame together with the frames of image inputs.
  mutating func pass(
    _ set: FrameSet, unless isStopped: () -> Bool, toSets write: (FrameSet) throws -> Void
  ) rethrows -> Result {
    var set = set
    set.primary.time = gaps?.move(set.time, lasting: rate.reciprocal) ?? set.time
    if showsNearest { return try passNearest(set, unless: isStopped, write) }
    shownUntil = set.primary.duration.map { set.time + $0 }
    // Live, a frame in the middle belongs to the earlier time: the first frame of two is shown there.
    let place =
      isLive
      ? (set.time * rate - Rational(1, 2)).ceiling : (set.time * rate + Rational(1, 2)).floor
    guard !isLive else { return try put(set, at: place, unless: isStopped, write) }
    guard let (other, otherPlace) = waiting, otherPlace == place else {
      guard place >= next else { return Result(isLeftOut: true) }
      defer { waiting = (set, place) }
      guard let (other, otherPlace) = waiting else { return Result() }
      return try put(other, at: otherPlace, unless: isStopped, write)
    }
    if distance(set, from: place) < distance(other, from: place) { waiting = (set, place) }
    return Result(isLeftOut: true)
  }

  private func distance(_ set: FrameSet, from place: Int64) -> Rational {
    let late = set.time - Rational(place) / rate
    return max(late, -late)
  }

  /// Writes a frame at a grid time, after the repetitions before it.
  private mutating func put(
    _ set: FrameSet, at place: Int64, unless isStopped: () -> Bool,
    _ write: (FrameSet) throws -> Void
  ) rethrows -> Result {
    guard !isOver, place >= next else { return Result(isLeftOut: true) }
    let duplicated = try repeatLast(until: place, unless: isStopped, write)
    guard !isOver, place < end else { return Result(duplicated: duplicated, isLeftOut: true) }
    try write(shown(set))
    last = set
    return Result(duplicated: duplicated)
  }

  /// Writes the frame before this one at the grid times that are nearer to it; this one waits for the next frame.
  private mutating func passNearest(
    _ set: FrameSet, unless isStopped: () -> Bool, _ write: (FrameSet) throws -> Void
  ) rethrows -> Result {
    defer { last = set }
    guard let last else { return Result() }
    // A grid time in the middle shows the later frame.
    let place = ((last.time + set.time) / Rational(2) * rate).ceiling
    guard !isOver, place > next else { return Result(isLeftOut: true) }
    return Result(duplicated: try repeatLast(until: place, unless: isStopped, write) - 1)
  }

  /// Like `finish`, for frames together with the frames of image inputs.
  mutating func finish(
    setsUnless isStopped: () -> Bool, _ write: (FrameSet) throws -> Void
  ) rethrows -> Result {
    if showsNearest {
      shownUntil = last.map { $0.time + ($0.primary.duration ?? rate.reciprocal) }
    }
    let until = shownUntil.map { time in
      ((gaps?.end(time) ?? time) * rate + Rational(1, 2)).floor
    }
    var result = Result()
    if let (set, place) = waiting {
      waiting = nil
      // A frame that would make the output longer than the source is not shown, unless it is the only one.
      if next > 0, let until, place >= until {
        result.isLeftOut = true
      } else {
        result = try put(set, at: place, unless: isStopped, write)
      }
    }
    guard !isOver, let until else { return result }
    let count = try repeatLast(until: until, unless: isStopped, write)
    result.duplicated += showsNearest ? max(count - 1, 0) : count
    return result
  }

  private mutating func repeatLast(
    until place: Int64, unless isStopped: () -> Bool, _ write: (FrameSet) throws -> Void
  ) rethrows -> Int {
    let place = min(place, end)
    guard let last else {
      next = place
      return 0
    }
    // A longer gap is left to the stage that cuts it, or fills it with the frame before it.
    if leavesGaps, Rational(place - next) / rate > GapCut.longest {
      next = place
      return 0
    }
    var count = 0
    var again = last
    // A repeated frame has no capture time of its own.
    again.primary.captured = nil
    let second = Int(rate.ceiling)
    while next < place {
      if count >= second, isStopped() {
        isOver = true
        break
      }
      try write(shown(again))
      count += 1
    }
    return count
  }

  /// Returns the frame for the next grid time.
  private mutating func shown(_ set: FrameSet) -> FrameSet {
    var set = set
    set.primary.time = Rational(next) / rate
    set.primary.duration = rate.reciprocal
    next += 1
    return set
  }
}
