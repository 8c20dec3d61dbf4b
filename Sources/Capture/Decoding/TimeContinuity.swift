import CFFmpeg
import FFmpegHandles
import Frames

/// Closes the jumps in time of recordings that were put one behind the other: where the times of a
/// stream go back, or more than ten seconds ahead, what follows is moved to where the recording had
/// come to, and the other streams as far.
///
/// Only in containers that FFmpeg says have such jumps (MPEG-TS, MPEG-PS, Ogg, HLS). Ten seconds is
/// the limit of the ffmpeg tool too; what is shorter is a gap, and stays. So does a longer one of one
/// stream whose others have gone on meanwhile.
struct TimeContinuity {
  /// Jumps that were closed.
  private(set) var back = 0
  private(set) var ahead = 0

  private enum Way { case back, ahead }

  private struct Stream {
    var offset = Rational.zero
    /// The offset before the last jump, which was counted if no other stream had had it.
    var before: (offset: Rational, counted: Way?)?
    /// Where the last packet ended, moved.
    var end: Rational?
  }

  /// The container may have jumps.
  let isWanted: Bool
  private var streams: [Stream]
  /// The newest offset of any stream.
  private var newest = Rational.zero

  /// Decoding times never go back; readers of damaged streams find them a little off.
  private static let backward = Rational(1, 10)
  private static let forward = Rational(10)
  /// Times of 33 bits that went back FFmpeg takes for times behind their largest, a day away.
  private static let wrapped = Rational(12 * 3600)
  /// Beyond this are times of damaged files.
  private static let century = Rational(100 * 366 * 24 * 3600)
  /// A stream that jumps to within this of its end has the jump that another had.
  private static let nearness = Rational(1)

  init(_ context: UnsafeMutablePointer<AVFormatContext>) {
    isWanted = (context.pointee.iformat?.pointee.flags ?? 0) & AVFMT_TS_DISCONT != 0
    streams = Array(repeating: Stream(), count: Int(context.pointee.nb_streams))
  }

  /// Forgets what came before, after a seek.
  mutating func restart() {
    for index in streams.indices { streams[index].end = nil }
  }

  /// Moves a packet's times.
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

  /// Finds the offset of a stream that has come to `end`, for a packet at its own time.
  private mutating func follow(_ end: Rational, at time: Rational, stream index: Int) {
    func gap(_ offset: Rational) -> Rational { time + offset - end }
    func isNear(_ offset: Rational) -> Bool { max(gap(offset), -gap(offset)) <= Self.nearness }
    let own = gap(streams[index].offset)
    // A single time that was damaged looks like a jump, until the next one.
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

  /// Another stream has come to about this time without a jump.
  private func othersReach(_ time: Rational, but index: Int) -> Bool {
    streams.indices.contains { other in
      guard other != index, let end = streams[other].end else { return false }
      return max(end - time, time - end) <= Self.forward
    }
  }

  /// Where the recording had come to, for a stream that had come to `end`: where another one of it was
  /// longer, the next recording begins after that.
  private func reached(_ end: Rational) -> Rational {
    let ends = streams.compactMap(\.end).filter { $0 - end <= Self.forward }
    guard let longest = ends.max(), longest - end > Self.nearness else { return end }
    return longest
  }
}
