package import Frames

/// The sound of a file up to any moment, for effects that see sound: follows times that rise, and
/// seeks where they leap.
///
/// The same moment gives the same samples, however it was reached. Used by one thread.
package final class SoundFollower {
  package let channels: Int
  /// Samples a second of each channel.
  package let rate: Int

  private var decoder: SoundDecoder
  /// For each channel a ring of samples, one after the other.
  private var ring: [Float]
  /// The samples that are there, by place: time times rate.
  private var known: Range<Int64> = 0..<0
  /// `known` begins where the sound does.
  private var isFromStart = true
  private var hasEnded = false

  /// Samples of a channel that are kept; a power of two.
  private static let capacity = 1 << 16
  /// The most samples that can be asked for at once.
  package static let longest = 1 << 14
  /// Channels beyond these are left out.
  private static let mostChannels = 16

  /// Opens the sound of what a request names; nil where it is no file, or has no sound.
  package init?(_ request: SourceRequest) {
    guard let decoder = SoundDecoder.ofFile(request) else { return nil }
    channels = min(decoder.channels, SoundFollower.mostChannels)
    rate = decoder.rate
    ring = Array(repeating: 0, count: channels * SoundFollower.capacity)
    self.decoder = decoder
  }

  /// The last `samples.count` samples of a channel before a time of the source; 0 where there is no
  /// sound.
  package func read(
    channel: Int, before time: Rational, into samples: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(samples.count <= SoundFollower.longest && channel < channels)
    let end = (time * Rational(Int64(rate))).floor
    follow(to: end, from: end - Int64(samples.count))
    let start = end - Int64(samples.count)
    for index in samples.indices {
      let place = start + Int64(index)
      samples[index] = known.contains(place) ? ring[slot(channel, place)] : 0
    }
  }

  private func slot(_ channel: Int, _ place: Int64) -> Int {
    channel * SoundFollower.capacity + Int(place & Int64(SoundFollower.capacity - 1))
  }

  /// Decodes until the samples up to a place are there.
  private func follow(to end: Int64, from start: Int64) {
    let isBehind = !isFromStart && start < known.lowerBound
    let isFarAhead = !hasEnded && end > known.upperBound + Int64(2 * rate)
    if isBehind || isFarAhead {
      // A second before, because codecs need a run-up.
      let time = Rational(start, Int64(rate)) - .one
      if decoder.seek(to: time) {
        known = 0..<0
        isFromStart = time <= .zero
        hasEnded = false
      }
    }
    while !hasEnded, known.upperBound < end || known.isEmpty {
      hasEnded = !decoder.next { place, count, sample in add(place, count, sample) }
    }
  }

  private func add(_ place: Int64?, _ count: Int, _ sample: (Int, Int) -> Float) {
    let place = place ?? known.upperBound
    if known.isEmpty { known = place..<place }
    // Where sound is missing there is silence; where blocks overlap the first one stays.
    let gap = min(max(place - known.upperBound, 0), Int64(SoundFollower.capacity))
    for missing in place - gap..<place {
      for channel in 0..<channels { ring[slot(channel, missing)] = 0 }
    }
    let end = place + Int64(count)
    for here in max(place, known.upperBound)..<max(end, known.upperBound, place) {
      for channel in 0..<channels { ring[slot(channel, here)] = sample(channel, Int(here - place)) }
    }
    let upper = max(end, known.upperBound)
    let kept = upper - Int64(SoundFollower.capacity)
    if kept > known.lowerBound { isFromStart = false }
    known = max(known.lowerBound, kept)..<upper
  }
}
