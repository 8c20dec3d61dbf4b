import CFFmpeg
package import FFmpegHandles
package import Frames

/// A source's sound as samples of any format, one after the other from a time on: packets go in, in the
/// order in which they are stored.
///
/// Before the sound, where it is missing and behind it there is silence. Used by one thread.
package final class SourceAudio {
  private var decoder: AudioDecoder
  private let target: AudioFormat
  private let resampler: ResamplerHandle
  private let queue: SampleQueueHandle
  private let decoded: SamplePlanes
  private let converted: SamplePlanes
  /// The place of the sample that the resampler is due, in the source's rate.
  private var next: Int64
  private var hasBegun = false
  private let placeError: Int64
  private var hasEnded = false
  /// Samples that were read.
  private var position: Int64 = 0

  /// Opens a decoder; nil where FFmpeg has none.
  ///
  /// - Parameters:
  ///   - stream: What the packets belong to.
  ///   - zero: The source's own time of the first sample, in seconds.
  ///   - target: What is read.
  /// - Throws: Where a resampler cannot be opened.
  package init?(
    _ stream: CompressedStream, from zero: Rational, as target: AudioFormat
  ) throws(FFmpegError) {
    guard let decoder = AudioDecoder(stream) else { return nil }
    let source = decoder.format
    resampler = try ResamplerHandle(
      from: (source.rate, source.channels), to: (target.rate, target.channels))
    queue = try SampleQueueHandle(channels: target.channels, capacity: 1 << 14)
    decoded = SamplePlanes(channels: source.channels, capacity: SourceAudio.blockSize)
    converted = SamplePlanes(channels: target.channels, capacity: SourceAudio.blockSize)
    next = (zero * Rational(Int64(source.rate)) + Rational(1, 2)).floor
    placeError = decoder.placeError
    self.target = target
    self.decoder = decoder
  }

  /// Samples that are converted at once.
  private static let blockSize = 1 << 12

  /// Samples from the first on that are known; nil for all, once the end was told.
  package var known: Int64? { hasEnded ? nil : position + Int64(queue.count) }

  /// Takes the next packet.
  package func add(_ packet: CompressedPacket) throws(FFmpegError) {
    guard !hasEnded else { return }
    try decode(packet)
  }

  /// No more packets come.
  package func end() throws(FFmpegError) {
    guard !hasEnded else { return }
    try decode(nil)
    hasEnded = true
    try enqueue(decodedCount: nil)
  }

  /// Fills each plane from a place on with its channel's next `count` samples; silence for what is not
  /// known.
  package func read(_ count: Int, into target: SamplePlanes, at place: Int) throws(FFmpegError) {
    precondition(place + count <= target.capacity && target.channels == converted.channels)
    position += Int64(count)
    let present = min(count, queue.count)
    if present > 0 {
      let taken = target.withPlanes(from: place) {
        av_audio_fifo_read(queue.pointer, $0, Int32(present))
      }
      try check(taken, "av_audio_fifo_read", "sound")
    }
    for channel in 0..<target.channels {
      for missing in place + present..<place + count { target[channel][missing] = 0 }
    }
  }

  /// No sound comes any more that begins before a sample, counted from the first: what is missing there
  /// is silence.
  package func pad(to place: Int64) throws(FFmpegError) {
    guard let known, known < place else { return }
    let seconds = Rational(place - known, Int64(target.rate))
    try convert(count: Int((seconds * Rational(Int64(decoder.format.rate))).ceiling)) { _, _ in 0 }
  }

  /// Decodes a packet, or with nil what the decoder still has, and queues what it becomes.
  private func decode(_ packet: CompressedPacket?) throws(FFmpegError) {
    var failure: FFmpegError?
    decoder.decode(packet) { place, count, sample in
      do throws(FFmpegError) {
        // Where blocks overlap the first one stays, where sound is missing there is silence; but what
        // is off by no more than the container's rounding follows without a gap.
        var start = place ?? next
        if hasBegun, abs(start - next) <= placeError { start = next }
        hasBegun = true
        try convert(count: Int(max(start - next, 0))) { _, _ in 0 }
        let skipped = Int(min(max(next - start, 0), Int64(count)))
        try convert(count: count - skipped) { channel, number in sample(channel, number + skipped) }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// Hands samples to the resampler, a block at a time.
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

  /// Converts what lies in `decoded`, or with nil what the resampler holds back.
  private func enqueue(decodedCount count: Int?) throws(FFmpegError) {
    let most = try check(
      swr_get_out_samples(resampler.pointer, Int32(count ?? 0)), "swr_get_out_samples", "sound")
    guard most > 0 else { return }
    converted.reserve(Int(most))
    let made = converted.withBytes { output in
      guard let count else { return swr_convert(resampler.pointer, output, most, nil, 0) }
      return decoded.planes.withMemoryRebound(
        to: UnsafePointer<UInt8>?.self, capacity: decoded.channels
      ) { swr_convert(resampler.pointer, output, most, $0, Int32(count)) }
    }
    try check(made, "swr_convert", "sound")
    guard made > 0 else { return }
    try check(
      av_audio_fifo_write(queue.pointer, converted.planes, made), "av_audio_fifo_write", "sound")
  }
}
