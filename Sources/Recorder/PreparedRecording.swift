import Capture
import Encode
import FFmpegHandles
import Frames
import GPU
import ShaderEffects

/// The stages of a recording, ready to run: all outputs are open and all kernels are compiled.
struct PreparedRecording {
  private let opened: OpenedRecording
  private let plan: RecordingPlan
  private let stage: RenderStage
  private let outputs: [OpenOutput]
  private let device: Device?
  /// Whether an encoder on hardware reads frames where the GPU, or the decoder, has them.
  private let results: PictureSharing
  private let control: RecordingControl
  /// Where the changes of parameters are written; nil if they are not kept.
  private let automationLog: LineFile?
  private let events: @Sendable (RecordingEvent) -> Void

  /// Opens the outputs, and the GPU if frames need it; if it throws, nothing is left behind.
  init(
    _ plan: RecordingPlan, _ opened: OpenedRecording, control: RecordingControl,
    events: @escaping @Sendable (RecordingEvent) -> Void
  ) throws {
    let asked = opened.opening.outputs
    let source = opened.source
    try AddressSpace.check(
      room: AddressSpace.room(width: plan.sink.width, height: plan.sink.height))
    let audioHistory =
      AudioHistory(source.audioForEffects, zero: source.firstTime, isLive: plan.isLive)
      ?? AudioHistory(
        opened.opening.feedsEffects ? plan.microphone.map { .blocks($0) } : nil, zero: .zero,
        isLive: true)
    let stage = try RenderStage(
      gpu: opened.gpu, effects: opened.effects, plan: plan, movingInputs: opened.movingInputs,
      audioHistory: audioHistory,
      control: control)
    automationLog = try opened.openAutomationLog()
    if let path = automationLog?.recovered {
      events(
        .notice(
          Notice(
            .outputRecovered, path,
            "the automation of an earlier recording was not completed; it is kept as \(path)")))
    }
    if opened.opening.recording.isSteered {
      stage.steering = EffectSteering(
        door: opened.opening.recording.door, automation: opened.automation, log: automationLog,
        notify: { events(.notice($0)) })
      opened.opening.recording.door?.open(opened.effects.effects)
    }
    if asked.usesPixels {
      for notice in plan.notices { events(.notice(notice)) }
      stage.flattened = {
        events(.notice(Notice(.outputAlpha, asked.name, asked.flatteningWarning)))
      }
    }
    let names = source.descriptions.map(\.name)
    stage.changed = { [plan] clip, format in
      let name = clip < names.count ? names[clip] : plan.input
      events(.notice(Notice(.sourceChanged, name, plan.words(ofChange: format, in: name))))
    }
    device = try stage.device
    results = device?.results ?? PictureSharing()
    do {
      var request = SinkRequest(
        plan, of: source.description, isStopped: { control.isStopped })
      request.threads = opened.opening.recording.encoderThreads
      request.notice = { events(.notice($0)) }
      request.sharing = results
      request.frameHashes = opened.opening.recording.frameHashes
      outputs = try asked.open(request)
    } catch {
      throw control.isStopped ? OpenedSource.stopped : error
    }
    for notice in outputs.flatMap(\.sink.notices) { events(.notice(notice)) }
    (self.opened, self.plan, self.stage) = (opened, plan, stage)
    (self.control, self.events) = (control, events)
    // Without a device nothing reloads effects: then no effects act.
    opened.opening.recording.chainRequests?.noteSuccess(opened.opening.recording.effects)
    if opened.opening.recording.changesEffects, let device {
      do {
        stage.reloader = try EffectReloader(
          opened.opening.recording, prepared: opened.effects, device: device, plan: plan,
          audioHistory: audioHistory, events: events)
      } catch {
        events(.notice(Notice(.reloadUnavailable, "\(error)")))
      }
    }
  }

