import CFFmpeg
import FFmpegHandles
import Frames

/// Records how far the copied audio of a container has been read, compared with its video.
///
/// A container may store audio before or after the frame of the same time, by a fragment's length or more.
struct AudioProgress {
  private struct Stream {
    /// The timestamps of the first packet since the last seek and of the latest one, in seconds.
    var first: Rational?
    var latest: Rational?
    /// The latest decoding timestamp, in the stream's time base.
    var stamp: Int64?
  }

  private var streams: [Stream]
  /// The timestamp of the first video packet since the last seek, in seconds.
  private var firstFrame: Rational?

  /// An audio stream this many seconds behind the other streams counts as ended: fragments and segments
  /// are rarely longer, and the wait for a stopped stream must end.
  static let longestLag = Rational(30)
  /// Audio stored more seconds ahead of its frames than this counts as audio that starts late.
  private static let longestLead = Rational(10)

  init(streams count: Int) { streams = Array(repeating: Stream(), count: count) }

  /// Forgets all earlier packets, after a seek.
  mutating func restart() { self = AudioProgress(streams: streams.count) }

  /// The time in seconds up to which all copied audio was read; nil without audio streams.
  ///
  /// It is far in the past while any stream has no packet yet.
  var reach: Rational? {
    streams.map { $0.latest ?? Rational(Int64(Int32.min)) }.min()
  }

  mutating func note(frameAt time: Rational) { firstFrame = firstFrame ?? time }

  /// Records a packet of a copied stream; `stamp` is its decoding timestamp in the stream's time base.
  mutating func note(audioAt time: Rational, stamp: Int64, stream: Int) {
    streams[stream].first = streams[stream].first ?? time
    streams[stream].latest = time
    streams[stream].stamp = stamp
  }

  /// Returns whether all audio from `start` to `end` was read, or no more is expected at the time `now` of the latest packet.
  func isComplete(
    before end: Rational, from start: Rational, now: Rational?, in demuxer: borrowing Demuxer
  ) -> Bool {
    for (index, stream) in streams.enumerated() {
      if let latest = stream.latest, latest >= end { continue }
      guard let now, now >= end + Self.longestLag else { return false }
      if demuxer.hasIndexedAudio(index, after: stream.stamp, from: start, before: end) {
        return false
      }
    }
    return true
  }

  /// How many seconds earlier than its frames the audio is stored, if the last seek skipped audio of
  /// `start`; nil otherwise.
  ///
  /// A stream without any packet may lie entirely before the seek position.
  func lead(missing start: Rational) -> Rational? {
    guard let firstFrame, !streams.isEmpty else { return nil }
    if streams.contains(where: { $0.first == nil }) { return Self.longestLead }
    guard let first = streams.compactMap(\.first).max(), first > start else { return nil }
    let lead = first - firstFrame
    return lead <= Self.longestLead ? lead : nil
  }
}
