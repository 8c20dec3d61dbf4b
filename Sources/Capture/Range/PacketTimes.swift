import CFFmpeg
import FFmpegHandles
import Frames

/// The times of a file's frames, from all its packets: of a Matroska file, or of a MOV or MP4 in fragments.
final class PacketTimes: FrameTimes {
  /// In the order in which frames are shown, in the stream's time base.
  private let stamps: [Int64]
  /// Numbers of the keyframes.
  private let keys: [Int]
  private let timeBase: Rational
  /// A packet may hold no frame that is shown.
  let hasCertainNumbers = false
  var count: Int { stamps.count }

  /// Reads the file from start to end; nil if it is of another kind, or if its timestamps are not unique.
  init?(_ request: SourceRequest) throws(CaptureError) {
    let demuxer = try Demuxer(request, input: .file(request))
    guard demuxer.seeksExactly else { return nil }
    let packet = try explained { () throws(FFmpegError) in try AVPacketHandle() }
    var found: [(stamp: Int64, isKey: Bool)] = []
    while demuxer.read(into: packet) >= 0 {
      let data = packet.pointer.pointee
      guard data.stream_index == demuxer.video.pointee.index,
        data.flags & AV_PKT_FLAG_DISCARD == 0
      else { continue }
      guard data.pts != kf_av_nopts_value(), data.flags & AV_PKT_FLAG_CORRUPT == 0 else {
        return nil
      }
      found.append((data.pts, data.flags & AV_PKT_FLAG_KEY != 0))
    }
    found.sort { $0.stamp < $1.stamp }
    guard zip(found, found.dropFirst()).allSatisfy({ $0.stamp < $1.stamp }) else { return nil }
    stamps = found.map(\.stamp)
    keys = found.indices.filter { found[$0].isKey }
    timeBase = Rational(demuxer.video.pointee.time_base)
  }

  func time(of number: Int) -> Rational? {
    stamps.indices.contains(number) ? Rational(stamps[number]) * timeBase : nil
  }

  func keyFrame(nearest number: Int) -> Int? {
    keys.dropFirst().min { abs($0 - number) < abs($1 - number) }
  }
}
