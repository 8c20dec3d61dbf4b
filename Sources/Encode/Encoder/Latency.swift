import Frames

/// How long frames took from capture until they were written, that is until the muxer or the file
/// had the frame's packet.
public struct Latency: Hashable, Sendable {
  /// In seconds, as is `longest`.
  public var mean: Double
  public var longest: Double
  /// Half of the frames took this long or less; nil if it was not measured.
  public var median: Double?

  public init(mean: Double, longest: Double, median: Double? = nil) {
    (self.mean, self.longest, self.median) = (mean, longest, median)
  }
}

/// Measures the latency of frames that pass through an encoder, which returns them later and in
/// another order.
struct LatencyMeter {
  /// Capture times of the frames in the encoder, by presentation time in the encoder's ticks.
  private var held: [Int64: MonotonicTime] = [:]
  private var count = 0
  private var sum = 0.0
  private var longest = 0.0

  /// Records that a frame enters the encoder; a frame without a capture time is left out.
  mutating func enter(_ ticks: Int64, captured: MonotonicTime?) {
    if let captured { held[ticks] = captured }
  }

  /// Records that the packet of the frame at `ticks` was written.
  mutating func leave(_ ticks: Int64, at moment: MonotonicTime = .now) {
    guard let captured = held.removeValue(forKey: ticks) else { return }
    // A camera's timestamp may be slightly later than the delivery of the frame.
    let seconds = max(moment.seconds(since: captured), 0)
    count += 1
    sum += seconds
    longest = max(longest, seconds)
  }

  /// Latency of the frames that have left; nil if there are none.
  var latency: Latency? {
    count > 0 ? Latency(mean: sum / Double(count), longest: longest) : nil
  }
}
