/// The rest that a thread owes for its work, so that a flood of requests leaves the processor to the recording.
///
/// 3600 changes a second took 40 % of a core without it.
public struct WorkDebt: Sendable {
  /// Seconds of rest for each second of work.
  private static let ratio = 3.0
  /// Shorter waits, in seconds, are not exact enough.
  private static let shortest = 0.001

  private let longest: Double
  private var seconds = 0.0

  public init(longest: Double) { self.longest = longest }

  /// Counts work that began at `begin` and ends now, and rests if enough rest is owed; the interruption ends the rest.
  public mutating func rest(after begin: MonotonicTime, until interruption: Interruption) {
    guard let rest = rest(after: MonotonicTime.now.seconds(since: begin)) else { return }
    interruption.wait(milliseconds: rest)
  }

  /// Returns the milliseconds to rest after this many seconds of work; nil while they are too few.
  mutating func rest(after work: Double) -> Int32? {
    seconds += work * Self.ratio
    guard seconds > Self.shortest else { return nil }
    defer { seconds = 0 }
    return Int32(min(seconds, longest) * 1000)
  }
}
