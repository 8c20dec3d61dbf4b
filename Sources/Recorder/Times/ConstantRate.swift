import Frames

/// Puts frames on the grid of a constant frame rate.
///
/// Usually each frame goes to the nearest grid time. A grid time with no frame near it repeats the previous
/// frame; of two frames at one grid time, the second is left out. Or each grid time shows the frame that is nearest
/// to it. It runs after all stages that drop
/// frames, so the output has no holes whatever was dropped. A file's gaps of ten minutes without frames
/// or audio are cut (`GapCut`); a live source's gaps keep their length.
struct ConstantRate: Sendable {
  let rate: Rational
  /// Whether a frame is shown from the middle between it and the frame before it on.
  private let showsNearest: Bool
  /// The first grid index after the end.
  private let end: Int64
  private var next: Int64 = 0
  private var last: Frame?
  /// The gaps that were cut; nil if gaps are not cut.
  private(set) var gaps: GapCut?
  /// Whether a long repetition was ended; nothing may follow it.
  private var isOver = false

  /// Creates a grid.
  ///
  /// - Parameters:
  ///   - rate: Frames per second.
  ///   - duration: The maximum length of the output, in seconds.
  ///   - cutsGaps: Whether long gaps are cut.
  ///   - showsNearest: Whether each grid time shows the frame nearest to it, instead of each frame going to the
  ///     grid time nearest to it.
  init(
    _ rate: Rational, duration: Rational? = nil, cutsGaps: Bool = false, showsNearest: Bool = false
  ) {
    (self.rate, self.showsNearest) = (rate, showsNearest)
    gaps = cutsGaps ? GapCut() : nil
    end = duration.map { Int64(($0 * rate).ceiling) } ?? .max
  }

  /// What happened to a frame.
  struct Result: Equatable {
    var duplicated = 0
    var isLeftOut = false
  }

  /// Returns the output time of audio.
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
    var frame = frame
    frame.time = gaps?.move(frame.time, lasting: rate.reciprocal) ?? frame.time
    if showsNearest { return try passNearest(frame, unless: isStopped, write) }
    let place = (frame.time * rate + Rational(1, 2)).floor
    guard !isOver, place >= next else { return Result(isLeftOut: true) }
    let duplicated = try repeatLast(until: place, unless: isStopped, write)
    guard !isOver, place < end else { return Result(duplicated: duplicated, isLeftOut: true) }
    try write(shown(frame))
    last = frame
    return Result(duplicated: duplicated)
  }

  /// Writes the frame before this one at the grid times that are nearer to it; this one waits for the next frame.
  private mutating func passNearest(
    _ frame: Frame, unless isStopped: () -> Bool, _ write: (Frame) throws -> Void
  ) rethrows -> Result {
    defer { last = frame }
    guard let last else { return Result() }
    // A grid time in the middle shows the later frame.
    let place = ((last.time + frame.time) / Rational(2) * rate).ceiling
    guard !isOver, place > next else { return Result(isLeftOut: true) }
    return Result(duplicated: try repeatLast(until: place, unless: isStopped, write) - 1)
  }

  /// Shows the last frame for its stated duration; returns the number of repetitions.
  mutating func finish(
    unless isStopped: () -> Bool = { false }, _ write: (Frame) throws -> Void
  ) rethrows -> Int {
    guard !isOver, let last, let duration = last.duration ?? (showsNearest ? rate.reciprocal : nil)
    else { return 0 }
    let shownUntil = last.time + duration
    let until = gaps?.end(shownUntil) ?? shownUntil
    let count = try repeatLast(
      until: (until * rate + Rational(1, 2)).floor, unless: isStopped, write)
    return showsNearest ? max(count - 1, 0) : count
  }

  private mutating func repeatLast(
    until place: Int64, unless isStopped: () -> Bool, _ write: (Frame) throws -> Void
  ) rethrows -> Int {
    let place = min(place, end)
    guard let last else {
      next = place
      return 0
    }
    var count = 0
    var again = last
    // A repeated frame has no capture time of its own.
    again.captured = nil
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
  private mutating func shown(_ frame: Frame) -> Frame {
    var frame = frame
    frame.time = Rational(next) / rate
    frame.duration = rate.reciprocal
    next += 1
    return frame
  }
}
