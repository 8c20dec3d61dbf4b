import Frames

/// A single picture as a film that stands still, for as long as was asked: effects move in it.
///
/// Its rate is the asked one, or a sequence's.
final class RepeatedStill: MediaSource, @unchecked Sendable {
  // @unchecked: one thread's business by the protocol, but for `interruption`, which is atomic.

  private(set) var description: SourceDescription
  private let source: any MediaSource
  private let interruption: Interruption
  private let frameDuration: Rational
  private let count: Int
  private var picture: Frame?
  private var index = 0

  /// Takes over a source that is a still, if more than one frame of it is wanted; nil else.
  init?(_ source: any MediaSource, request: SourceRequest) {
    let frames = request.frames ?? request.outputFrames
    guard source.description.isStill, request.duration != nil || frames != nil else { return nil }
    let rate = request.frameRate ?? Rational(25)
    // A frame is shown from its time on, so one that begins before the end is wanted.
    let inTime = request.duration.map { Int(($0 * rate).ceiling) }
    let count = min(inTime ?? .max, frames ?? .max)
    guard count > 1 else { return nil }
    self.count = count
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
  }

  var report: SourceReport { source.report }

  func interrupt() {
    interruption.interrupt()
    source.interrupt()
  }

  func next() throws(CaptureError) -> MediaSample? {
    if picture == nil {
      guard case .frame(let frame)? = try source.next() else { return nil }
      picture = frame
    }
    guard var frame = picture, index < count, !interruption.isInterrupted else {
      picture = nil
      index = count
      return nil
    }
    frame.time = Rational(Int64(index)) * frameDuration
    frame.duration = frameDuration
    index += 1
    return .frame(frame)
  }
}
