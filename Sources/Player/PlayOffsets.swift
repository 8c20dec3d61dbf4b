import Synchronization

/// How far frames were shown from the time at which what was heard wanted them.
///
/// Its memory does not grow: it counts offsets in steps of half a millisecond, up to two seconds.
package struct PlayOffsets: Sendable {
  private static let steps = 4000
  private static let step = 0.0005

  private var counts = [Int32](repeating: 0, count: steps)
  /// Frames that were shown, and frames that were left out because others were due.
  package private(set) var shown = 0
  package var leftOut = 0
  /// The largest offset, in seconds; negative if the frame came too early.
  package private(set) var worst = 0.0
  /// Frames that were more than half their own time away.
  package private(set) var late = 0

  mutating func note(_ offset: Double, half: Double) {
    counts[min(Int(abs(offset) / Self.step), Self.steps - 1)] += 1
    shown += 1
    if abs(offset) > abs(worst) { worst = offset }
    if abs(offset) > half { late += 1 }
  }

  /// The median of the offsets, without their signs, in seconds; nil if nothing was shown.
  package var median: Double? { share(0.5) }

  /// The offset that a share of the frames does not exceed, in seconds.
  package func share(_ share: Double) -> Double? {
    guard shown > 0 else { return nil }
    var rest = Int((Double(shown) * share).rounded(.up))
    let index = counts.firstIndex { count in
      rest -= Int(count)
      return rest <= 0
    }
    return index.map { (Double($0) + 0.5) * Self.step }
  }
}
