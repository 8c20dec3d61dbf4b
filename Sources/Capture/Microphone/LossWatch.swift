import Frames

/// Notices that a device has lost sound without a word: its count falls behind the clock at once, and
/// stays there.
///
/// Drivers count modulo their buffer, and so leave whole buffers out when the machine stands still for
/// longer than one lasts; USB devices leave packets out.
struct LossWatch {
  enum Verdict: Equatable {
    case good
    /// The pair is off, which may be a late time stamp.
    case doubtful
    /// Samples that the count is behind since the last good pair (negative: ahead), for good.
    case lost(Int64)
  }

  private var last: (position: Int64, time: MonotonicTime)?
  private var doubt: (count: Int, since: MonotonicTime)?

  /// The last pair was off, and it is not known yet what that means.
  var isInDoubt: Bool { doubt != nil }

  /// Smaller losses are left to the resampler, in seconds.
  private static let limit = 0.05
  /// Late stamps are over after so many pairs and seconds.
  private static let patience = (pairs: 5, seconds: 0.3)

  /// Judges a pair of count and time; `rate` is what the device gave until now.
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

  /// What comes next is not compared with what was.
  mutating func restart() { (last, doubt) = (nil, nil) }
}
