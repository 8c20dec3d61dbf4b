import CFFmpeg
import FFmpegHandles
import Frames

/// The times of a MOV's or MP4's frames, from its index of all samples.
///
/// The index has decoding timestamps. A presentation timestamp comes with the packet, so the packets near a
/// frame are read, not those of the whole file.
final class MovieTimes: FrameTimes {
  /// A keyframe of the index: its decoding timestamp, and the number of frames stored before it.
  private struct Key {
    let stamp: Int64
    let stored: Int
  }

  let count: Int
  let hasCertainNumbers: Bool
  private let demuxer: Demuxer
  private let packet: AVPacketHandle
  private let keys: [Key]

  /// Most frames that are shown before one that is decoded before them: the limit of H.264 and HEVC, twice.
  private static let reordering = 32

  /// Opens the file; nil if it is no MOV or MP4, or if its index does not hold all frames.
  init?(_ request: SourceRequest) throws(CaptureError) {
    let demuxer = try Demuxer(request, input: .file(request))
    guard demuxer.formatName.hasPrefix("mov,"), demuxer.isInOrder,
      let (keys, count) = MovieTimes.index(of: demuxer.video, extent: demuxer.extent)
    else { return nil }
    packet = try explained { () throws(FFmpegError) in try AVPacketHandle() }
    // The two fields of a frame may be two samples.
    let order = demuxer.video.pointee.codecpar.pointee.field_order
    hasCertainNumbers = order == AV_FIELD_UNKNOWN || order == AV_FIELD_PROGRESSIVE
    (self.keys, self.count) = (keys, count)
    self.demuxer = demuxer
  }

  private static func index(
    of stream: UnsafeMutablePointer<AVStream>, extent: SourceExtent
  ) -> (keys: [Key], count: Int)? {
    let entries = avformat_index_get_entries_count(stream)
    var keys: [Key] = []
    var stored = 0
    var last: Int64 = 0
    for place in 0..<entries {
      guard let entry = avformat_index_get_entry(stream, place)?.pointee else { return nil }
      let isDropped = entry.flags & AVINDEX_DISCARD_FRAME != 0
      if entry.flags & AVINDEX_KEYFRAME != 0, !isDropped {
        guard keys.last.map({ $0.stamp < entry.timestamp }) ?? true else { return nil }
        keys.append(Key(stamp: entry.timestamp, stored: stored))
      }
      if !isDropped { stored += 1 }
      last = entry.timestamp
    }
    // A file in fragments has an index of those that were read.
    let end = Rational(last) * Rational(stream.pointee.time_base) + .one
    guard keys.first?.stored == 0, stream.pointee.nb_frames >= Int64(stored),
      let start = extent.start, let duration = extent.duration, end >= start + duration
    else { return nil }
    return (keys, stored)
  }

  func time(of number: Int) throws(CaptureError) -> Rational? {
    guard (0..<count).contains(number),
      let key = keys.last(where: { $0.stored <= number }),
      let times = read(from: key, atLeast: number - key.stored + 1, throughKeys: true),
      times.count > number - key.stored
    else { return nil }
    // All frames that are stored before a keyframe are shown before it and before those that follow it.
    return Rational(times.sorted()[number - key.stored]) * Rational(demuxer.video.pointee.time_base)
  }

  func keyFrame(nearest number: Int) throws(CaptureError) -> Int? {
    guard
      let key = keys.dropFirst().min(by: {
        abs($0.stored - number) < abs($1.stored - number)
      }), let times = read(from: key, atLeast: 1, throughKeys: false), let own = times.first
    else { return nil }
    return key.stored + times.count { $0 < own }
  }

  /// Returns presentation timestamps in stored order from a keyframe on: at least `wanted`, and all that
  /// may be shown before them; nil if they are missing or not unique.
  private func read(from key: Key, atLeast wanted: Int, throughKeys: Bool) -> [Int64]? {
    guard demuxer.seek(to: key.stamp) else { return nil }
    var stamps: [Int64] = []
    while stamps.count < wanted + MovieTimes.reordering {
      guard demuxer.read(into: packet) >= 0 else { break }
      let data = packet.pointer.pointee
      guard data.stream_index == demuxer.video.pointee.index,
        data.flags & AV_PKT_FLAG_DISCARD == 0
      else { continue }
      // A seek may go to an earlier keyframe.
      if stamps.isEmpty, data.dts < key.stamp { continue }
      guard data.pts != kf_av_nopts_value(), !stamps.isEmpty || data.dts == key.stamp else {
        return nil
      }
      if !throughKeys, !stamps.isEmpty, data.flags & AV_PKT_FLAG_KEY != 0 { break }
      stamps.append(data.pts)
    }
    return Set(stamps).count == stamps.count ? stamps : nil
  }
}
