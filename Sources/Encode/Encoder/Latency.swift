import Frames

/// How long frames took from when they were captured until they were written: until the muxer or
/// the file had the frame's packet.
package struct Latency: Hashable, Sendable {
  /// In seconds.
  package var mean: Double
  package var longest: Double
}

/// Measures the latency of the frames on their way through an encoder, which gives them back in
/// another order and later.
struct LatencyMeter {
  /// By time of presentation in the encoder's ticks: frames that are in the encoder.
  private var held: [Int64: MonotonicTime] = [:]
  private var count = 0
  private var sum = 0.0
  private var longest = 0.0

  /// A frame goes in; one that nobody has timed is left out.
  mutating func enter(_ ticks: Int64, captured: MonotonicTime?) {
    if let captured { held[ticks] = captured }
  }

  /// The packet of the frame at `ticks` has been written.
  mutating func leave(_ ticks: Int64, at moment: MonotonicTime = .now) {
    guard let captured = held.removeValue(forKey: ticks) else { return }
    // A camera may stamp a frame a little ahead of its delivery.
    let seconds = max(moment.seconds(since: captured), 0)
    count += 1
    sum += seconds
    longest = max(longest, seconds)
  }

  /// Of the frames that have left; nil while there are none.
  var latency: Latency? {
    count > 0 ? Latency(mean: sum / Double(count), longest: longest) : nil
  }
}
