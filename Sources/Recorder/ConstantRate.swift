import Frames

/// Puts frames on the grid of a constant rate: each goes to the nearest moment of it, moments that no
/// frame is near to show the frame before once more, and of two at one moment the second is left out.
///
/// It comes behind all that drops frames, so that the output has no holes whatever was dropped.
struct ConstantRate: Sendable {
  let rate: Rational
  /// The first moment that lies behind the end.
  private let end: Int64
  private var next: Int64 = 0
  private var last: Frame?

  /// Makes a grid as long as the output may be at most, in seconds.
  init(_ rate: Rational, duration: Rational? = nil) {
    self.rate = rate
    end = duration.map { Int64(($0 * rate).ceiling) } ?? .max
  }

  /// What became of a frame.
  struct Result: Equatable {
    var duplicated = 0
    var isLeftOut = false
  }

  /// Writes what comes before a frame, and the frame.
  mutating func pass(_ frame: Frame, to write: (Frame) throws -> Void) rethrows -> Result {
    let place = (frame.time * rate + Rational(1, 2)).floor
    guard place >= next else { return Result(isLeftOut: true) }
    let duplicated = try repeatLast(until: place, write)
    guard place < end else { return Result(duplicated: duplicated, isLeftOut: true) }
    try write(shown(frame))
    last = frame
    return Result(duplicated: duplicated)
  }

  /// Shows the last frame for as long as it says that it lasts; the number of repetitions.
  mutating func finish(_ write: (Frame) throws -> Void) rethrows -> Int {
    guard let last, let duration = last.duration else { return 0 }
    return try repeatLast(until: ((last.time + duration) * rate + Rational(1, 2)).floor, write)
  }

  private mutating func repeatLast(
    until place: Int64, _ write: (Frame) throws -> Void
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
    while next < place {
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
