import Capture
import Encode
import Frames
import GPU
import ShaderEffects

/// Makes a recording: opens everything, runs the line capture -> upload -> effects -> readback ->
/// encode until the source ends or `control` stops it, and completes the output.
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
) throws -> RecordingEnd {
  let start = recording.programStart ?? .now
  let output = try Output(
    recording.output, container: recording.container, settings: recording.encoding)
  try output.checkDiffers(fromInput: recording.source.input)
  if let existing = output.existingPath {
    switch recording.overwrite {
    case .replace: break
    case .skip: return RecordingEnd(skipped: existing, events: events)
    case .refuse:
      throw RecorderError(
        "\(existing) exists already; add -y to replace it or -n to leave it as it is",
        isUsageError: true)
    }
  }
  var request = recording.source
  request.includesSound = request.includesSound && output.usesSound
  if let limit = output.frameLimit { request.frames = min(request.frames ?? limit, limit) }

  // The driver's start and the compiler's take as long as a file's: they go side by side.
  let gpu = PreparedGPU(recording)
  let opening = Pending(.decode) { [request] in try OpenedSource(request, control: control) }
  let effects = try PreparedEffects(recording)
  let source = try opening.value()
  for warning in source.media.description.warnings + effects.effects.flatMap(\.warnings) {
    events(.warning(warning))
  }

  let plan = try RecordingPlan(
    recording, output: output, first: source.first.format, source: source.media.description)
  let stage = try LineStage(gpu: gpu, effects: effects, plan: plan)
  for warning in plan.warnings(output: recording.output) { events(.warning(warning)) }
  var sinkRequest = SinkRequest(
    format: plan.sink, frameRate: plan.frameRate, timeBase: source.media.description.timeBase,
    duration: source.media.description.duration, sound: source.media.description.sound,
    isLive: source.media.description.isLive)
  sinkRequest.replacesExisting = recording.overwrite == .replace
  let sink = try Pending(.encode) { [sinkRequest] in try output.open(sinkRequest) }.value()
  let device = try stage.device
  let sentences = plan.sentences(
    source: source.media.description, steps: stage.steps, device: device,
    output: recording.output, encoder: sink.encoderName, threads: ThreadGroup.running())
  events(
    .ready(
      RecordingReady(
        input: source.media.description.name, output: recording.output,
        gpu: device?.name, effects: recording.effects.map(\.name),
        plan: sentences, width: plan.sink.width, height: plan.sink.height,
        frameRate: plan.frameRate,
        isLive: source.media.description.isLive, frameCount: source.media.description.frameCount,
        duration: source.media.description.duration)))

  let calls = source.media.description.openingCalls + (device?.openingCalls ?? [])
  let end = try RecordingRun(source: source, stage: stage, sink: sink, events: events)
    .finish(start: start, calls: calls)
  let late = source.media.report.lateness
  if late > 0.5 {
    events(
      .warning(
        """
        \(source.media.description.name) fell up to \((late * 10).rounded() / 10) seconds behind its own \
        pace, and frames that come late together may be dropped: leave --realtime out to keep every one
        """))
  }
  let damaged = source.media.report.damaged
  if damaged > 0, end.incomplete == nil {
    events(
      .warning(
        """
        \(source.media.description.name) is damaged: \(damaged) of its packets or frames did not \
        decode well, and are missing in the output or mended from their neighbours
        """))
  }
  events(.end(end))
  return end
}

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
        ?? "\(media.description.name) has no frame to record; check --start and the file")
  }

  private static let stopped = RecorderError(
    "stopped before the first frame; nothing was recorded")
}

extension RecordingEnd {
  init(skipped path: String, events: (RecordingEvent) -> Void) {
    self.init(
      progress: RecordingProgress(
        framesIn: 0, framesOut: 0, dropped: 0, duplicated: 0, time: .zero, elapsed: 0),
      report: nil, predictedTimes: 0, incomplete: nil)
    events(.warning("\(path) exists already and was left as it is (-n)"))
    events(.end(self))
  }
}
