import Frames

/// Puts frames on the grid of a constant rate: each goes to the nearest moment of it, moments that no
/// frame is near to show the frame before once more, and of two at one moment the second is left out.
///
/// It comes behind all that drops frames, so that the output has no holes whatever was dropped. A
/// file's gaps are cut where nothing comes for ten minutes (`GapCut`); a live source's take as long as
/// they took.
struct ConstantRate: Sendable {
  let rate: Rational
  /// The first moment that lies behind the end.
  private let end: Int64
  private var next: Int64 = 0
  private var last: Frame?
  /// What was cut; nil where nothing is.
  private(set) var gaps: GapCut?
  /// A long repetition was ended; nothing may come behind it.
  private var isOver = false

  /// Makes a grid as long as the output may be at most, in seconds.
  init(_ rate: Rational, duration: Rational? = nil, cutsGaps: Bool = false) {
    self.rate = rate
    gaps = cutsGaps ? GapCut() : nil
    end = duration.map { Int64(($0 * rate).ceiling) } ?? .max
  }

  /// What became of a frame.
  struct Result: Equatable {
    var duplicated = 0
    var isLeftOut = false
  }

  /// The output's time of sound.
  mutating func time(ofSound time: Rational, lasting length: Rational) -> Rational {
    gaps?.move(time, lasting: length) ?? time
  }

  /// Writes what comes before a frame, and the frame; once `isStopped`, no more than a second of
  /// repetitions.
  mutating func pass(
    _ frame: Frame, unless isStopped: () -> Bool = { false }, to write: (Frame) throws -> Void
  ) rethrows -> Result {
    var frame = frame
    frame.time = gaps?.move(frame.time, lasting: rate.reciprocal) ?? frame.time
    let place = (frame.time * rate + Rational(1, 2)).floor
    guard !isOver, place >= next else { return Result(isLeftOut: true) }
    let duplicated = try repeatLast(until: place, unless: isStopped, write)
    guard !isOver, place < end else { return Result(duplicated: duplicated, isLeftOut: true) }
    try write(shown(frame))
    last = frame
    return Result(duplicated: duplicated)
  }

  /// Shows the last frame for as long as it says that it lasts; the number of repetitions.
  mutating func finish(
    unless isStopped: () -> Bool = { false }, _ write: (Frame) throws -> Void
  ) rethrows -> Int {
    guard !isOver, let last, let duration = last.duration else { return 0 }
    let shownUntil = last.time + duration
    let until = gaps?.end(shownUntil) ?? shownUntil
    return try repeatLast(until: (until * rate + Rational(1, 2)).floor, unless: isStopped, write)
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
    // It is no newer for being shown again.
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

  /// The frame at the next moment.
  private mutating func shown(_ frame: Frame) -> Frame {
    var frame = frame
    frame.time = Rational(next) / rate
    frame.duration = rate.reciprocal
    next += 1
    return frame
  }
}
