import CRubberBand
public import FFmpegHandles

/// Changes how fast samples pass, and keeps their pitch, with the Rubber Band library.
///
/// Used by one thread.
public struct TimeStretch: ~Copyable {
  /// What is more important.
  public enum Quality {
    /// Little work and a short delay.
    case fast
    /// The sound: the library's newer engine.
    case fine
  }

  /// Seconds of input for each second of output.
  public let speed: Double
  private let state: RubberBandState
  private let channels: Int
  /// Samples at the beginning of the output that stand for the silence with which the library begins.
  private var excess: Int
  private let output: SamplePlanes

  /// Largest number of samples that go in at once.
  public static let blockSize = 1024

  /// Begins with the first sample.
  public init(speed: Double, rate: Int, channels: Int, quality: Quality = .fast) {
    (self.speed, self.channels) = (speed, channels)
    var options =
      Int32(RubberBandOptionProcessRealTime.rawValue)
      | Int32(RubberBandOptionChannelsTogether.rawValue)
    if quality == .fine { options |= Int32(RubberBandOptionEngineFiner.rawValue) }
    state = rubberband_new(UInt32(rate), UInt32(channels), options, 1 / speed, 1)
    rubberband_set_max_process_size(state, UInt32(Self.blockSize))
    excess = Int(rubberband_get_start_delay(state))
    output = SamplePlanes(channels: channels, capacity: Self.blockSize * 4)
    // The first samples would be faded in without silence before them.
    var rest = Int(rubberband_get_preferred_start_pad(state))
    let silence = SamplePlanes(channels: channels, capacity: Self.blockSize)
    for channel in 0..<channels { silence[channel].update(repeating: 0) }
    while rest > 0 {
      let count = min(rest, Self.blockSize)
      process(silence, count: count)
      rest -= count
    }
  }

  deinit { rubberband_delete(state) }

  /// Takes samples, `blockSize` at most.
  public func process(_ input: SamplePlanes, count: Int) {
    withPointers(input) { rubberband_process(state, $0, UInt32(count), 0) }
  }

  /// Gives the samples that are ready: for each of the calls, samples and how many they are.
  public mutating func retrieve(_ take: (SamplePlanes, Int) -> Void) {
    while case let ready = Int(rubberband_available(state)), ready > 0 {
      let wanted = min(ready, output.capacity, excess > 0 ? excess : .max)
      let count = Int(
        output.planes.withMemoryRebound(
          to: UnsafeMutablePointer<Float>?.self, capacity: channels
        ) { rubberband_retrieve(state, $0, UInt32(wanted)) })
      guard count > 0 else { return }
      if excess > 0 { excess -= count } else { take(output, count) }
    }
  }

  private func withPointers(
    _ planes: SamplePlanes, _ body: (UnsafePointer<UnsafePointer<Float>?>) -> Void
  ) {
    planes.planes.withMemoryRebound(to: UnsafePointer<Float>?.self, capacity: channels) {
      body($0)
    }
  }
}
