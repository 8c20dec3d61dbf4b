import Frames

/// Cuts gaps of more than ten minutes without frames or audio out of a file's time.
///
/// After a gap, the output continues as if there had been none. A damaged timestamp may be years ahead,
/// and at a constant frame rate the previous frame would be repeated until then. A frame that really
/// stays for long has audio meanwhile, or is shorter than that.
struct GapCut: Sendable {
  /// Number of gaps that were cut, and their total length in seconds.
  private(set) var count = 0
  private(set) var removed = Rational.zero
  /// Output time at which everything so far ends.
  private var reach = Rational.zero
  /// Source time after the last gap, and the total removed before it.
  private var latest: (time: Rational, removedBefore: Rational)?

  static let longest = Rational(600)

  /// Returns the output time of an item that lasts for a while.
  mutating func move(_ time: Rational, lasting length: Rational) -> Rational {
    // Audio from before a gap may be stored after the first frame that follows the gap.
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

  /// Returns the output time of a subtitle, which cuts no gap and ends none; nil while that is not known.
  ///
  /// A subtitle from within a gap gets the output time of the gap, which has no length.
  func time(ofSubtitle time: Rational, isOver: Bool) -> Rational? {
    if let latest, time < latest.time {
      return min(time - latest.removedBefore, latest.time - removed)
    }
    let moved = time - removed
    return isOver || moved <= reach ? moved : nil
  }

  /// Returns the output time until which the last frame is shown, from the end that the frame states.
  mutating func end(_ time: Rational) -> Rational {
    guard time - reach > GapCut.longest else { return time }
    removed = removed + (time - reach)
    count += 1
    return reach
  }
}
