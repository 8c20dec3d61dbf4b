import Capture
import Encode
import FFmpegHandles
import Frames
import Glibc

/// The sound of two sources, of which the second follows the first: it crossfades while both are
/// seen, and is encoded anew.
///
/// Where one has none, the other's fades in or out. Used by one thread.
final class JoinedSound {
  /// What its packets belong to.
  var stream: CompressedStream { encoder.stream }

  /// Which of the sources are heard.
  var hasFirst: Bool { first != nil }
  var hasSecond: Bool { second != nil }

  private let encoder: SoundEncoder
  private let first: SoundReader?
  private let second: SoundReader?
  /// In samples: where the second begins and the first ends.
  private let start: Int64
  private let end: Int64
  private var position: Int64 = 0
  private let mixed: SamplePlanes
  private let other: SamplePlanes

  /// Opens the sound of both sources; nil where neither has any that can be decoded.
  ///
  /// - Parameters:
  ///   - requests: What the sources were opened with.
  ///   - zeros: The sources' own times of their first frames.
  ///   - times: When the second begins and the first ends.
  /// - Throws: Where a resampler or the encoder cannot be opened.
  init?(
    _ requests: (first: SourceRequest, second: SourceRequest),
    zeros: (first: Rational, second: Rational), times: JoinedTimes
  ) throws {
    let formats = [requests.first, requests.second].compactMap(SoundReader.format)
    guard let leading = formats.first else { return nil }
    let format = SoundEncoder.format(
      rate: leading.rate, channels: formats.map(\.channels).max() ?? leading.channels)
    first = try SoundReader(requests.first, from: zeros.first, as: format)
    second = try SoundReader(requests.second, from: zeros.second, as: format)
    encoder = try SoundEncoder(rate: format.rate, channels: format.channels)
    start = times.start.ticks(timeBase: Rational(1, Int64(format.rate)))
    end = times.end.ticks(timeBase: Rational(1, Int64(format.rate)))
    mixed = SamplePlanes(channels: format.channels, capacity: encoder.blockSize)
    other = SamplePlanes(channels: format.channels, capacity: encoder.blockSize)
  }

  /// Encodes what is heard before a time of the output, in whole blocks.
  func advance(to time: Rational, each: (CompressedPacket) -> Void) throws {
    let goal = time.ticks(timeBase: Rational(1, Int64(encoder.rate)))
    while position + Int64(encoder.blockSize) <= goal { try encode(encoder.blockSize, each) }
  }

  /// Encodes the rest before the end of the output.
  func finish(at time: Rational, each: (CompressedPacket) -> Void) throws {
    try advance(to: time, each: each)
    let rest = time.ticks(timeBase: Rational(1, Int64(encoder.rate))) - position
    if rest > 0 { try encode(Int(rest), each) }
    try encoder.finish(each: each)
  }

  private func encode(_ count: Int, _ each: (CompressedPacket) -> Void) throws {
    let (begin, beyond) = (position, position + Int64(count))
    if let first, begin < end {
      try first.read(count, into: mixed)
    } else {
      silence(mixed, 0..<count)
    }
    // The second source's first sample lies at `start`.
    let ahead = Int(min(max(start - begin, 0), Int64(count)))
    if let second, beyond > start {
      try second.read(count - ahead, into: other)
    } else {
      silence(other, 0..<count)
    }
    for place in 0..<count where begin + Int64(place) >= start {
      let (leaving, coming) = gains(at: begin + Int64(place))
      for channel in 0..<mixed.channels {
        let sum = mixed[channel][place] * leaving + other[channel][place - ahead] * coming
        mixed[channel][place] = min(max(sum, -1), 1)
      }
    }
    position = beyond
    try encoder.encode(mixed, count: count, each: each)
  }

  /// Of equal power: two different sounds are together as loud as each alone.
  private func gains(at place: Int64) -> (Float, Float) {
    guard place < end else { return (0, 1) }
    let angle = Float(place - start) / Float(end - start) * .pi / 2
    return (cosf(angle), sinf(angle))
  }

  private func silence(_ planes: SamplePlanes, _ range: Range<Int>) {
    for channel in 0..<planes.channels {
      for place in range { planes[channel][place] = 0 }
    }
  }
}
