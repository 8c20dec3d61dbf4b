import CFFmpeg
package import FFmpegHandles
package import Frames

/// The sound of a file from a time on, sample after sample, in any rate and number of channels.
///
/// Before the file's sound, where it is missing and after it there is silence. Used by one thread.
package final class SoundReader {
  private var decoder: SoundDecoder
  private let resampler: ResamplerHandle
  private let queue: SampleQueueHandle
  private let decoded: SamplePlanes
  private let converted: SamplePlanes
  /// The place of the sample that the resampler is due, in the file's rate.
  private var next: Int64
  private var hasEnded = false

  /// The rate and channels of what a request names, as stored; nil where it is no file, or has no
  /// sound.
  package static func format(of request: SourceRequest) -> (rate: Int, channels: Int)? {
    guard let decoder = SoundDecoder.ofFile(request) else { return nil }
    return (decoder.rate, decoder.channels)
  }

  /// Opens the sound of what a request names, from the source's own time `zero` on; nil where it is
  /// no file, or has no sound.
  package init?(
    _ request: SourceRequest, from zero: Rational, as target: (rate: Int, channels: Int)
  ) throws(FFmpegError) {
    guard var decoder = SoundDecoder.ofFile(request) else { return nil }
    // A second before, because codecs need a run-up.
    if zero > .one { _ = decoder.seek(to: zero - .one) }
    resampler = try ResamplerHandle(from: (decoder.rate, decoder.channels), to: target)
    queue = try SampleQueueHandle(channels: target.channels, capacity: 1 << 14)
    decoded = SamplePlanes(channels: decoder.channels, capacity: SoundReader.blockSize)
    converted = SamplePlanes(channels: target.channels, capacity: SoundReader.blockSize)
    next = (zero * Rational(Int64(decoder.rate)) + Rational(1, 2)).floor
    self.decoder = decoder
  }

  /// Samples that are converted at once.
  private static let blockSize = 1 << 12

  /// Fills each plane from a place on with its channel's next `count` samples.
  package func read(_ count: Int, into target: SamplePlanes, at place: Int) throws(FFmpegError) {
    precondition(place + count <= target.capacity && target.channels == converted.channels)
    while queue.count < count, !hasEnded { try decode() }
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

  /// Decodes a block and queues what it becomes; at the end what the resampler still has.
  private func decode() throws(FFmpegError) {
    var failure: FFmpegError?
    let isThere = decoder.next { place, count, sample in
      do throws(FFmpegError) {
        // Where blocks overlap the first one stays, where sound is missing there is silence.
        let start = place ?? next
        try convert(count: Int(max(start - next, 0))) { _, _ in 0 }
        let skipped = Int(min(max(next - start, 0), Int64(count)))
        try convert(count: count - skipped) { channel, number in sample(channel, number + skipped) }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    guard !isThere else { return }
    hasEnded = true
    try enqueue(decodedCount: nil)
  }

  /// Hands samples to the resampler, a block at a time.
  private func convert(
    count: Int, _ sample: (_ channel: Int, _ number: Int) -> Float
  ) throws(FFmpegError) {
    var done = 0
    while done < count {
      let block = min(count - done, SoundReader.blockSize)
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
