import CFFmpeg
import FFmpegHandles
import Frames

/// How much a container says that it holds, against how much came.
struct SourceExtent {
  /// How a container tells how much it holds.
  private enum Claim {
    /// An index of every packet (MOV, MP4; a fragment's is known once its head was read).
    case index
    /// The time at which the last packet of all streams ends.
    case end(Rational)
    /// It does not say, or what it says is a guess from the file's size or its last packets.
    case nothing
  }

  /// The video stream's first time and duration by the container, in seconds.
  let start: Rational?
  let duration: Rational?
  /// Frames by the container's index.
  let frameCount: Int?

  private let claim: Claim
  private let videoIndex: Int
  /// Whole packets read of each stream.
  private var packets: [Int]
  /// Where the pictures that were read end.
  private(set) var videoEnd = Rational.zero
  private var lastEnd = Rational.zero
  private var readError: Int32?

  init(
    stream: UnsafeMutablePointer<AVStream>, context: UnsafeMutablePointer<AVFormatContext>,
    formatName: String
  ) {
    let timeBase = Rational(stream.pointee.time_base)
    func seconds(_ ticks: Int64, _ unit: Rational) -> Rational? {
      ticks == kf_av_nopts_value() ? nil : Rational(ticks) * unit
    }
    let microsecond = Rational(1, 1_000_000)
    let fileStart = seconds(context.pointee.start_time, microsecond)
    let fileDuration =
      context.pointee.duration > 0 ? seconds(context.pointee.duration, microsecond) : nil
    start = seconds(stream.pointee.start_time, timeBase) ?? fileStart
    if formatName.hasPrefix("mov,") {
      claim = .index
    } else if formatName == "avi", stream.pointee.nb_frames > 0 {
      // Where the index is lost, FFmpeg guesses the duration from the size; the header's count of
      // frames, one a tick, stays.
      claim = .end(Rational(stream.pointee.nb_frames) * timeBase)
    } else if context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM,
      formatName != "avi", let fileDuration
    {
      claim = .end(fileDuration + (fileStart ?? .zero))
    } else {
      claim = .nothing
    }
    if formatName == "avi", case .end(let end) = claim {
      duration = end
    } else {
      duration =
        stream.pointee.duration > 0 ? seconds(stream.pointee.duration, timeBase) : fileDuration
    }
    // AVI counts empty frames too, and a fragmented MP4 only those before its first fragment.
    let counted = Rational(stream.pointee.nb_frames)
    let average = Rational(stream.pointee.avg_frame_rate)
    let reckoned = duration.map { $0 * average } ?? .zero
    frameCount =
      counted > .zero && max(counted - reckoned, reckoned - counted) <= Rational(2)
      ? Int(stream.pointee.nb_frames) : nil
    videoIndex = Int(stream.pointee.index)
    packets = [Int](repeating: 0, count: Int(context.pointee.nb_streams))
  }

  /// Every stream must be read for the claim to be checked, wanted or not.
  var needsEveryStream: Bool {
    if case .end = claim { true } else { false }
  }

  /// Notes a packet that was read, and when what it holds ends.
  mutating func note(_ packet: UnsafePointer<AVPacket>, end: Rational?) {
    let index = Int(packet.pointee.stream_index)
    if packets.indices.contains(index), packet.pointee.flags & AV_PKT_FLAG_CORRUPT == 0 {
      packets[index] += 1
    }
    guard let end else { return }
    lastEnd = max(lastEnd, end)
    if index == videoIndex { videoEnd = max(videoEnd, end) }
  }

  /// Notes that reading failed before the end.
  mutating func note(readError code: Int32) { readError = code }

  /// Why the source is not whole, as a sentence; nil if nothing speaks against it.
  ///
  /// For a source that was read from start to end.
  func incompleteness(
    name: String, context: UnsafePointer<AVFormatContext>
  ) -> String? {
    let come = max(videoEnd - (start ?? .zero), .zero)
    if isShort(context) {
      let of = duration.flatMap { $0 > come ? " of \(seconds($0))" : nil } ?? ""
      return "\(name) ends early: \(seconds(come))\(of) seconds could be read"
    }
    return readError.map {
      "\(name) could be read for \(seconds(come)) seconds only: \(FFmpegError.reason($0))"
    }
  }

  private func isShort(_ context: UnsafePointer<AVFormatContext>) -> Bool {
    switch claim {
    case .nothing: return false
    case .end(let end):
      // Durations are often rounded, or counted a frame too long.
      return lastEnd + Rational(1, 2) < end
    case .index:
      return packets.indices.contains { index in
        guard let stream = context.pointee.streams[index], stream.pointee.discard != AVDISCARD_ALL
        else { return false }
        return packets[index] < Int(avformat_index_get_entries_count(stream))
      }
    }
  }

  /// To hundredths.
  func seconds(_ time: Rational) -> String {
    let hundredths = (time * Rational(100) + Rational(1, 2)).floor
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
