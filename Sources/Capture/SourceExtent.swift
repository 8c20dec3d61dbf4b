import CFFmpeg
import FFmpegHandles
import Frames

/// How much a container says that it holds, against how much came.
struct SourceExtent {
  /// The video stream's first time and duration by the container, in seconds.
  let start: Rational?
  let duration: Rational?
  /// Frames by the container's index.
  let frameCount: Int?

  /// The whole file's end by the container, over all streams.
  private let fileEnd: Rational?
  /// The duration is written in the file, not guessed from its size and bit rate.
  private let isStated: Bool
  private var videoPackets = 0
  private var videoEnd = Rational.zero
  private var lastEnd = Rational.zero
  private var readError: Int32?

  init(stream: UnsafeMutablePointer<AVStream>, context: UnsafeMutablePointer<AVFormatContext>) {
    let timeBase = Rational(stream.pointee.time_base)
    func seconds(_ ticks: Int64, _ unit: Rational) -> Rational? {
      ticks == kf_av_nopts_value() ? nil : Rational(ticks) * unit
    }
    let microsecond = Rational(1, 1_000_000)
    let fileStart = seconds(context.pointee.start_time, microsecond)
    let fileDuration =
      context.pointee.duration > 0
      ? seconds(context.pointee.duration, microsecond) : nil
    start = seconds(stream.pointee.start_time, timeBase) ?? fileStart
    duration =
      stream.pointee.duration > 0
      ? seconds(stream.pointee.duration, timeBase) : fileDuration
    frameCount = stream.pointee.nb_frames > 0 ? Int(stream.pointee.nb_frames) : nil
    fileEnd = fileDuration.map { $0 + (fileStart ?? .zero) }
    isStated = context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM
  }

  /// Notes a packet that was read.
  mutating func note(packetEnd: Rational?, isVideo: Bool) {
    if isVideo { videoPackets += 1 }
    guard let packetEnd else { return }
    lastEnd = max(lastEnd, packetEnd)
    if isVideo { videoEnd = max(videoEnd, packetEnd) }
  }

  /// Notes that reading failed before the end.
  mutating func note(readError code: Int32) { readError = code }

  /// Why the source is not whole, as a sentence; nil if nothing speaks against it.
  ///
  /// For a source that was read from start to end.
  func incompleteness(name: String, readsEverything: Bool) -> String? {
    let come = videoEnd - (start ?? .zero)
    let half = Rational(1, 2)
    let isShort: Bool
    if let frameCount, videoPackets < frameCount, let duration {
      // An edit list may leave packets out on purpose; then the times still reach the end.
      isShort = come + Rational(1, 5) < duration
    } else if isStated, readsEverything, let fileEnd {
      isShort = lastEnd + half < fileEnd
    } else {
      isShort = false
    }
    if let readError {
      return """
        \(name) could be read for \(seconds(come)) seconds only: \(FFmpegError.reason(readError))
        """
    }
    guard isShort else { return nil }
    let whole = duration ?? fileEnd.map { $0 - (start ?? .zero) }
    let of = whole.map { " of \(seconds($0))" } ?? ""
    return "\(name) ends early: \(seconds(come))\(of) seconds could be read"
  }

  private func seconds(_ time: Rational) -> String {
    let hundredths = Int((time.doubleValue * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
