import Frames
import Synchronization

/// Makes a recording: capture -> upload -> effects -> readback -> encode, until the source ends or
/// `control` stops it.
///
/// Where upload, effects and readback would change nothing, frames pass them by.
///
/// - Parameters:
///   - recording: What is asked for.
///   - control: Ends it early, from any thread.
///   - events: Told of what happens, from the recording's threads, one at a time.
/// - Returns: How it ended; `incomplete` says why, where the output is valid but not all of it.
/// - Throws: An `ExplainedError` where nothing was made; then nothing is left behind.
package func record(
  _ recording: Recording, control: RecordingControl = RecordingControl(),
  events: @escaping @Sendable (RecordingEvent) -> Void
) throws -> RecordingResult {
  let start = recording.programStart ?? .now
  try AddressSpace.check(room: AddressSpace.usualRoom)
  let lock = Mutex(())
  let events: @Sendable (RecordingEvent) -> Void = { event in lock.withLock { _ in events(event) } }
  let notify: @Sendable (Notice) -> Void = { events(.notice($0)) }

  var end = RecordingResult.skipped
  // Capture: what is asked for is opened, and gives its first frames.
  if let opening = try OpeningPlan(recording, notify: notify) {
    let opened = try OpenedRecording(opening, control: control, notify: notify)
    // Those decide the rest.
    let plan = try RecordingPlan(recording, opened.facts)
    for notice in opened.notices(plan) { notify(notice) }
    // Upload, effects and readback are one stage, encode is another for each output.
    let prepared = try PreparedRecording(plan, opened, control: control, events: events)
    events(.ready(prepared.ready))
    end = try prepared.run(start: start)
  }
  events(.end(end))
  return end
}
