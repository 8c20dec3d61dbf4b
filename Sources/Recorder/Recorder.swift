import Frames
import Synchronization

/// Makes a recording: capture -> upload -> effects -> readback -> encode, until the source ends or `control` stops it from
/// any thread.
///
/// If upload, effects and readback would change nothing, frames bypass them. Events come on the recording's threads, one
/// call at a time. Throws an `ExplainedError` if nothing was made; then nothing is left behind.
package func record(
  _ recording: Recording, control: RecordingControl = RecordingControl(), gpu: SharedGPU? = nil,
  events: @escaping @Sendable (RecordingEvent) -> Void
) throws -> RecordingResult {
  let start = recording.programStart ?? .now
  try AddressSpace.check(room: AddressSpace.usualRoom)
  let lock = Mutex(())
  let events: @Sendable (RecordingEvent) -> Void = { event in lock.withLock { _ in events(event) } }
  let notify: @Sendable (Notice) -> Void = { events(.notice($0)) }

  var recording = recording
  try recording.addLeadIn()
  var end = RecordingResult.skipped
  // Capture: opens everything that was requested, and reads the first frames.
  if let opening = try OpeningPlan(recording, notify: notify) {
    let opened = try OpenedRecording(opening, control: control, gpu: gpu, notify: notify)
    // The first frames decide the rest.
    let plan = try RecordingPlan(recording, opened.facts)
    for notice in opened.notices(plan) { notify(notice) }
    // Upload, effects and readback are one stage; encode is another stage for each output.
    let prepared = try PreparedRecording(plan, opened, control: control, events: events)
    events(.ready(prepared.ready))
    end = try prepared.run(start: start)
    end.verify(opened.opening.outputs, recording.verification)
  }
  events(.end(end))
  return end
}
