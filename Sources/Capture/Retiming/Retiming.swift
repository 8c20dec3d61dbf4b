public import Frames

/// How the time of a source runs: faster or slower, backwards, and again.
///
/// The part of the source is cut out first. Then it is turned round, played again, and its speed is changed.
public struct Retiming: Sendable, Equatable {
  /// Seconds of the source in each second of the output.
  public var speed = Rational.one
  /// The end comes first.
  public var isReversed = false
  /// How many times the part is played.
  public var turns = 1
  /// Each time the part is played, it also runs back; the frames at both ends come once.
  public var isBoomerang = false

  public init() {}

  /// Whether the source is left as it is.
  public var isPlain: Bool { self == Retiming() }

  /// Whether the part comes more than once, so that it may be shorter than what is delivered.
  var repeats: Bool { isBoomerang || turns > 1 }

  /// Whether the end of the part must be known before its first frame is delivered.
  var needsEnd: Bool { isReversed || isBoomerang || turns > 1 }
}

/// The times that decide how the passes over a part follow each other, in the source's own time, in seconds.
struct PartEnds: Sendable, Equatable {
  /// Times of the first, the second and the last frame; the second is nil if there is one frame.
  let first: Rational
  let second: Rational?
  let last: Rational
  /// Time until which the last frame is shown.
  let end: Rational
}

/// The passes over a part, one after the other, and which audio belongs to them; before the speed is changed.
///
/// Times of the passes are in seconds from the first frame that is delivered.
struct PassPlan: Sendable, Equatable {
  /// One run over the frames of the part.
  struct Pass: Sendable, Equatable {
    let isBackward: Bool
    /// The run back of a boomerang, which leaves out the first and the last frame.
    let leavesOutEnds: Bool
    /// Time of the pass's first frame.
    let start: Rational
  }

  /// A stretch of the source's audio, which runs backwards if it begins after its end.
  struct Sound: Sendable, Equatable {
    /// The source's own times at which it begins and ends.
    let from: Rational
    let to: Rational
    /// Time of its first sample.
    let start: Rational

    var isBackward: Bool { from > to }
    var length: Rational { isBackward ? from - to : to - from }
  }

  private let retiming: Retiming
  private let ends: PartEnds

  init(_ retiming: Retiming, _ ends: PartEnds) { (self.retiming, self.ends) = (retiming, ends) }

  /// The length of the part.
  private var part: Rational { ends.end - ends.first }
  /// The length of a run back without the first and the last frame.
  private var between: Rational { ends.second.map { ends.last - $0 } ?? .zero }
  private var round: Rational { retiming.isBoomerang ? part + between : part }

  /// The length of all passes together.
  var length: Rational { Rational(Int64(retiming.turns)) * round }

  /// Returns a pass by its number from 0; nil after the last one.
  func pass(_ number: Int) -> Pass? {
    guard retiming.isBoomerang else {
      guard number < retiming.turns else { return nil }
      return Pass(
        isBackward: retiming.isReversed, leavesOutEnds: false,
        start: Rational(Int64(number)) * part)
    }
    guard number < 2 * retiming.turns else { return nil }
    let isBack = number % 2 == 1
    return Pass(
      isBackward: retiming.isReversed != isBack, leavesOutEnds: isBack,
      start: Rational(Int64(number / 2)) * round + (isBack ? part : .zero))
  }

  /// Returns a stretch of audio by its number from 0; nil after the last one.
  ///
  /// A boomerang's audio turns in the middle of the first and of the last frame. So it stays with the frames on both
  /// ways, and no sample comes twice in a row or is left out.
  func sound(_ number: Int) -> Sound? {
    guard retiming.isBoomerang, let second = ends.second else {
      guard let pass = pass(retiming.isBoomerang ? 2 * number : number) else { return nil }
      let (from, to) = pass.isBackward ? (ends.end, ends.first) : (ends.first, ends.end)
      return Sound(from: from, to: to, start: pass.start)
    }
    let half = Rational(1, 2)
    let turn = (low: (ends.first + second) * half, high: (ends.last + ends.end) * half)
    let isBackward = retiming.isReversed != (number % 2 == 1)
    let to = isBackward ? turn.low : turn.high
    guard number > 0 else {
      return Sound(from: isBackward ? ends.end : ends.first, to: to, start: .zero)
    }
    let opening = retiming.isReversed ? ends.end - turn.low : turn.high - ends.first
    let start = opening + Rational(Int64(number - 1)) * (turn.high - turn.low)
    guard start < length else { return nil }
    return Sound(from: isBackward ? turn.high : turn.low, to: to, start: start)
  }
}
