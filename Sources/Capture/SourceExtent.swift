import CFFmpeg
import FFmpegHandles
import Frames

/// Compares how much a container claims to hold with how much was read.
struct SourceExtent {
  /// How a container states its extent.
  private enum Claim {
    /// An index of every packet (MOV, MP4); a fragment's entries are known once its header was read.
    case index
    /// The end time of the last packet of all streams, in seconds.
    case end(Rational)
    /// No statement, or only a guess from the file's size or its last packets.
    case nothing
  }

  /// The video stream's first timestamp and duration according to the container, in seconds.
  let start: Rational?
  let duration: Rational?
  /// Number of frames according to the container's index.
  let frameCount: Int?

  private let claim: Claim
  private let videoIndex: Int
  /// How long a frame is shown whose packet does not say it (FLV, ASF), in seconds.
  private let usualLength: Rational
  /// Number of undamaged packets read from each stream.
  private var packets: [Int]
  /// The latest decoding timestamp read from each stream, as stored.
  private var lastStamps: [Int64?]
  /// The end time of the frames read so far, in seconds.
  private(set) var videoEnd = Rational.zero
  private var lastEnd = Rational.zero
  private var readError: Int32?

  init(stream: UnsafeMutablePointer<AVStream>, context: UnsafeMutablePointer<AVFormatContext>) {
    let formatName = context.pointee.formatName
    let timeBase = Rational(stream.pointee.time_base)
    func seconds(_ ticks: Int64, _ unit: Rational) -> Rational? {
      ticks == kf_av_nopts_value() ? nil : Rational(ticks) * unit
    }
    let microsecond = Rational(1, 1_000_000)
    let fileStart = seconds(context.pointee.start_time, microsecond)
    let fileDuration =
      context.pointee.duration > 0 ? seconds(context.pointee.duration, microsecond) : nil
    start = seconds(stream.pointee.start_time, timeBase) ?? fileStart
    let origin = SourceExtent.origin(
      of: stream, in: context, formatName: formatName, start: start, fileStart: fileStart)
    if formatName.hasPrefix("mov,") {
      claim = .index
    } else if formatName == "avi", stream.pointee.nb_frames > 0 {
      // If the index is lost, FFmpeg guesses the duration from the file size; the header's frame count,
      // one frame per tick, stays valid.
      claim = .end(Rational(stream.pointee.nb_frames) * timeBase)
    } else if context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM,
      formatName != "avi", let fileDuration
    {
      claim = .end(fileDuration + (origin ?? fileStart ?? .zero))
    } else {
      claim = .nothing
    }
    if formatName == "avi", case .end(let end) = claim {
      duration = end
    } else {
      let stated =
        stream.pointee.duration > 0 ? seconds(stream.pointee.duration, timeBase) : fileDuration
      let begin = origin.map { [start] in max((start ?? .zero) - $0, .zero) } ?? .zero
      duration = stated.map { $0 > begin ? $0 - begin : $0 }
    }
    // AVI also counts empty frames, and a fragmented MP4 only the frames before its first fragment.
    let counted = Rational(stream.pointee.nb_frames)
    let average = Rational(stream.pointee.avg_frame_rate)
    let reckoned = duration.map { $0 * average } ?? .zero
    frameCount =
      counted > .zero && max(counted - reckoned, reckoned - counted) <= Rational(2)
      ? Int(stream.pointee.nb_frames) : nil
    videoIndex = Int(stream.pointee.index)
    usualLength = NominalRate.of(stream, in: context).reciprocal
    packets = [Int](repeating: 0, count: Int(context.pointee.nb_streams))
    lastStamps = packets.map { _ in nil }
  }

  /// The time from which the stated length counts, in seconds; nil if that is the first frame.
  private static func origin(
    of stream: UnsafeMutablePointer<AVStream>, in context: UnsafeMutablePointer<AVFormatContext>,
    formatName: String, start: Rational?, fileStart: Rational?
  ) -> Rational? {
    // FFmpeg's muxer writes the end as the length, also of a file that begins late.
    if formatName.hasPrefix("matroska") { return .zero }
    // An FLV counts from its first decoding timestamp: with B-frames the first frame is shown later.
    guard formatName == "flv" else { return nil }
    let delay =
      Rational(Int64(stream.pointee.codecpar.pointee.video_delay))
      / NominalRate.of(stream, in: context)
    return min(fileStart ?? .zero, (start ?? .zero) - delay)
  }

  /// The source's own time at which the container says that everything ends, if it stores no length of the last frame
  /// (Matroska: only a usual length of all frames).
  func end(ofFormat formatName: String) -> Rational? {
    guard formatName.hasPrefix("matroska"), let duration else { return nil }
    return max(start ?? .zero, .zero) + duration
  }

  /// Whether every stream, wanted or not, must be read to check the claim.
  var needsEveryStream: Bool {
    if case .end = claim { true } else { false }
  }

