import Capture
import FFmpegHandles
import Frames
import Render

/// What stage one reads: one source, or two that follow each other.
///
/// Used by one thread at a time, but for `interrupt`.
protocol LineSource: AnyObject, Sendable {
  /// Of all that is read as one source.
  var description: SourceDescription { get }
  /// The format of the first frame.
  var firstFormat: FrameFormat { get }
  /// The first frame's time by its own source.
  var firstTime: Rational { get }
  /// The sources themselves, in the order in which they are shown.
  var media: [any MediaSource] { get }

  /// The next item, with times from the first frame's; nil at the end.
  func next() throws -> LineItem?

  /// Makes a `next` that waits, and every later one, return nil soon; from any thread.
  func interrupt()

  /// Ends what reads ahead; `report` is complete then.
  func finish()

  /// What went less than well.
  var report: SourceReport { get }

  /// Where the second source enters a chain with a transition at a place; nil where there is none.
  func join(at place: Int, firstTime: Rational) -> LineJoin?
}

/// Opens one source, or two at once.
///
/// - Throws: A sentence for the user; nothing is left open.
func openLineSource(
  _ request: SourceRequest, second: SecondInput?, control: RecordingControl
) throws -> any LineSource {
  guard let second else { return SingleSource(try OpenedSource(request, control: control)) }
  // Duration and frames count output; the sources are read as far as that takes.
  var first = request
  (first.duration, first.frames) = (nil, nil)
  var other = second.source
  other.interruption = request.interruption
  other.includesSound = request.includesSound
  let opening = try Pending(.decode) { [other] in try OpenedSource(other, control: control) }
  let opened: OpenedSource
  do { opened = try OpenedSource(first, control: control) } catch {
    // The second may be a pipe that nobody writes to.
    request.interruption.interrupt()
    throw error
  }
  return try JoinedSource(
    opened, try opening.value(), request: request, secondRequest: second.source,
    overlap: second.overlap)
}

/// One source, whose first frame is there already.
final class SingleSource: LineSource, @unchecked Sendable {
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
  var firstFormat: FrameFormat { source.first.format }
  var firstTime: Rational { source.first.time }
  var media: [any MediaSource] { [source.media] }
  var report: SourceReport { source.media.report }

  func interrupt() { source.media.interrupt() }

  func finish() {}

  func join(at place: Int, firstTime: Rational) -> LineJoin? { nil }

  func next() throws -> LineItem? {
    switch isBegun ? try source.media.next() : try begin() {
    case .frame(var frame)?:
      frame.time = frame.time - zero
      frame.captured = frame.captured ?? .now
      return .frame(frame)
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
