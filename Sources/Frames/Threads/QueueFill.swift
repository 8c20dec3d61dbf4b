/// How full a queue was, from its first element's arrival to its last one's departure, in units of
/// its load.
package struct QueueFill: Hashable, Sendable {
  /// Over time.
  package var mean: Double
  package var largest: Int
}

/// Measures how full a queue is from changes of its load, each of which costs a look at the clock.
struct LoadMeter {
  private var first: MonotonicTime?
  private var last = MonotonicTime(nanoseconds: 0)
  /// Load times seconds.
  private var sum = 0.0
  private var largest = 0

  /// The load was `old` until now, and is `new` from now on.
  mutating func change(from old: Int, to new: Int, at now: MonotonicTime = .now) {
    if first == nil { first = now } else { sum += Double(old) * now.seconds(since: last) }
    last = now
    largest = max(largest, new)
  }

  var fill: QueueFill {
    let seconds = first.map { last.seconds(since: $0) } ?? 0
    return QueueFill(mean: seconds > 0 ? sum / seconds : 0, largest: largest)
  }
}
