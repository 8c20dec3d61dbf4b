public import FFmpegHandles
public import Frames

/// Makes blocks of samples, whose times follow each other, and filters them if that is wanted.
///
/// Used by one thread at a time.
public final class AudioBlockFeed {
  public let format: AudioFormat
  /// Where the next samples are written, from the first place on.
  public let planes: SamplePlanes
  /// Number of samples so far.
  public private(set) var position: Int64 = 0

  private let start: Rational
  private let track: Int
  private let filters: String?
  private let volume: VolumeCurve?
  private var filter: AudioFilter?
  private let pool: AudioBlockPool
  private var ready: [AudioBlock] = []

  /// Usual number of samples per block.
  public static let usualSize = 1024

  /// Makes blocks from the time `start` on, which pass the filters and then the volume, if there are any.
  public init(
    _ format: AudioFormat, from start: Rational = .zero, track: Int = 0, filters: String? = nil,
    volume: VolumeCurve? = nil, size: Int = AudioBlockFeed.usualSize
  ) throws(FFmpegError) {
    (self.format, self.start, self.track) = (format, start, track)
    (self.filters, self.volume) = (filters, volume)
    pool = AudioBlockPool(format, capacity: size, track: track)
    planes = SamplePlanes(channels: format.channels, capacity: size)
    try begin()
  }

  private func begin() throws(FFmpegError) {
    // Their clock begins with the first sample that they get.
    let passed = Rational(position) * format.sampleDuration
    let all = [filters, volume?.filter(from: passed)].compactMap(\.self)
    let chain = all.isEmpty ? nil : all.joined(separator: ",")
    filter = try chain.map { filters throws(FFmpegError) in
      try AudioFilter(filters, format, from: time, track: track)
    }
  }

  private var time: Rational { start + Rational(position) * format.sampleDuration }

  /// Takes the first `count` samples of the planes, whose time is `later` than the samples before them say.
  public func add(_ count: Int, later: Rational = .zero) throws(FFmpegError) {
    let block = pool.block(time: time + later, count: count) { channel, samples in
      let plane = planes[channel]
      for number in 0..<count { samples[number] = plane[number] }
    }
    position += Int64(count)
    guard let filter else { return ready.append(block) }
    try filter.add(block) { ready.append($0) }
  }

  /// Leaves out `count` samples of silence: the next block begins after it.
  public func skip(_ count: Int64) throws(FFmpegError) {
    try filter?.end { ready.append($0) }
    position += count
    try begin()
  }

  /// Ends the samples; the filter gives what it still holds.
  public func end() throws(FFmpegError) { try filter?.end { ready.append($0) } }

  /// Whether no block is ready.
  public var isEmpty: Bool { ready.isEmpty }

  /// Returns the next block that is ready.
  public func next() -> AudioBlock? { ready.isEmpty ? nil : ready.removeFirst() }
}

/// Filters of libavfilter on the samples of one track: blocks go in, and come out changed.
private final class AudioFilter {
  private var graph: AudioFilterGraph
  private let start: Rational
  private let pool: AudioBlockPool

  /// Number of samples per block.
  private static let blockSize = 4096

  /// Makes filters that FFmpeg writes as "volume=0.5" for blocks whose first sample has the time `start`.
  init(
    _ filters: String, _ format: AudioFormat, from start: Rational, track: Int
  ) throws(FFmpegError) {
    graph = try AudioFilterGraph(filters, from: format, to: format)
    self.start = start
    pool = AudioBlockPool(format, capacity: Self.blockSize, track: track)
  }

  /// Takes the next block, and passes on what is ready.
  func add(
    _ block: AudioBlock, to deliver: (AudioBlock) -> Void
  ) throws(FFmpegError) {
    try graph.add(block)
    try pass(to: deliver)
  }

  /// Passes on what the filters still hold after the last block.
  func end(to deliver: (AudioBlock) -> Void) throws(FFmpegError) {
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
