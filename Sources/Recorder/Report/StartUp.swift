package import Frames

/// From the program's start to the first frame that the encoder was given.
package struct StartUp: Sendable {
  /// In seconds.
  package let total: Double
  /// What is left of the total outside of `calls`, which run side by side.
  package let own: Double
  /// The calls of libraries that are listed apart, in the order in which they began.
  package let calls: [TimedCall]

  /// - Parameters:
  ///   - start: When the program started.
  ///   - end: When the encoder was given the first frame.
  ///   - calls: Those that began later do not count, and of one that ended later only a part does.
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
