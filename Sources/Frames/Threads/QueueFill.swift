/// How full a queue was, from the arrival of its first element to the departure of its last one, in
/// units of its load.
package struct QueueFill: Hashable, Sendable {
  /// The average over time.
  package var mean: Double
  package var largest: Int
}

/// Measures how full a queue is from changes of its load; each change costs a read of the clock.
struct LoadMeter {
  private var first: MonotonicTime?
  private var last = MonotonicTime(nanoseconds: 0)
  /// Sum of the loads, each multiplied by its time in seconds.
  private var sum = 0.0
  private var largest = 0

  /// Records a change: the load was `old` before `now` and is `new` after it.
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
