import Capture
import Frames

/// An open source that has delivered its first frame, which decides everything that follows.
struct OpenedSource {
  let media: any MediaSource
  /// Ends its waits, from any thread.
  let interruption: Interruption
  let first: Frame

  init(_ request: SourceRequest, control: RecordingControl) throws {
    interruption = request.interruption
    control.attach(interruption)
    do {
      media = try openSource(request)
    } catch {
      // A source whose opening was stopped looks like a damaged file.
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
