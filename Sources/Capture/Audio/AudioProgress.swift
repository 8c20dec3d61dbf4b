import CFFmpeg
import FFmpegHandles
import Frames

/// How far the carried sound of a container was read, beside its pictures.
///
/// A container may store the sound of a time before or behind the picture of that time, by a
/// fragment's length or more.
struct AudioProgress {
  private struct Stream {
    /// The times of the first packet since the last seek and of the latest one.
    var first: Rational?
    var latest: Rational?
    /// The latest decoding time, in the stream's ticks.
    var stamp: Int64?
  }

  private var streams: [Stream]
  /// The earliest packet of pictures since the last seek.
  private var firstPicture: Rational?

  /// Sound that is this far behind what else is read has stopped: a fragment or segment is seldom
  /// longer, and a stream that never ends would be waited for without an end.
  static let longestLag = Rational(30)
  /// Sound that is stored further ahead of its pictures is taken for sound that starts late.
  private static let longestLead = Rational(10)

  init(streams count: Int) { streams = Array(repeating: Stream(), count: count) }

  /// Forgets what came before, after a seek.
  mutating func restart() { self = AudioProgress(streams: streams.count) }

  /// Until when all carried sound was read; long ago where nothing of a stream was read yet, nil where
  /// there is none.
  var reach: Rational? {
    streams.map { $0.latest ?? Rational(Int64(Int32.min)) }.min()
  }

  mutating func note(pictureAt time: Rational) { firstPicture = firstPicture ?? time }

  /// Notes a packet of a carried stream; `stamp` is its decoding time in the stream's ticks.
  mutating func note(soundAt time: Rational, stamp: Int64, stream: Int) {
    streams[stream].first = streams[stream].first ?? time
    streams[stream].latest = time
    streams[stream].stamp = stamp
  }

  /// Tells whether all sound that begins before `end` was read.
  ///
  /// - Parameters:
  ///   - end: What begins then is not wanted.
  ///   - start: Where the part began that was read.
  ///   - now: The time of the latest packet of any stream.
  ///   - demuxer: Asked for what its index knows.
  /// - Returns: True as well where no more of it is to be expected.
  func isComplete(
    before end: Rational, from start: Rational, now: Rational?, in demuxer: borrowing Demuxer
  ) -> Bool {
    for (index, stream) in streams.enumerated() {
      if let latest = stream.latest, latest >= end { continue }
      guard let now, now >= end + Self.longestLag else { return false }
      if demuxer.hasIndexedSound(index, after: stream.stamp, from: start, before: end) {
        return false
      }
    }
    return true
  }

  /// How much earlier than the pictures sound is stored, where that of `start` was passed over by the
  /// last seek; nil where it was not.
  ///
  /// Sound of which nothing came may all lie before.
  func lead(missing start: Rational) -> Rational? {
    guard let firstPicture, !streams.isEmpty else { return nil }
    if streams.contains(where: { $0.first == nil }) { return Self.longestLead }
    guard let first = streams.compactMap(\.first).max(), first > start else { return nil }
    let lead = first - firstPicture
    return lead <= Self.longestLead ? lead : nil
  }
}
