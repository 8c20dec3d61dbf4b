import Frames

package func record(
  _ recording: Recording, control: RecordingControl,
  events: @escaping @Sendable (RecordingEvent) -> Void
) throws -> RecordingEnd {
  throw PendingError("the recorder is not in this build")
}

package final class RecordingControl: Sendable {
  package init() {}
  package func stop() {}
}

struct PendingError: ExplainedError {
  let description: String
  init(_ description: String) { self.description = description }
}
