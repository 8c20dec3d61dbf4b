/// How many samples a second sound has, and how many channels.
package struct AudioFormat: Sendable, Equatable {
  /// Samples a second of each channel.
  package var rate: Int
  package var channels: Int

  package init(rate: Int, channels: Int) { (self.rate, self.channels) = (rate, channels) }

  /// How long a sample is, in seconds.
  package var sampleDuration: Rational { Rational(1, Int64(rate)) }
}

/// Decoded audio: a run of float samples of each channel, -1 to 1.
///
/// Its pool writes the samples once; whoever holds the block may read it from any thread. When the last
/// reference goes, the memory goes back to the pool.
package final class AudioBlock: Sendable {
  package let format: AudioFormat
  /// The first sample's, in seconds from the first recorded frame.
  package let time: Rational
  /// Samples of each channel.
  package let count: Int
  /// Which of an output's audio tracks it belongs to: the number among those that are encoded, from 0.
  package let track: Int
  private let memory: HeapMemory
  private let free: FreeList<HeapMemory>

  fileprivate init(
    _ format: AudioFormat, time: Rational, count: Int, track: Int, memory: HeapMemory,
    free: FreeList<HeapMemory>
  ) {
    (self.format, self.time, self.count, self.track) = (format, time, count, track)
    (self.memory, self.free) = (memory, free)
  }

  deinit { free.put(memory) }

  /// How long it lasts, in seconds.
  package var duration: Rational { Rational(Int64(count), Int64(format.rate)) }

  /// A channel's samples.
  @_lifetime(borrow self)
  package func samples(ofChannel channel: Int) -> Span<Float> {
    let bytes = RawSpan(
      _unsafeStart: memory.baseAddress + channel * count * MemoryLayout<Float>.stride,
      byteCount: count * MemoryLayout<Float>.stride)
    return _overrideLifetime(bytes._unsafeView(as: Float.self), borrowing: self)
  }
}

/// Memory for blocks of one format: after the first blocks it allocates no more.
///
/// Blocks are made by one thread, let go by any, and may outlive the pool.
package final class AudioBlockPool: Sendable {
  package let format: AudioFormat
  private let capacity: Int
  private let track: Int
  private let free = FreeList<HeapMemory>()

  /// Makes an empty pool.
  ///
  /// - Parameters:
  ///   - format: Of the blocks.
  ///   - capacity: The most samples of a channel that a block has.
  ///   - track: That of the blocks.
  package init(_ format: AudioFormat, capacity: Int, track: Int = 0) {
    (self.format, self.capacity, self.track) = (format, capacity, track)
  }

  /// Makes a block.
  ///
  /// - Parameters:
  ///   - time: The first sample's, in seconds.
  ///   - count: How many samples each channel has.
  ///   - fill: Writes all samples of a channel, which are 0 before.
  /// - Returns: The block, which gives its memory back when the last reference goes.
  package func block(
    time: Rational, count: Int, fill: (_ channel: Int, _ samples: inout MutableSpan<Float>) -> Void
  ) -> AudioBlock {
    precondition(count <= capacity)
    let stride = MemoryLayout<Float>.stride
    let memory = free.take() ?? HeapMemory(byteCount: format.channels * capacity * stride)
    let values = memory.baseAddress.bindMemory(to: Float.self, capacity: format.channels * count)
    values.initialize(repeating: 0, count: format.channels * count)
    for channel in 0..<format.channels {
      var samples = MutableSpan(
        _unsafeStart: values + channel * count, count: count)
      fill(channel, &samples)
    }
    return AudioBlock(
      format, time: time, count: count, track: track, memory: memory, free: free)
  }
}
