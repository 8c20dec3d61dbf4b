import CFFmpeg
import FFmpegHandles
import Frames
import Synchronization

/// Closes the timestamp jumps of recordings that were joined end to end.
///
/// If the timestamps of a stream go back, or more than ten seconds ahead, later packets are moved to
/// where the recording ended, and those of the other streams by the same amount.
///
/// This applies only to containers that FFmpeg says have such jumps (MPEG-TS, MPEG-PS, Ogg, HLS). Ten
/// seconds is also the limit of the ffmpeg tool; a shorter jump is a gap, and stays. A longer gap in
/// one stream stays too, if the other streams have continued meanwhile.
struct TimeContinuity {
  /// Number of closed jumps back and ahead; of several readings, that of the one with most.
  var back: Int { max(counts.back, most.back) }
  var ahead: Int { max(counts.ahead, most.ahead) }

  private var counts = (back: 0, ahead: 0)
  private var most = (back: 0, ahead: 0)

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

  /// Forgets where the streams ended, after a seek; after one to the file's beginning also the jumps.
  mutating func restart(atBeginning isBeginning: Bool) {
    guard isBeginning else {
      for index in streams.indices { streams[index].end = nil }
      return
    }
    streams = Array(repeating: Stream(), count: streams.count)
    newest = .zero
    (most, counts) = ((back, ahead), (0, 0))
  }

  /// Moves a packet's timestamps; returns whether a jump was found at the packet, or a wrong one taken back.
  @discardableResult
  mutating func mend(_ packet: UnsafeMutablePointer<AVPacket>, timeBase: Rational) -> Bool {
    let index = Int(packet.pointee.stream_index)
    guard isWanted, index >= 0 else { return false }
    // An MPEG-PS shows its streams only while it is read.
    while index >= streams.count { streams.append(Stream()) }
    let none = kf_av_nopts_value()
    let stamp = packet.pointee.dts != none ? packet.pointee.dts : packet.pointee.pts
    guard stamp != none else { return false }
    let time = Rational(stamp) * timeBase
    guard time > -Self.century, time < Self.century else { return false }
    let known = counts
    if let end = streams[index].end { follow(end, at: time, stream: index) }
    let offset = streams[index].offset
    let length = max(Rational(packet.pointee.duration) * timeBase, .zero)
    streams[index].end = time + offset + length
    guard offset != .zero else { return counts != known }
    let ticks = offset.ticks(timeBase: timeBase)
    if packet.pointee.pts != none { packet.pointee.pts += ticks }
    if packet.pointee.dts != none { packet.pointee.dts += ticks }
    return counts != known
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
    case .back: counts.back += number
    case .ahead: counts.ahead += number
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

extension FileInput {
  /// Whether the times of a stream of a file jump anywhere, so that no place can be looked for by its time.
  ///
  /// No index tells: all packets are read once in a process (1.2 GB a second if the file is in memory). Of other inputs than
  /// files, and of containers without jumps, nothing is read.
  func hasTimeJumps(
    of stream: Int32, _ continuity: TimeContinuity, _ interruption: Interruption
  ) throws(CaptureError) -> Bool {
    guard continuity.isWanted, pipe == nil, !isRemote, numbered == nil else { return false }
    guard let stamp = FileStamp(name) else { return try findTimeJumps(of: stream, interruption) }
    let known = readStreams.withLock { $0.first { $0.stamp == stamp && $0.stream == stream } }
    if let known { return known.jumps }
    let jumps = try findTimeJumps(of: stream, interruption)
    if !interruption.isInterrupted { readStreams.withLock { $0.append((stamp, stream, jumps)) } }
    return jumps
  }

  private func findTimeJumps(
    of wanted: Int32, _ interruption: Interruption
  ) throws(CaptureError) -> Bool {
    let file = try Demuxer.open(self, interruption: interruption)
    let context = file.pointer
    let packet = try explained { () throws(FFmpegError) in try AVPacketHandle() }
    var continuity = TimeContinuity(context)
    // FFmpeg knows itself where the parts of a playlist are.
    guard continuity.isWanted, context.pointee.formatName != "hls" else { return false }
    while av_read_frame(context, packet.pointer) >= 0 {
      let number = packet.pointer.pointee.stream_index
      if number == wanted, let stream = context.pointee.streams[Int(number)],
        continuity.mend(packet.pointer, timeBase: Rational(stream.pointee.time_base))
      {
        return true
      }
      packet.clear()
    }
    return false
  }
}

/// Whether the times of streams jump, so that several readers of a version of a file do not look for it again.
private let readStreams = Mutex<[(stamp: FileStamp, stream: Int32, jumps: Bool)]>([])
