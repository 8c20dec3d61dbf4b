import CFFmpeg
import FFmpegHandles
import Frames

/// Closes the jumps in time of recordings that were put one behind the other: where the times of a
/// stream go back, what follows is moved to where it had come to, and the other streams as far.
///
/// Only in containers that FFmpeg says have such jumps (MPEG-TS, for one). A forward jump is a gap,
/// and stays, unless it is half a day long, which is what FFmpeg makes of times of 33 bits that went
/// back.
struct TimeContinuity {
  /// Jumps that were closed.
  private(set) var jumps = 0

  private struct Stream {
    var offset = Rational.zero
    /// The offset before the last jump.
    var before: Rational?
    /// Where the last packet ended, moved.
    var end: Rational?
  }

  private let isWanted: Bool
  private var streams: [Stream]
  /// The newest offset of any stream.
  private var newest = Rational.zero

  /// Decoding times never go back; readers of damaged streams find them a little off.
  private static let backward = Rational(1, 10)
  private static let forward = Rational(12 * 3600)
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
    if !isNear(streams[index].offset), let before = streams[index].before, isNear(before) {
      (streams[index].offset, streams[index].before) = (before, nil)
      newest = before
      jumps -= 1
      return
    }
    guard own < -Self.backward || own > Self.forward else { return }
    streams[index].before = streams[index].offset
    if !isNear(newest) {
      newest = end - time
      jumps += 1
    }
    streams[index].offset = newest
  }
}
