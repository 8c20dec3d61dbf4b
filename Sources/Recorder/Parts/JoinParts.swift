import Capture
package import Encode
package import Frames
import GPU
import ShaderEffects

/// Makes the output of a recording from parts of it that were recorded apart: their encoded frames, and the audio of the
/// whole source, as `record` would write them.
///
/// The source is single and not live, there is one output, and the parts together hold every frame. If it throws, nothing
/// is left behind.
package func joinParts(
  _ recording: Recording, parts: MovieParts, control: RecordingControl, gpu: SharedGPU,
  notify: @escaping @Sendable (Notice) -> Void
) throws -> SinkReport {
  var recording = recording
  recording.source.skipsFrames = true
  guard let opening = try OpeningPlan(recording, notify: notify) else {
    throw RecorderError("\(recording.outputs.joined(separator: ", ")) exists already")
  }
  let opened = try OpenedRecording(opening, control: control, gpu: gpu, notify: notify)
  defer { opened.effects.interruption.interrupt() }
  let plan = try RecordingPlan(recording, opened.facts)
  for notice in opened.notices(plan) + plan.notices { notify(notice) }
  let timeline = opened.timeline
  var request = SinkRequest(plan, of: timeline.description, isStopped: { control.isStopped })
  request.parts = parts
  guard let output = try opening.outputs.open(request).first, let sink = output.sink.take(),
    let source = timeline.source.take()
  else {
    throw RecorderError("there is no output")
  }
  do {
    try copyAudio(of: source, to: output, sink, control)
  } catch {
    sink.abandon()
    throw error
  }
  let report = try sink.finish()
  for (input, report) in source.reports {
    for notice in report.notices(of: input) { notify(notice) }
  }
  return report
}

private func copyAudio(
  of source: any FrameSetSource, to output: OpenOutput, _ sink: any MediaSink,
  _ control: RecordingControl
) throws {
  while !control.isStopped, let item = try source.next() {
    guard output.takesAudio else { continue }
    switch item {
    case .codedAudio(let packet): if output.copiesAudio { try sink.write(packet) }
    case .audio(let block): if output.encodesAudio { try sink.write(block) }
    case .subtitle(let packet): try sink.write(subtitle: packet)
    case .frame, .audioForEffects: break
    }
  }
  source.finish()
  guard !control.isStopped else { throw OpenedSource.stopped }
  if let incomplete = source.report.incomplete { throw RecorderError(incomplete) }
}
