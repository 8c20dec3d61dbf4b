package import Encode
package import Frames

/// How long frames took from their time of capture until the window system had them.
///
/// Its memory does not grow: it counts latencies in steps of half a millisecond, up to five seconds.
package struct PresentationLatency: Sendable {
  private static let steps = 10_000
  private static let step = 0.0005

  private var counts = [Int32](repeating: 0, count: steps)
  private var count = 0
  private var sum = 0.0
  private var longest = 0.0

  package init() {}

  /// Counts a frame that was shown at this moment.
  package mutating func note(_ frame: Frame, shown moment: MonotonicTime) {
    guard let captured = frame.captured else { return }
    // A camera's timestamp may be slightly later than the delivery of the frame.
    let seconds = max(moment.seconds(since: captured), 0)
    counts[min(Int(seconds / Self.step), Self.steps - 1)] += 1
    count += 1
    sum += seconds
    longest = max(longest, seconds)
  }

  /// The latencies so far; nil if no frame had a time of capture.
  package var latency: Latency? {
    guard count > 0 else { return nil }
    var rest = (count + 1) / 2
    let median = counts.firstIndex { steps in
      rest -= Int(steps)
      return rest <= 0
    }
    return Latency(
      mean: sum / Double(count), longest: longest,
      median: median.map { min((Double($0) + 0.5) * Self.step, longest) })
  }
}
