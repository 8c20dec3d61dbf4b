package import Frames

/// Time from the program's start to the first frame at the encoder.
package struct StartUp: Sendable {
  /// Total time, in seconds.
  package let total: Double
  /// Seconds of the total that are outside `calls`, which run in parallel.
  package let own: Double
  /// Library calls that are listed separately, in the order in which they began.
  package let calls: [TimedCall]

  /// Counts the calls between two times: those that ended later count in part.
  package init(start: MonotonicTime, end: MonotonicTime, calls: [TimedCall]) {
    let counted =
      calls
      .map { TimedCall($0.name, begin: max($0.begin, start), end: min($0.end, end)) }
      .filter { $0.begin < $0.end }
      .sorted { $0.begin < $1.begin }
    var covered = 0.0
    var latestEnd = start
    for call in counted where call.end > latestEnd {
      covered += call.end.seconds(since: max(call.begin, latestEnd))
      latestEnd = call.end
    }
    self.calls = counted
    total = end.seconds(since: start)
    own = total - covered
  }
}