  /// Records a packet; `stamp` is its decoding timestamp before any repair, and its content ends at `end` seconds.
  mutating func note(_ packet: UnsafePointer<AVPacket>, stamp: Int64, end: Rational?) {
    let index = Int(packet.pointee.stream_index)
    if packets.indices.contains(index) {
      if packet.pointee.flags & AV_PKT_FLAG_CORRUPT == 0 { packets[index] += 1 }
      if stamp != kf_av_nopts_value() { lastStamps[index] = stamp }
    }
    guard let end else { return }
    lastEnd = max(lastEnd, end)
    guard index == videoIndex else { return }
    videoEnd = max(videoEnd, packet.pointee.duration > 0 ? end : end + usualLength)
  }

  /// Records that reading failed before the end.
  mutating func note(readError code: Int32) { readError = code }

  /// Says why the source is incomplete, as a sentence; nil if nothing shows that it is.
  ///
  /// Only for a source that was read from start to end.
  func incompleteness(
    name: String, context: UnsafePointer<AVFormatContext>
  ) -> String? {
    let come = max(videoEnd - (start ?? .zero), .zero)
    if isShort(context) {
      let of = duration.flatMap { $0 > come ? " of \($0.twoDecimals)" : nil } ?? ""
      return "\(name) ends early: \(come.twoDecimals)\(of) seconds could be read"
    }
    return readFailure(name: name)
  }

  /// Says that reading failed before the end, as a sentence; nil if it did not.
  func readFailure(name: String) -> String? {
    let come = max(videoEnd - (start ?? .zero), .zero)
    return readError.map {
      "\(name) could be read for \(come.twoDecimals) seconds only: \(FFmpegError.reason($0))"
    }
  }

  /// Says that the source was cut off, as a sentence: its last fragment or its size tells.
  func cut(name: String) -> String {
    let come = max(max(videoEnd, lastEnd) - (start ?? .zero), .zero).twoDecimals
    return "\(name) ends early, because it was cut off: \(come) seconds could be read"
  }

  /// Returns why a source ends before `end`, or before its own end, as a sentence; nil if there is no sign of it.
  ///
  /// Only for a source that was read up to its end, from any place on.
  func incompletenessOfRest(
    name: String, context: UnsafePointer<AVFormatContext>, before end: Rational? = nil,
    exceptVideo: Bool = false
  ) -> String? {
    let begin = start ?? .zero
    let claimed: Rational?
    switch claim {
    case .nothing: return nil
    case .end(let last):
      guard lastEnd + Rational(1, 2) < min(last, end ?? last) else { return nil }
      claimed = last
    case .index:
      let cut = packets.indices.first { index in
        !(exceptVideo && index == videoIndex) && isCut(stream: index, context, before: end)
      }
      guard cut != nil else { return nil }
      claimed = duration.map { begin + $0 }
    }
    let come = max(videoEnd - begin, .zero)
    let whole = claimed.flatMap { $0 - begin > come ? "\(($0 - begin).twoDecimals) " : nil } ?? ""
    // Nothing is known of what comes before the place where reading began.
    let much = hasVideo ? "\(come.twoDecimals) \(whole.isEmpty ? "" : "of ")" : "not all of its "
    return "\(name) ends early: \(much)\(whole)seconds could be read"
  }

  /// Whether video was read.
  var hasVideo: Bool { videoEnd > .zero }

  /// Whether the index has packets of a stream behind the last one that was read.
  private func isCut(
    stream index: Int, _ context: UnsafePointer<AVFormatContext>, before end: Rational?
  ) -> Bool {
    guard let stream = context.pointee.streams[index], stream.pointee.discard != AVDISCARD_ALL,
      case let count = avformat_index_get_entries_count(stream), count > 0,
      let last = avformat_index_get_entry(stream, count - 1)?.pointee.timestamp
    else { return false }
    let timeBase = Rational(stream.pointee.time_base)
    guard let read = lastStamps[index] else {
      // Nothing of it was read, from where reading began: it may have ended before.
      return Rational(last) * timeBase > lastEnd
        && end.map { Rational(last) * timeBase < $0 } ?? true
    }
    guard last > read else { return false }
    guard let end,
      let next = avformat_index_get_entry_from_timestamp(stream, read + 1, AVSEEK_FLAG_ANY)
    else { return true }
    return Rational(next.pointee.timestamp) * timeBase < end
  }

  private func isShort(_ context: UnsafePointer<AVFormatContext>) -> Bool {
    switch claim {
    case .nothing: return false
    case .end(let end):
      // Durations are often rounded, or one frame too long.
      return lastEnd + Rational(1, 2) < end
    case .index:
      return packets.indices.contains { index in
        guard let stream = context.pointee.streams[index], stream.pointee.discard != AVDISCARD_ALL
        else { return false }
        return packets[index] < Int(avformat_index_get_entries_count(stream))
      }
    }
  }
}
