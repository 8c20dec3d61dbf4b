/// Makes every frame's timestamp later than the previous one, in the stream's time base.
///
/// A timestamp that is missing or goes backward is predicted: the previous timestamp plus that frame's
/// duration. One that repeats the one before comes in the middle of that frame's duration, so that the frames after it
/// keep their times.
struct TimestampRepair {
  /// Number of frames whose timestamp was predicted.
  private(set) var predicted = 0

  private let nominalDuration: Int64
  /// The frame before: its timestamp, the one that it had, if that was not behind, and the ticks until the next frame is due.
  private var previous: (time: Int64, given: Int64?, duration: Int64)?

  /// `nominalDuration` is a frame's duration at the nominal frame rate, in ticks; at least 1.
  init(nominalDuration: Int64) { self.nominalDuration = max(nominalDuration, 1) }

  /// Forgets the previous frame, after a seek.
  mutating func restart() { previous = nil }

  /// Returns the timestamp for a frame with the given timestamp and duration (nil if unknown).
  mutating func repair(time: Int64?, duration: Int64?) -> Int64 {
    let shown = duration.flatMap { $0 > 0 ? $0 : nil } ?? nominalDuration
    guard let previous else {
      if time == nil { predicted += 1 }
      self.previous = (time ?? 0, time, shown)
      return time ?? 0
    }
    if let time, time > previous.time {
      self.previous = (time, time, shown)
      return time
    }
    predicted += 1
    if let time, let given = previous.given, time >= given {
      let half = max(previous.duration / 2, 1)
      self.previous = (previous.time + half, time, max(previous.duration - half, 1))
    } else {
      self.previous = (previous.time + previous.duration, nil, shown)
    }
    return self.previous?.time ?? 0
  }
}
