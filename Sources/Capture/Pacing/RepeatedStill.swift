import Frames

/// Repeats a still image as a video of the requested length, in which effects can move.
///
/// The frame rate is the requested one, or 25, which is also an image sequence's default.
final class RepeatedStill: MediaSource {
  private(set) var description: SourceDescription
  private let source: any MediaSource
  private let interruption: Interruption
  private let frameDuration: Rational
  private let first: Int
  private let count: Int
  private var picture: Frame?
  private var index = 0
  /// The number at which a stretch that is read again ends.
  private var stretchEnd: Int

  /// Takes over a source that is a still image, if more than one frame of it is wanted; nil otherwise.
  init?(_ source: any MediaSource, request: SourceRequest) {
    let frames = request.frames ?? request.outputFrames
    let length = request.duration ?? request.end.map { $0 - (request.start ?? .zero) }
    guard source.description.isStill, length != nil || frames != nil else { return nil }
    let rate = request.frameRate ?? Rational(25)
    // A frame is shown from its timestamp on, so a frame that begins before the end is wanted.
    let inTime = length.map { Int(($0 * rate).ceiling) }
    let count = min(inTime ?? .max, frames ?? .max)
    guard count > 1 || request.range != nil else { return nil }
    first = request.range?.begin ?? 0
    (self.count, stretchEnd) = (count, count)
    self.source = source
    interruption = request.interruption
    frameDuration = rate.reciprocal
    description = source.description
    description.isStill = false
    description.frameRate = rate
    description.timeBase = rate.reciprocal
    description.frameCount = count
    description.duration = Rational(Int64(count)) / rate
    description.end = description.duration
    description.range = request.range.map { DeliveredRange($0, rate: rate) }
  }

  var report: SourceReport { source.report }

  func next() throws(CaptureError) -> MediaSample? {
    if picture == nil {
      guard case .frame(let frame)? = try source.next() else { return nil }
      picture = frame
    }
    guard var frame = picture, index < stretchEnd, !interruption.isInterrupted else { return nil }
    frame.time = Rational(Int64(first + index)) * frameDuration
    frame.duration = frameDuration
    index += 1
    return .frame(frame)
  }
}

extension RepeatedStill: RereadableSource {
  var rereadRefusal: String? { nil }

  func reread(from time: Rational, before end: Rational?) {
    index = max(Int((time / frameDuration).floor) - first, 0)
    stretchEnd = end.map { min(Int(($0 / frameDuration).ceiling) - first, count) } ?? count
  }
}
