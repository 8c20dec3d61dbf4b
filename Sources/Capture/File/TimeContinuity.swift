import CFFmpeg
import FFmpegHandles
import Frames

/// Closes the timestamp jumps of recordings that were joined end to end.
///
/// If the timestamps of a stream go back, or more than ten seconds ahead, later packets are moved to
/// where the recording ended, and those of the other streams by the same amount.
///
/// This applies only to containers that FFmpeg says have such jumps (MPEG-TS, MPEG-PS, Ogg, HLS). Ten
/// seconds is also the limit of the ffmpeg tool; a shorter jump is a gap, and stays. A longer gap in
/// one stream stays too, if the other streams have continued meanwhile.
struct TimeContinuity {
  /// Number of closed jumps back and ahead.
  private(set) var back = 0
  private(set) var ahead = 0

  private enum Way { case back, ahead }

  private struct Stream {
    var offset = Rational.zero
    /// The offset before the last jump, and the direction in which that jump was counted, if it was.
    var before: (offset: Rational, counted: Way?)?
    /// The end of the last packet after the move, in seconds.
    var end: Rational?
  }

  /// Whether the container may have jumps.
  let isWanted: Bool
  private var streams: [Stream]
  /// The newest offset of any stream, in seconds.
  private var newest = Rational.zero

  /// Smaller steps back, in seconds, are not jumps: readers of damaged streams find decoding timestamps
  /// slightly wrong.
  private static let backward = Rational(1, 10)
  private static let forward = Rational(10)
  /// FFmpeg moves 33-bit timestamps that went back a day ahead, past their maximum; jumps ahead of at
  /// least this many seconds count as jumps back.
  private static let wrapped = Rational(12 * 3600)
  /// Timestamps beyond this, in seconds, come from damaged files.
  private static let century = Rational(100 * 366 * 24 * 3600)
  /// If the newest offset brings a stream within this many seconds of its end, it has another stream's jump.
  private static let nearness = Rational(1)

  init(_ context: UnsafeMutablePointer<AVFormatContext>) {
    isWanted = (context.pointee.iformat?.pointee.flags ?? 0) & AVFMT_TS_DISCONT != 0
    streams = Array(repeating: Stream(), count: Int(context.pointee.nb_streams))
  }

  /// Forgets where the streams ended, after a seek.
  mutating func restart() {
    for index in streams.indices { streams[index].end = nil }
  }

  /// Moves a packet's timestamps.
  mutating func mend(_ packet: UnsafeMutablePointer<AVPacket>, timeBase: Rational) {
    let index = Int(packet.pointee.stream_index)
    guard isWanted, streams.indices.contains(index) else { return }
    let none = kf_av_nopts_value()
    let stamp = packet.pointee.dts != none ? packet.pointee.dts : packet.pointee.pts
    guard stamp != none else { return }
    let time = Rational(stamp) * timeBase
    guard time > -Self.century, time < Self.century else { return }
    if let end = streams[index].end { follow(end, at: time, stream: index) }
    let offset = streams[index].offset
    let length = max(Rational(packet.pointee.duration) * timeBase, .zero)
    streams[index].end = time + offset + length
    guard offset != .zero else { return }
    let ticks = offset.ticks(timeBase: timeBase)
    if packet.pointee.pts != none { packet.pointee.pts += ticks }
    if packet.pointee.dts != none { packet.pointee.dts += ticks }
  }

  /// Finds the offset of a stream that has come to `end`, for a packet with the unmoved timestamp `time`.
  private mutating func follow(_ end: Rational, at time: Rational, stream index: Int) {
    func gap(_ offset: Rational) -> Rational { time + offset - end }
    func isNear(_ offset: Rational) -> Bool { max(gap(offset), -gap(offset)) <= Self.nearness }
    let own = gap(streams[index].offset)
    // A single damaged timestamp looks like a jump until the next timestamp.
    if !isNear(streams[index].offset), let before = streams[index].before, isNear(before.offset) {
      (streams[index].offset, streams[index].before) = (before.offset, nil)
      newest = before.offset
      count(before.counted, by: -1)
      return
    }
    let isAhead = own > Self.forward && !othersReach(time + streams[index].offset, but: index)
    guard own < -Self.backward || isAhead else { return }
    var way: Way?
    if !isNear(newest) {
      newest = reached(end) - time
      way = isAhead && own < Self.wrapped ? .ahead : .back
    }
    count(way, by: 1)
    streams[index].before = (streams[index].offset, way)
    streams[index].offset = newest
  }

  private mutating func count(_ way: Way?, by number: Int) {
    switch way {
    case .back: back += number
    case .ahead: ahead += number
    case nil: break
    }
  }

  /// Returns whether another stream has come to about this time without a jump.
  private func othersReach(_ time: Rational, but index: Int) -> Bool {
    streams.indices.contains { other in
      guard other != index, let end = streams[other].end else { return false }
      return max(end - time, time - end) <= Self.forward
    }
  }

  /// Returns where the earlier recording ended, for a stream of it that ended at `end`.
  ///
  /// If another stream of the recording was longer, the next recording begins after that stream.
  private func reached(_ end: Rational) -> Rational {
    let ends = streams.compactMap(\.end).filter { $0 - end <= Self.forward }
    guard let longest = ends.max(), longest - end > Self.nearness else { return end }
    return longest
  }
}
