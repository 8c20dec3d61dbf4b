/// Makes every frame's timestamp later than the previous one, in the stream's time base.
///
/// A timestamp that is missing or goes backward is predicted: the previous timestamp plus that frame's
/// duration.
struct TimestampRepair {
  /// Number of frames whose timestamp was predicted.
  private(set) var predicted = 0

  private let nominalDuration: Int64
  private var previous: (time: Int64, duration: Int64)?

  /// `nominalDuration` is a frame's duration at the nominal frame rate, in ticks; at least 1.
  init(nominalDuration: Int64) { self.nominalDuration = max(nominalDuration, 1) }

  /// Forgets the previous frame, after a seek.
  mutating func restart() { previous = nil }

  /// Returns the timestamp for a frame with the given timestamp and duration (nil if unknown).
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
