import Capture
import FFmpegHandles
import Frames

/// One source, whose first frame is there already; its sound is carried unchanged.
final class SingleClip: FrameSetSource, @unchecked Sendable {
  // @unchecked: only the thread that reads touches `isBegun` and `zero`.
  private let source: OpenedSource
  private var isBegun = false
  /// The time of the first frame that is recorded.
  private var zero: Rational

  init(_ source: OpenedSource) {
    self.source = source
    zero = source.first.time
  }

  var description: SourceDescription { source.media.description }
  var formats: [FrameFormat] { [source.first.format] }
  var firstTime: Rational { source.first.time }
  var report: SourceReport { source.media.report }
  var reports: [(description: SourceDescription, report: SourceReport)] { [(description, report)] }

  func interrupt() { source.media.interrupt() }

  func finish() {}

  func next() throws -> TimelineItem? {
    switch isBegun ? try source.media.next() : try begin() {
    case .frame(var frame)?:
      frame.time = frame.time - zero
      frame.captured = frame.captured ?? .now
      return .frames(FrameSet(frame))
    case .sound(let packet)?: return .sound(try packet.moved(to: packet.time - zero))
    case nil: return nil
    }
  }

  /// A camera's first frame is old by now: it was what the rest was prepared by.
  private func begin() throws -> MediaSample {
    isBegun = true
    guard source.media.description.isCamera, case .frame(let frame)? = try source.media.next()
    else { return .frame(source.first) }
    zero = frame.time
    return .frame(frame)
  }
}
