import Capture
import Encode
import FFmpegHandles
import Frames
import Glibc

/// The sound of clips that follow each other: it crossfades while two of them are seen, and is encoded
/// anew.
///
/// Where one has none, the other's fades in or out. Used by one thread.
final class ClipSequenceSound {
  /// What its packets belong to.
  var stream: CompressedStream { encoder.stream }
  /// Whether a clip has sound that can be had, by its place.
  let isHeard: [Bool]

  private let encoder: SoundEncoder
  private let clips: [Clip]
  /// The sound of the clip that is heard.
  private var current: SoundReader?
  /// Of those behind it, as far as they were told.
  private var coming: [Next] = []
  /// The output's next sample.
  private var position: Int64 = 0
  private let mixed: SamplePlanes
  private let other: SamplePlanes

  private struct Next {
    let reader: SoundReader?
    /// Where its first sample lies, and where the clip before it ends.
    let start: Int64
    let end: Int64
  }

  /// Opens the sound of the first of some clips; nil where none has any that can be decoded.
  ///
  /// - Throws: Where a resampler or the encoder cannot be opened.
  init?(_ clips: [Clip]) throws {
    let formats = clips.map { SoundReader.format(of: $0.request) }
    guard let leading = formats.compactMap(\.self).first else { return nil }
    let format = SoundEncoder.format(
      rate: leading.rate, channels: formats.compactMap(\.?.channels).max() ?? leading.channels)
    isHeard = formats.map { $0 != nil }
    self.clips = clips
    encoder = try SoundEncoder(rate: format.rate, channels: format.channels)
    mixed = SamplePlanes(channels: format.channels, capacity: encoder.blockSize)
    other = SamplePlanes(channels: format.channels, capacity: encoder.blockSize)
    current = try reader(0)
  }

  private func reader(_ place: Int) throws -> SoundReader? {
    guard isHeard[place] else { return nil }
    return try SoundReader(
      clips[place].request, from: clips[place].firstTime, as: (encoder.rate, encoder.channels))
  }

  /// Has the next clip's sound begin at a time, and that of the one before end at another, in seconds
  /// of output; both are the same for a cut.
  func lead(to place: Int, from start: Rational, until end: Rational) throws {
    let tick = Rational(1, Int64(encoder.rate))
    coming.append(
      Next(
        reader: try reader(place), start: start.ticks(timeBase: tick),
        end: end.ticks(timeBase: tick)))
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
    var done = 0
    // Runs of samples in which the same clips are heard.
    while done < count {
      let here = position + Int64(done)
      while let next = coming.first, here >= next.end {
        current = next.reader
        coming.removeFirst()
      }
      let borders = coming.prefix(1).flatMap { [$0.start, $0.end] }.filter { $0 > here }
      let run = min(count - done, borders.min().map { Int(min($0 - here, Int64(count))) } ?? count)
      try mix(run, at: done, from: here)
      done += run
    }
    position += Int64(count)
    try encoder.encode(mixed, count: count, each: each)
  }

  /// Mixes a run of samples into the block, at a place of it.
  private func mix(_ count: Int, at place: Int, from here: Int64) throws {
    if let current { try current.read(count, into: mixed, at: place) } else { silence(place, count) }
    guard let next = coming.first, here >= next.start else { return }
    try next.reader?.read(count, into: other, at: 0)
    for number in 0..<count {
      let (leaving, coming) = gains(at: here + Int64(number), next)
      for channel in 0..<mixed.channels {
        let added = next.reader == nil ? 0 : other[channel][number] * coming
        let sum = mixed[channel][place + number] * leaving + added
        mixed[channel][place + number] = min(max(sum, -1), 1)
      }
    }
  }

  /// Of equal power: two different sounds are together as loud as each alone.
  private func gains(at place: Int64, _ next: Next) -> (Float, Float) {
    let angle = Float(place - next.start) / Float(next.end - next.start) * .pi / 2
    return (cosf(angle), sinf(angle))
  }

  private func silence(_ place: Int, _ count: Int) {
    for channel in 0..<mixed.channels {
      for number in place..<place + count { mixed[channel][number] = 0 }
    }
  }
}
