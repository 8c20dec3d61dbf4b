import CFFmpeg
import FFmpegHandles
import Frames

/// The time base in which a container stores times.
enum TimeBaseRule {
  /// The limit of QuickTime's 32-bit duration fields; at this many ticks movenc.c uses 64-bit
  /// fields, and says that QuickTime cannot play them.
  static let longestTrack = Int64(Int32.max)

  /// Returns the time base of MOV's and MP4's video: the source's, so that nothing is rounded, or
  /// 1/90000 if the source's is finer than 1/100000 or the run could exceed 2^31 of its ticks.
  ///
  /// An unknown duration is assumed to exceed that. A unit coarser than 1/90000 always stays,
  /// because 1/90000 would reach 2^31 sooner and be less exact. A unit of n/d seconds becomes 1/d,
  /// with d doubled until it is at least 10000: movenc.c does that to any stream (`mov_init`), and
  /// every multiple of the source's unit remains a whole number of ticks.
  static func movie(source: Rational, duration: Rational?) -> Rational {
    let common = Rational(1, 90_000)
    var scale = max(source.denominator, 1)
    while scale < 10_000 { scale *= 2 }
    guard scale > 90_000 else { return Rational(1, scale) }
    guard scale <= 100_000, let duration else { return common }
    let kept = Rational(1, scale)
    return duration.ticks(timeBase: kept) < longestTrack ? kept : common
  }

  /// Returns the time base for any container; y4m has none, because its frames follow each other at
  /// the nominal rate.
  static func timeBase(container: Container, request: SinkRequest) -> Rational {
    if container.has(.timeScale) {
      return movie(source: request.timeBase, duration: request.duration)
    }
    return container.isUncompressed ? request.frameRate.reciprocal : Rational(1, 1000)
  }

  /// Returns the time bases of streams that a movie carries beside its video: the source's for subtitles, and one
  /// sample for audio.
  ///
  /// The text of a MOV or MP4 has a unit of its own, at least as fine as that of every other stream, and whole
  /// milliseconds: movenc.c (`mov_write_packet`) compares the end of a text in its ticks with times of other
  /// streams in theirs, and would clear a text with a coarser unit too early, which makes all later ones late. A
  /// unit as fine as a microsecond would be too long for QuickTime after 36 minutes.
  static func carried(
    _ streams: [CompressedStream], video: Rational, in container: Container
  ) -> [Rational] {
    let own = streams.map { AudioTrack.timeBase(of: $0) }
    guard container.has(.ownText) else { return own }
    let isText = streams.map { $0.parameters.pointee.codec_id == AV_CODEC_ID_MOV_TEXT }
    let scales = zip(own, isText).filter { !$1 }.map(\.0.denominator) + [video.denominator]
    let text = Rational(1, Rational(scales.max() ?? 1, 1000).ceiling * 1000)
    return zip(own, isText).map { $1 ? text : $0 }
  }

  /// Returns the ticks per second of the movie header, in which MOV stores a track's late start:
  /// movenc.c's default of 1000 would round that down to a millisecond.
  ///
  /// The video starts at zero, so whole audio samples must be exact: the result is the least common
  /// multiple of the audio time scales (the video's without audio), or the greatest of them if that
  /// exceeds a million.
  static func movieTimescale(video: Int64, audio: [Int64]) -> Int64 {
    let scales = audio.filter { $0 > 0 }
    guard let greatest = scales.max() else { return video }
    let common = scales.reduce(1) { Rational($0, $1).numerator * $1 }
    return common <= 1_000_000 ? common : greatest
  }
}

/// Turns times into ticks that always increase: a time that rounds to the previous tick or before
/// it gets the next tick, because a muxer does not take two frames at one time.
struct TickClock {
  let timeBase: Rational
  private(set) var last: Int64?

  init(timeBase: Rational) { self.timeBase = timeBase }

  mutating func ticks(of time: Rational) -> Int64 {
    var ticks = time.ticks(timeBase: timeBase)
    if let last, ticks <= last { ticks = last + 1 }
    last = ticks
    return ticks
  }
}
