import CFFmpeg
public import FFmpegHandles
public import Frames

/// Converts a source's audio to continuous samples of any format from a start time on.
///
/// Packets go in, in stored order. Silence fills the time before the audio, its gaps and the time after
/// it; a long silence takes no memory. Used by one thread.
public final class SourceAudio {
  /// Nil if samples come in.
  private var decoder: AudioDecoder?
  private let source: AudioFormat
  private let target: AudioFormat
  private let resampler: ResamplerHandle
  private var queue: AudioQueue
  private let decoded: SamplePlanes
  private let converted: SamplePlanes
  /// Position of the next sample for the resampler, at the source's sample rate.
  private var next: Int64
  /// Where the samples that came in end, at the source's sample rate; nil before the first one.
  private var arrived: Int64?
  private let placeError: Int64
  /// Where the packets that came in end, in seconds.
  private var packetEnd: Rational?
  /// A packet whose timestamp is far ahead; the one after it shows whether that is true.
  private var doubtful: CompressedPacket?
  private var hasEnded = false
  /// Number of samples read.
  private var position: Int64 = 0

  /// Opens a decoder, for samples from the source's own time `zero` on; nil if FFmpeg has none.
  public convenience init?(
    _ stream: CompressedStream, from zero: Rational, as target: AudioFormat
  ) throws(FFmpegError) {
    guard let decoder = AudioDecoder(stream) else { return nil }
    let format = decoder.format
    let error = decoder.placeError
    try self.init(decoder, format, placeError: error, from: zero, as: target)
  }

  /// Takes samples instead of packets, for samples from the source's own time `zero` on.
  public convenience init(
    _ source: AudioFormat, from zero: Rational, as target: AudioFormat
  ) throws(FFmpegError) {
    try self.init(nil, source, placeError: 1, from: zero, as: target)
  }

  private init(
    _ decoder: consuming AudioDecoder?, _ source: AudioFormat, placeError: Int64,
    from zero: Rational, as target: AudioFormat
  ) throws(FFmpegError) {
    resampler = try ResamplerHandle(
      from: source, to: target)
    queue = try AudioQueue(channels: target.channels)
    decoded = SamplePlanes(channels: source.channels, capacity: SourceAudio.blockSize)
    converted = SamplePlanes(channels: target.channels, capacity: SourceAudio.blockSize)
    next = (zero * Rational(Int64(source.rate)) + Rational(1, 2)).floor
    self.placeError = placeError
    self.target = target
    self.source = source
    self.decoder = decoder
  }

  /// Largest number of samples per conversion.
  private static let blockSize = 1 << 12
  /// Seconds of silence that are stored at least if the rate changes, of which the resampler hears half before and half
  /// after the others, and the silence from which on the others are not stored.
  private static let storedSilence = 1
  private static let longSilence = 10
  /// A packet that begins more seconds after the one before it may have a damaged timestamp.
  private static let longestLeap = Rational(60)

  /// Number of known samples, counted from the first one; nil for all of them, after `end()`.
  public var known: Int64? { hasEnded ? nil : position + queue.count }

  /// Number of packets that did not decode, and are silence.
  public var damaged: Int { decoder?.damaged ?? 0 }

  /// Number of samples that can be read without silence in their place.
  public var ready: Int { Int(queue.count) }

  /// Number of samples that come next, are silent and not stored.
  public var silence: Int64 { queue.silence }

  /// Number of samples that come before a silence that is not stored; nil if there is none.
  public var countBeforeSilence: Int? { queue.countBeforeSilence }

  /// Leaves out samples of this silence.
  public func skip(_ count: Int64) {
    position += count
    queue.skip(count)
  }

  /// Takes the next packet.
  public func add(_ packet: CompressedPacket) throws(FFmpegError) {
    guard !hasEnded else { return }
    if let held = doubtful, let end = packetEnd {
      doubtful = nil
      // If the next packet goes back, the timestamp was damaged.
      let isWrong = packet.time < held.time
      try decode(isWrong ? held.moved(to: end) : held)
      packetEnd = (isWrong ? end : held.time) + held.duration
    }
    if let end = packetEnd, packet.time - end > Self.longestLeap {
      doubtful = packet
      return
    }
    try decode(packet)
    packetEnd = packet.time + packet.duration
  }

  /// Takes the next samples.
  public func add(_ block: AudioBlock) throws(FFmpegError) {
    guard !hasEnded, block.format == source else { return }
    let place = (block.time * Rational(Int64(source.rate)) + Rational(1, 2)).floor
    try add(place, block.count) { block.samples(ofChannel: $0)[$1] }
  }

