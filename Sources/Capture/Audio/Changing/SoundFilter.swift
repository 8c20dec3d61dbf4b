public import FFmpegHandles
public import Frames

/// Filters of libavfilter on the samples of one track: blocks go in, and come out changed.
///
/// Used by one thread at a time.
public final class SoundFilter {
  private var graph: AudioFilterGraph
  private let start: Rational
  private let pool: AudioBlockPool

  /// Number of samples per block.
  private static let blockSize = 4096

  /// Makes filters that FFmpeg writes as "volume=0.5" for blocks whose first sample has the time `start`.
  public init(
    _ filters: String, _ format: AudioFormat, from start: Rational, track: Int = 0
  ) throws(FFmpegError) {
    graph = try AudioFilterGraph(filters, from: format, to: format)
    self.start = start
    pool = AudioBlockPool(format, capacity: Self.blockSize, track: track)
  }

  /// Takes the next block, and passes on what is ready.
  public func add(
    _ block: AudioBlock, to deliver: (AudioBlock) -> Void
  ) throws(FFmpegError) {
    try graph.add(block)
    try pass(to: deliver)
  }

  /// Passes on what the filters still hold after the last block.
  public func end(to deliver: (AudioBlock) -> Void) throws(FFmpegError) {
    try graph.end()
    try pass(to: deliver)
  }

  private func pass(to deliver: (AudioBlock) -> Void) throws(FFmpegError) {
    let format = graph.output
    try graph.take { place, count, sample in
      var done = 0
      while done < count {
        let part = min(count - done, Self.blockSize)
        let time = start + Rational(place + Int64(done)) * format.sampleDuration
        deliver(
          pool.block(time: time, count: part) { channel, samples in
            for number in 0..<part { samples[number] = sample(channel, done + number) }
          })
        done += part
      }
    }
  }
}
