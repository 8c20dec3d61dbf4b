import Frames

/// Cuts gaps out of a file's time in which for longer than ten minutes neither pictures nor sound
/// come: after one, the output goes on as if there had been none.
///
/// A damaged time may be years ahead, and at a constant rate the picture before it is repeated until
/// then. A picture that stands still for long has sound meanwhile, or is shorter than that.
struct GapCut: Sendable {
  /// Gaps that were cut, and how long they were in all, in seconds.
  private(set) var count = 0
  private(set) var removed = Rational.zero
  /// Where what came so far ends, in the output's time.
  private var reach = Rational.zero
  /// The source's time behind the last gap, and what had been removed before it.
  private var latest: (time: Rational, removedBefore: Rational)?

  static let longest = Rational(600)

  /// The output's time of something that lasts for a while.
  mutating func move(_ time: Rational, lasting length: Rational) -> Rational {
    // Sound of before a gap may be stored behind the picture after it.
    let isEarlier = latest.map { time < $0.time - GapCut.longest / Rational(2) } ?? false
    var moved = time - (isEarlier ? latest?.removedBefore ?? .zero : removed)
    if moved - reach > GapCut.longest {
      latest = (time, removed)
      removed = time - reach
      count += 1
      moved = reach
    }
    reach = max(reach, moved + min(max(length, .zero), GapCut.longest))
    return moved
  }

  /// Until when the last picture is shown at most, if it says that it ends at a time of the output.
  mutating func end(_ time: Rational) -> Rational {
    guard time - reach > GapCut.longest else { return time }
    removed = removed + (time - reach)
    count += 1
    return reach
  }
}
