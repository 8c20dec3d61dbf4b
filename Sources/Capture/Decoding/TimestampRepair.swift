/// Makes every frame's time later than the one before, in the stream's ticks.
///
/// A time that is missing or goes backward is predicted: the one before plus how long that frame is
/// shown.
struct TimestampRepair {
  /// Frames whose time was predicted.
  private(set) var predicted = 0

  private let nominalDuration: Int64
  private var previous: (time: Int64, duration: Int64)?

  /// `nominalDuration` is a frame's at the nominal rate, in ticks; at least 1.
  init(nominalDuration: Int64) { self.nominalDuration = max(nominalDuration, 1) }

  /// Forgets the frame before, after a seek.
  mutating func restart() { previous = nil }

  /// The time to use for a frame with the given time and duration (nil where unknown).
  mutating func repair(time: Int64?, duration: Int64?) -> Int64 {
    let shown = duration.flatMap { $0 > 0 ? $0 : nil } ?? nominalDuration
    let repaired: Int64
    if let time, previous.map({ time > $0.time }) ?? true {
      repaired = time
    } else {
      predicted += 1
      repaired = previous.map { $0.time + $0.duration } ?? 0
    }
    previous = (repaired, shown)
    return repaired
  }
}