  /// Ends the input: no more packets come.
  public func end() throws(FFmpegError) {
    guard !hasEnded else { return }
    if let doubtful { try decode(doubtful) }
    try decode(nil)
    hasEnded = true
    try enqueue(decodedCount: nil)
  }

  /// Writes the next `count` samples of each channel into its plane, from `place` on; silence for
  /// unknown samples.
  public func read(_ count: Int, into target: SamplePlanes, at place: Int) throws(FFmpegError) {
    precondition(place + count <= target.capacity && target.channels == converted.channels)
    position += Int64(count)
    let present = Int(min(Int64(count), queue.count))
    try queue.read(present, into: target, at: place)
    for channel in 0..<target.channels {
      for missing in place + present..<place + count { target[channel][missing] = 0 }
    }
  }

  /// Fills with silence up to a sample, counted from the first: no more audio comes that begins before it.
  public func pad(to place: Int64) throws(FFmpegError) {
    guard let known, known < place else { return }
    let seconds = Rational(place - known, Int64(target.rate))
    try addSilence((seconds * Rational(Int64(source.rate))).ceiling)
  }

  /// Decodes a packet, or with nil the remaining samples in the decoder, and queues the result.
  private func decode(_ packet: CompressedPacket?) throws(FFmpegError) {
    var failure: FFmpegError?
    decoder?.decode(packet) { place, count, sample in
      do throws(FFmpegError) { try add(place, count, sample) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Takes samples at a place by the source's sample rate; without a place they follow the ones before them.
  private func add(
    _ place: Int64?, _ count: Int, _ sample: (_ channel: Int, _ number: Int) -> Float
  ) throws(FFmpegError) {
    // Where blocks overlap, the first one stays; missing audio becomes silence. An offset within the container's
    // rounding error is ignored.
    var start = place ?? arrived ?? next
    if let arrived, abs(start - arrived) <= placeError { start = arrived }
    arrived = start + Int64(count)
    try addSilence(max(start - next, 0))
    let skipped = Int(min(max(next - start, 0), Int64(count)))
    try convert(count: count - skipped) { channel, number in sample(channel, number + skipped) }
  }

  /// Appends silence, of which only the ends go through the resampler if it is long.
  ///
  /// What is not stored is a whole number of periods of both rates, so every sample is the same as if all were.
  private func addSilence(_ count: Int64) throws(FFmpegError) {
    let divisor = Self.divisor(source.rate, target.rate)
    let (period, made) = (Int64(source.rate / divisor), Int64(target.rate / divisor))
    let isLong = count > Int64(Self.longSilence * source.rate)
    let least = source.rate == target.rate ? 0 : Int64(Self.storedSilence * source.rate)
    let periods = isLong ? (count - least) / period : 0
    let stored = Int(count - periods * period)
    let before = isLong ? stored / 2 : stored
    try convert(count: before) { _, _ in 0 }
    guard periods > 0 else { return }
    queue.add(silence: periods * made)
    next += periods * period
    try convert(count: stored - before) { _, _ in 0 }
  }

  /// Returns the greatest common divisor.
  private static func divisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : divisor(b, a % b) }

  /// Gives samples to the resampler, a block at a time.
  private func convert(
    count: Int, _ sample: (_ channel: Int, _ number: Int) -> Float
  ) throws(FFmpegError) {
    var done = 0
    while done < count {
      let block = min(count - done, SourceAudio.blockSize)
      for channel in 0..<decoded.channels {
        let plane = decoded[channel]
        for number in 0..<block { plane[number] = sample(channel, done + number) }
      }
      try enqueue(decodedCount: block)
      done += block
    }
    next += Int64(count)
  }

  /// Converts the samples in `decoded`, or with nil the samples that the resampler still holds.
  private func enqueue(decodedCount count: Int?) throws(FFmpegError) {
    let most = try check(
      swr_get_out_samples(resampler.pointer, Int32(count ?? 0)), "swr_get_out_samples", "audio")
    guard most > 0 else { return }
    converted.reserve(Int(most))
    let made = converted.withBytes { output in
      guard let count else { return swr_convert(resampler.pointer, output, most, nil, 0) }
      return decoded.planes.withMemoryRebound(
        to: UnsafePointer<UInt8>?.self, capacity: decoded.channels
      ) { swr_convert(resampler.pointer, output, most, $0, Int32(count)) }
    }
    try check(made, "swr_convert", "audio")
    guard made > 0 else { return }
    try queue.add(converted.planes, count: made)
  }
}