  /// What was decided before the first frame.
  var ready: RecordingReady {
    RecordingReady(
      input: plan.input, outputs: outputs.map(\.name), gpu: device?.name,
      effects: opened.opening.recording.effects.map(\.name),
      plan: plan.lines(
        steps: stage.steps, device: device, outputs: outputs, threads: ThreadGroup.running()),
      width: plan.sink.width, height: plan.sink.height, frameRate: plan.outputRate,
      isLive: plan.isLive, frameCount: plan.frameCount, duration: plan.duration,
      source: plan.source)
  }

  /// Runs the stages until the source ends or the control stops it, and completes the outputs.
  ///
  /// Throws the first failure, if no output was made.
  func run(start: MonotonicTime) throws -> RecordingResult {
    var reload: ReloadThread?
    if let reloader = stage.reloader {
      do { reload = try ReloadThread(reloader) } catch {
        events(.notice(Notice(.reloadUnavailable, "\(error)")))
      }
    }
    defer { reload.take()?.join() }
    let source = opened.source
    let sharedFirst = device?.sharing.reason == nil
    let sharedResults = results.reason == nil
    defer {
      opened.opening.recording.door?.close()
      automationLog?.abandon()
    }
    var end = try RecordingRun(
      source: source, movingInputs: opened.movingInputs, stage: stage, outputs: outputs, plan: plan,
      control: control, microphone: opened.microphone, events: events
    ).finish(
      start: start, calls: source.description.openingCalls + (device?.openingCalls ?? []))
    if let sentence = automationLog?.finish(replacing: plan.replacesExisting) {
      let notice = Notice(.automationIncomplete, sentence)
      if end.incomplete == nil { end.incomplete = notice } else { events(.notice(notice)) }
    }
    let reports = source.reports + opened.movingInputs.map { ($0.clip.description, $0.clip.report) }
    for (input, report) in reports {
      for notice in report.notices(of: input) { events(.notice(notice)) }
      // A file that ends early says that alone.
      guard let damage = report.damage(of: input), damage != end.incomplete else { continue }
      if end.incomplete == nil || end.flaw != nil { events(.notice(damage)) }
    }
    if sharedFirst, let reason = device?.sharing.reason {
      events(
        .notice(
          Notice(
            .sourceHardware, plan.input,
            "frames of \(plan.input) were copied by the processor, because \(reason)")))
    }
    if sharedResults, let reason = results.reason {
      let name = opened.opening.outputs.name
      events(
        .notice(
          Notice(
            .outputHardware, name,
            "frames of \(name) were copied to the encoder by the processor, because \(reason)")))
    }
    for notice in end.notices(input: plan.input) { events(.notice(notice)) }
    return end
  }
}

extension SinkRequest {
  init(
    _ plan: RecordingPlan, of source: SourceDescription, isStopped: @escaping @Sendable () -> Bool
  ) {
    self.init(
      format: plan.sink, frameRate: plan.outputRate, timeBase: plan.timeBase,
      duration: plan.duration, codedAudio: source.codedAudio, isLive: plan.isLive)
    (bestAudio, keepsPlayable) = (source.bestAudio, true)
    (sourceStart, isStill) = (plan.sourceStart, source.isStill)
    sourceLength = source.end.map { $0 - source.zero }
    tags = source.tags
    photo = source.photo.corrected(width: plan.sink.width, height: plan.sink.height)
    fieldOrder = plan.fieldOrder
    audio = plan.audio
    (audioOrigins, joinsAudio) = (source.audioOrigins, source.joinsAudio)
    subtitles = source.subtitles
    contents = source.contents
    let counted = plan.trim.output.frames.flatMap { count in
      plan.constantRate.map { Rational(Int64(count)) / $0 }
    }
    contents?.cut(
      from: plan.sourceStart + source.zero,
      length: [plan.duration, counted].compactMap(\.self).min())
    replacesExisting = plan.replacesExisting
    self.isStopped = isStopped
  }
}
