import Window

/// How far frames were shown from the time that the audio required, up to two seconds.
package struct PlayOffsets: Sendable {
  private var offsets = TimeHistogram(steps: 4000)
  /// Frames that were left out because others were due.
  package var leftOut = 0
  /// The largest offset, in seconds; negative if the frame came too early.
  package private(set) var worst = 0.0
  /// Frames that were more than half their own time away.
  package private(set) var late = 0

  /// Frames that were shown.
  package var shown: Int { offsets.count }

  mutating func note(_ offset: Double, half: Double) {
    offsets.note(abs(offset))
    if abs(offset) > abs(worst) { worst = offset }
    if abs(offset) > half { late += 1 }
  }

  /// The offset without its sign that a share of the frames does not exceed, in seconds; nil if nothing was shown.
  package func share(_ share: Double) -> Double? { offsets.share(share) }
}
