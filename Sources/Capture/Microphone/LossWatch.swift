import Frames

/// Detects audio that a device loses silently: its count suddenly falls behind the clock, and stays behind.
///
/// Drivers count modulo their buffer, and so skip whole buffers if the machine stands still for longer
/// than one lasts; USB devices skip packets.
struct LossWatch {
  enum Verdict: Equatable {
    case good
    /// The pair is off, perhaps because of a late timestamp.
    case doubtful
    /// Number of samples that the count stays behind since the last good pair (negative: ahead).
    case lost(Int64)
  }

  private var last: (position: Int64, time: MonotonicTime)?
  private var doubt: (count: Int, since: MonotonicTime)?

  /// Whether the last pair was off, and the reason is not known yet.
  var isInDoubt: Bool { doubt != nil }

  /// Losses below this many seconds are left to the resampler.
  private static let limit = 0.05
  /// Late timestamps end within this many pairs and seconds.
  private static let patience = (pairs: 5, seconds: 0.3)

  /// Judges a pair of count and time; `rate` is the device's measured samples per second.
  mutating func judge(position: Int64, time: MonotonicTime, rate: Double) -> Verdict {
    guard let last else {
      self.last = (position, time)
      return .good
    }
    let behind =
      Double(last.position) + time.seconds(since: last.time) * rate - Double(position)
    guard abs(behind) > LossWatch.limit * rate else {
      self.last = (position, time)
      doubt = nil
      return .good
    }
    let since = doubt?.since ?? time
    let count = (doubt?.count ?? 0) + 1
    doubt = (count, since)
    guard count >= LossWatch.patience.pairs,
      time.seconds(since: since) >= LossWatch.patience.seconds
    else { return .doubtful }
    restart()
    return .lost(Int64(behind.rounded()))
  }

  /// Starts again: the next pair is not compared with earlier pairs.
  mutating func restart() { (last, doubt) = (nil, nil) }
}
