import Capture
import Frames

/// A source that is open and has delivered its first frame, which decides all that follows.
struct OpenedSource: Sendable {
  let media: any MediaSource
  let first: Frame

  init(_ request: SourceRequest, control: RecordingControl) throws {
    control.attach(request.interruption)
    do {
      media = try openSource(request)
    } catch {
      // What was read until then looks like a broken file.
      throw control.isStopped ? OpenedSource.stopped : error
    }
    if case .frame(let frame) = try media.next() {
      first = frame
      return
    }
    if control.isStopped {
      throw OpenedSource.stopped
    }
    throw RecorderError(
      media.report.incomplete
        ?? "\(media.description.name) has no frame to record; check the file")
  }

  static let stopped = RecorderError(
    "stopped before the first frame; nothing was recorded")
}
