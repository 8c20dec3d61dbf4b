package import Encode
package import Frames

/// How long frames took from their time of capture until the window system had them, up to five seconds.
package struct PresentationLatency: Sendable {
  private var times = TimeHistogram(steps: 10_000)
  private var sum = 0.0
  private var longest = 0.0

  package init() {}

  /// Counts a frame that was shown at this moment.
  package mutating func note(_ frame: Frame, shown moment: MonotonicTime) {
    guard let captured = frame.captured else { return }
    // A camera's timestamp may be slightly later than the delivery of the frame.
    let seconds = max(moment.seconds(since: captured), 0)
    times.note(seconds)
    sum += seconds
    longest = max(longest, seconds)
  }

  /// The latencies so far; nil if no frame had a time of capture.
  package var latency: Latency? {
    guard let median = times.share(0.5) else { return nil }
    return Latency(
      mean: sum / Double(times.count), longest: longest, median: min(median, longest))
  }
}
