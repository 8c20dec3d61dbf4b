import Capture
import Encode
import FFmpegHandles
import Frames
import Glibc

/// The sound of clips that follow each other, as samples: it crossfades while two of them are seen.
///
/// Where one has none, the other's fades in or out. It is given as far as it was read with the pictures.
/// Used by one thread.
final class ClipSequenceAudio {
  let format: AudioFormat

  private let clips: [Clip]
  /// The clip that is heard, and where its first sample lies in the output.
  private var current = 0
  private var start: Int64 = 0
  /// Those behind it, as far as they were told.
  private var coming: [Next] = []
  /// The output's next sample.
  private var position: Int64 = 0
  private let pool: AudioBlockPool
  private let mixed: SamplePlanes
  private let other: SamplePlanes

  private struct Next {
    /// Where its first sample lies, and where the clip before it ends.
    let start: Int64
    let end: Int64
  }

  /// Has the sound of some clips given; nil where none has any that FFmpeg decodes.
  ///
  /// - Throws: Where a resampler cannot be opened.
  init?(_ clips: [Clip]) throws {
    let formats = clips.compactMap(\.bestAudio).compactMap { AudioDecoder($0)?.format }
    guard let leading = formats.first else { return nil }
    format =
      AudioFormat(
        rate: leading.rate, channels: formats.map(\.channels).max() ?? leading.channels
      ).encodable
    self.clips = clips
    for clip in clips { try clip.hear(as: format) }
    pool = AudioBlockPool(format, capacity: Self.blockSize)
    mixed = SamplePlanes(channels: format.channels, capacity: Self.blockSize)
    other = SamplePlanes(channels: format.channels, capacity: Self.blockSize)
  }

  /// Samples of a block.
  private static let blockSize = 1024
  /// Sound that is stored so many seconds behind its pictures does not come any more.
  static let longestLag = Rational(30)

  /// Has the next clip's sound begin at a time, and that of the one before end at another, in seconds
  /// of output; both are the same for a cut.
  func lead(from start: Rational, until end: Rational) {
    coming.append(Next(start: ticks(start), end: ticks(end)))
  }

  private func ticks(_ time: Rational) -> Int64 { time.ticks(timeBase: format.sampleDuration) }

  /// Gives what is heard before a time of the output and was read; less than a block of it comes later,
  /// if only whole blocks are wanted.
  func advance(
    to time: Rational, inWholeBlocks: Bool, each: (AudioBlock) -> Void
  ) throws {
    let dead = ticks(time - Self.longestLag)
    if dead > position { try pad(to: dead) }
    let goal = min(ticks(time), known)
    while position + Int64(inWholeBlocks ? Self.blockSize : 1) <= goal {
      each(try block(Int(min(goal - position, Int64(Self.blockSize)))))
    }
  }

  /// Gives the rest before the end of the output; what was not read is silence.
  func finish(at time: Rational, each: (AudioBlock) -> Void) throws {
    let end = ticks(time)
    while position < end { each(try block(Int(min(end - position, Int64(Self.blockSize))))) }
  }

  /// Whether all that is heard before a time of the output was read.
  func isKnown(before time: Rational) -> Bool { known >= ticks(time) }

  /// Until where the sound of all clips that are heard was read, in samples of the output.
  private var known: Int64 {
    var known = Int64.max
    if let first = clips[current].audio?.known { known = start + first }
    // The clip counts up to where the next one alone is heard.
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
    // Runs of samples in which the same clips are heard.
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

  /// Mixes a run of samples into the block, at a place of it.
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
