import Capture
import Encode
import FFmpegHandles
import Frames
import Glibc

/// The audio of consecutive clips, as samples; it crossfades while two clips are visible.
///
/// If one clip has no audio, the other clip's audio fades in or out. Audio is delivered as far as it was
/// read with the frames. Only one thread uses it.
final class ClipSequenceAudio {
  let format: AudioFormat

  private let clips: [Clip]
  /// Index of the clip that is heard, and the output position of its first sample.
  private var current = 0
  private var start: Int64 = 0
  /// The clips after it, as far as `lead` has announced them.
  private var coming: [Next] = []
  private var position: Int64 = 0
  private let pool: AudioBlockPool
  private let mixed: SamplePlanes
  private let other: SamplePlanes

  private struct Next {
    /// Output positions of the clip's first sample and of the end of the previous clip.
    let start: Int64
    let end: Int64
  }

  /// Requests the audio of some clips; nil if FFmpeg can decode none of it.
  init?(_ clips: [Clip]) throws {
    let formats = clips.compactMap(\.audioFormat)
    guard let leading = formats.first else { return nil }
    // The first of those with the most channels says for which speakers they are.
    var most = formats.reduce(leading) { $1.channels > $0.channels ? $1 : $0 }
    // The highest rate keeps the sound of each.
    most.rate = formats.map(\.encodable.rate).max() ?? leading.rate
    format = most.encodable
    self.clips = clips
    for clip in clips { try clip.hear(as: format) }
    pool = AudioBlockPool(format, capacity: Self.blockSize)
    mixed = SamplePlanes(channels: format.channels, capacity: Self.blockSize)
    other = SamplePlanes(channels: format.channels, capacity: Self.blockSize)
  }

  private static let blockSize = 1024
  /// Seconds by which audio may be stored after its frames; later audio is not expected.
  static let longestLag = Rational(30)

  /// Sets where the next clip's audio begins and the previous clip's ends, in seconds of output; both
  /// are the same for a cut.
  func lead(from start: Rational, until end: Rational) {
    coming.append(Next(start: ticks(start), end: ticks(end)))
  }

  private func ticks(_ time: Rational) -> Int64 { time.ticks(timeBase: format.sampleDuration) }

  /// Returns the next block before an output time, as far as it was read; nil if there is none.
  ///
  /// If only whole blocks are wanted, a remainder of less than a block comes later.
  func next(before time: Rational, inWholeBlocks: Bool) throws -> AudioBlock? {
    let dead = ticks(time - Self.longestLag)
    if dead > position { try pad(to: dead) }
    let goal = min(ticks(time), known)
    guard position + Int64(inWholeBlocks ? Self.blockSize : 1) <= goal else { return nil }
    return try block(Int(min(goal - position, Int64(Self.blockSize))))
  }

  /// Returns the next block of the rest before the end of the output; audio that was not read becomes silence.
  func rest(before time: Rational) throws -> AudioBlock? {
    let end = ticks(time)
    return position < end ? try block(Int(min(end - position, Int64(Self.blockSize)))) : nil
  }

  /// Returns whether all audio before an output time was read.
  func isKnown(before time: Rational) -> Bool { known >= ticks(time) }

  /// Output position, in samples, up to which the audio of all audible clips was read.
  private var known: Int64 {
    var known = Int64.max
    if let first = clips[current].audio?.known { known = start + first }
    // The clip counts up to the position from which only the next one is heard.
    if let next = coming.first, known >= next.end { known = .max }
    for (number, next) in coming.enumerated() {
      let clip = current + number + 1
      guard let read = clips[clip].audio?.known else { continue }
      let border = number + 1 < coming.count ? coming[number + 1].end : .max
      if next.start + read < border { known = min(known, next.start + read) }
    }
    return known
  }

  private func pad(to place: Int64) throws {
    try clips[current].audio?.pad(to: place - start)
    for (number, next) in coming.enumerated() {
      try clips[current + number + 1].audio?.pad(to: place - next.start)
    }
  }

  private func block(_ count: Int) throws -> AudioBlock {
    var done = 0
    // In each run of samples, the same clips are heard.
    while done < count {
      let here = position + Int64(done)
      while let next = coming.first, here >= next.end {
        (current, start) = (current + 1, next.start)
        coming.removeFirst()
      }
      let borders = coming.prefix(1).flatMap { [$0.start, $0.end] }.filter { $0 > here }
      let run = min(count - done, borders.min().map { Int(min($0 - here, Int64(count))) } ?? count)
      try mix(run, at: done, from: here)
      done += run
    }
    let time = Rational(position) * format.sampleDuration
    position += Int64(count)
    return pool.block(time: time, count: count) { channel, samples in
      for number in 0..<count { samples[number] = mixed[channel][number] }
    }
  }

  /// Mixes a run of samples into the block, from a position in it.
  private func mix(_ count: Int, at place: Int, from here: Int64) throws {
    if let audio = clips[current].audio {
      try audio.read(count, into: mixed, at: place)
    } else {
      silence(place, count)
    }
    guard let next = coming.first, here >= next.start else { return }
    let audio = clips[current + 1].audio
    try audio?.read(count, into: other, at: 0)
    for number in 0..<count {
      let (leaving, coming) = gains(at: here + Int64(number), next)
      for channel in 0..<mixed.channels {
        let added = audio == nil ? 0 : other[channel][number] * coming
        let sum = mixed[channel][place + number] * leaving + added
        mixed[channel][place + number] = min(max(sum, -1), 1)
      }
    }
  }

  /// Returns gains of equal power: two different signals together are as loud as each one alone.
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
