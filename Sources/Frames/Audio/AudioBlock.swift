/// How many samples a second sound has, and how many channels.
package struct AudioFormat: Sendable, Equatable {
  /// Samples a second of each channel.
  package var rate: Int
  package var channels: Int

  package init(rate: Int, channels: Int) { (self.rate, self.channels) = (rate, channels) }

  /// How long a sample is, in seconds.
  package var sampleDuration: Rational { Rational(1, Int64(rate)) }
}

/// Decoded sound: a run of float samples of each channel, -1 to 1.
///
/// The samples are written by `init` alone; whoever holds the block may read it from any thread.
package final class AudioBlock: @unchecked Sendable {
  // @unchecked: nobody writes the memory after init.
  package let format: AudioFormat
  /// The first sample's, in seconds from the first recorded frame.
  package let time: Rational
  /// Samples of each channel.
  package let count: Int
  /// Which of an output's sounds it belongs to: the number among those that are encoded, from 0.
  package let track: Int
  private let memory: UnsafeMutableBufferPointer<Float>

  /// - Parameter fill: Writes all samples of a channel.
  package init(
    _ format: AudioFormat, time: Rational, count: Int, track: Int = 0,
    fill: (_ channel: Int, _ samples: UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    (self.format, self.time, self.count, self.track) = (format, time, count, track)
    memory = .allocate(capacity: max(format.channels * count, 1))
    memory.initialize(repeating: 0)
    for channel in 0..<format.channels {
      fill(
        channel,
        UnsafeMutableBufferPointer(rebasing: memory[channel * count..<(channel + 1) * count]))
    }
  }

  deinit { memory.deallocate() }

  /// How long it lasts, in seconds.
  package var duration: Rational { Rational(Int64(count), Int64(format.rate)) }

  /// A channel's samples.
  package func samples(ofChannel channel: Int) -> UnsafeBufferPointer<Float> {
    UnsafeBufferPointer(rebasing: memory[channel * count..<(channel + 1) * count])
  }
}
