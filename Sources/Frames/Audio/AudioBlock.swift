/// The sample rate of audio, its number of channels, and for which speakers they are.
public struct AudioFormat: Sendable, Equatable {
  /// Samples per second of each channel.
  public var rate: Int
  public var channels: Int
  /// The speakers of the channels, one bit for each, in the order of the channels, as WAV files and FFmpeg number them;
  /// 0 for the usual speakers of that number of channels.
  public var speakers: UInt64

  public init(rate: Int, channels: Int, speakers: UInt64 = 0) {
    (self.rate, self.channels, self.speakers) = (rate, channels, speakers)
  }

  /// The length of one sample, in seconds.
  public var sampleDuration: Rational { Rational(1, Int64(rate)) }
}

/// Decoded audio: float samples of each channel, from -1 to 1.
///
/// The pool writes the samples once; then any thread that holds the block may read them. When the
/// last reference is released, the memory goes back to the pool.
public final class AudioBlock: Sendable {
  public let format: AudioFormat
  /// Timestamp of the first sample, in seconds from the first recorded frame.
  public let time: Rational
  /// Number of samples of each channel.
  public let count: Int
  /// Index of the output's audio track, from 0, among the tracks that are encoded.
  public let track: Int
  private let lease: AudioLease

  fileprivate init(
    _ format: AudioFormat, time: Rational, count: Int, track: Int, lease: AudioLease
  ) {
    (self.format, self.time, self.count, self.track) = (format, time, count, track)
    self.lease = lease
  }

  /// Returns a block with the same samples at another time.
  public func moved(to time: Rational) -> AudioBlock {
    time == self.time
      ? self : AudioBlock(format, time: time, count: count, track: track, lease: lease)
  }

  /// The length of the block, in seconds.
  public var duration: Rational { Rational(Int64(count), Int64(format.rate)) }

  /// The samples of one channel.
  @_lifetime(borrow self)
  public func samples(ofChannel channel: Int) -> Span<Float> {
    let start = lease.memory.baseAddress + channel * count * MemoryLayout<Float>.stride
    let samples = Span(
      _unsafeStart: UnsafePointer(start.assumingMemoryBound(to: Float.self)), count: count)
    return _overrideLifetime(samples, borrowing: self)
  }
}

/// Memory for blocks of one format; after the first blocks it allocates nothing.
///
/// One thread makes the blocks; any thread may release them, and they may outlive the pool.
public final class AudioBlockPool: Sendable {
  public let format: AudioFormat
  private let capacity: Int
  private let track: Int
  private let free = FreeList<HeapMemory>()

  /// Makes an empty pool of blocks with at most `capacity` samples per channel.
  public init(_ format: AudioFormat, capacity: Int, track: Int = 0) {
    (self.format, self.capacity, self.track) = (format, capacity, track)
  }

  /// Makes a block from the time of its first sample, in seconds; `fill` writes the samples of a channel, which are 0 before.
  public func block(
    time: Rational, count: Int, fill: (_ channel: Int, _ samples: inout MutableSpan<Float>) -> Void
  ) -> AudioBlock {
    precondition(count <= capacity)
    let stride = MemoryLayout<Float>.stride
    let memory = free.take() ?? HeapMemory(byteCount: format.channels * capacity * stride)
    let values = memory.baseAddress.bindMemory(to: Float.self, capacity: format.channels * count)
    values.initialize(repeating: 0, count: format.channels * count)
    for channel in 0..<format.channels {
      let part = UnsafeMutableBufferPointer(start: values + channel * count, count: count)
      var samples = part.mutableSpan
      fill(channel, &samples)
    }
    return AudioBlock(
      format, time: time, count: count, track: track,
      lease: AudioLease(memory: memory, free: free))
  }
}

/// The memory of a block, which goes back to its pool when the last block that shares it is released.
private final class AudioLease: Sendable {
  let memory: HeapMemory
  private let free: FreeList<HeapMemory>

  init(memory: HeapMemory, free: FreeList<HeapMemory>) { (self.memory, self.free) = (memory, free) }

  deinit { free.put(memory) }
}
