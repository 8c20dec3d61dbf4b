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
  private let stage: Handover<RenderStage>
  private let outputs: [OpenOutput]
  private let device: Device?
  /// Whether a hardware encoder reads frames directly from the memory of the GPU or of the decoder.
  private let results: PictureSharing
  private let control: RecordingControl
  /// Where the changes of parameters are written; nil if they are not kept.
  private let automationLog: Handover<LineFile>?
  private let events: @Sendable (RecordingEvent) -> Void

  /// Opens the outputs, and the GPU if frames need it; if it throws, nothing is left behind.
  init(
    _ plan: RecordingPlan, _ opened: OpenedRecording, control: RecordingControl,
    events: @escaping @Sendable (RecordingEvent) -> Void
  ) throws {
    let asked = opened.opening.outputs
    let timeline = opened.timeline
    try AddressSpace.check(
      room: AddressSpace.room(width: plan.sink.width, height: plan.sink.height))
    let audioHistory =
      AudioHistory(timeline.audioForEffects, zero: timeline.firstTime, isLive: plan.isLive)
      ?? AudioHistory(
        opened.opening.feedsEffects ? plan.microphone.map { .blocks($0) } : nil, zero: .zero,
        isLive: true)
    guard let gpu = opened.gpu.take() else { preconditionFailure("it is prepared once") }
    let stage = try RenderStage(
      gpu: gpu, effects: opened.effects, plan: plan, movingInputs: opened.movingInputs,
      audioHistory: audioHistory,
      control: control)
    let notify: @Sendable (Notice) -> Void = { events(.notice($0)) }
    let log = try opened.openAutomationLog()
    if let path = log?.recovered {
      notify(
        Notice(
          .outputRecovered, path,
          "the automation of an earlier recording was not completed; it is kept as \(path)"))
    }
    if let log { automationLog = Handover(log) } else { automationLog = nil }
    if opened.opening.recording.isSteered {
      stage.steering = EffectSteering(
        inbox: opened.opening.recording.inbox, automation: opened.automation, log: automationLog,
        notify: notify)
      opened.opening.recording.inbox?.open(opened.effects.effects)
    }
    if asked.usesPixels {
      plan.notices.forEach(notify)
      stage.flattened = { notify(Notice(.outputAlpha, asked.name, asked.flatteningWarning)) }
    }
    let names = timeline.descriptions.map(\.name)
    stage.changed = { [plan] clip, format in
      let name = clip < names.count ? names[clip] : plan.input
      notify(Notice(.sourceChanged, name, plan.words(ofChange: format, in: name)))
    }
    device = try stage.device
    results = device?.results ?? PictureSharing()
    do {
      var request = SinkRequest(
        plan, of: timeline.description, isStopped: { control.isStopped })
      request.threads = opened.opening.recording.encoderThreads
      request.notice = notify
      request.sharing = results
      request.frameHashes = opened.opening.recording.frameHashes
      outputs = try asked.open(request)
    } catch {
      throw control.isStopped ? OpenedSource.stopped : error
    }
    outputs.flatMap(\.notices).forEach(notify)
    (self.opened, self.plan) = (opened, plan)
    (self.control, self.events) = (control, events)
    // Without a device nothing reloads effects: then no effects act.
    opened.opening.recording.chainRequests?.noteSuccess(opened.opening.recording.effects)
    if opened.opening.recording.changesEffects, let device {
      do {
        stage.reloader = try EffectReloader(
          opened.opening.recording, prepared: opened.effects, device: device, plan: plan,
          audioHistory: audioHistory, events: events)
      } catch {
        notify(Notice(.reloadUnavailable, "\(error)"))
      }
    }
    self.stage = Handover(stage)
  }

  var ready: RecordingReady {
    RecordingReady(
      input: plan.input, outputs: outputs.map(\.name), gpu: device?.name,
      effects: opened.opening.recording.effects.map(\.name),
      plan: plan.lines(
        steps: stage.use { $0.steps } ?? nil, device: device, outputs: outputs,
        threads: ThreadGroup.running()),
      width: plan.sink.width, height: plan.sink.height, frameRate: plan.outputRate,
      isLive: plan.isLive, frameCount: plan.frameCount, duration: plan.duration,
      source: plan.source)
  }

  /// Runs the stages until the source ends or the control stops it, and completes the outputs.
  ///
  /// Throws the first failure, if no output was made.
  func run(start: MonotonicTime) throws -> RecordingResult {
    func notify(_ notice: Notice) { events(.notice(notice)) }
    var reload: ReloadThread?
    if let reloader = stage.use({ $0.reloader }) ?? nil {
      do { reload = try ReloadThread(reloader) } catch {
        notify(Notice(.reloadUnavailable, "\(error)"))
      }
    }
    defer { reload.take()?.join() }
    let timeline = opened.timeline
    let sharedFirst = device?.sharing.reason == nil
    let sharedResults = results.reason == nil
    defer {
      opened.opening.recording.inbox?.close()
      automationLog?.use { $0.abandon() }
    }
    var end = try RecordingRun(
      timeline, movingInputs: opened.movingInputs, stage: stage, outputs: outputs, plan: plan,
      control: control, microphone: opened.microphone, events: events
    ).finish(
      start: start, calls: timeline.description.openingCalls + (device?.openingCalls ?? []))
    let sentence = automationLog?.use { $0.finish(replacing: plan.replacesExisting) } ?? nil
    if let sentence {
      let notice = Notice(.automationIncomplete, sentence)
      if end.incomplete == nil { end.incomplete = notice } else { notify(notice) }
    }
    let reports = timeline.reports + opened.movingInputs.map { ($0.description, $0.report) }
    for (input, report) in reports {
      report.notices(of: input).forEach(notify)
      // A file that ends early says that alone.
      guard let damage = report.damage(of: input), damage != end.incomplete else { continue }
      if end.incomplete == nil || end.flaw != nil { notify(damage) }
    }
    if sharedFirst, let reason = device?.sharing.reason {
      notify(
        Notice(
          .sourceHardware, plan.input,
          "frames of \(plan.input) were copied by the processor, because \(reason)"))
    }
    if sharedResults, let reason = results.reason {
      let name = opened.opening.outputs.name
      notify(
        Notice(
          .outputHardware, name,
          "frames of \(name) were copied to the encoder by the processor, because \(reason)"))
    }
    end.notices(input: plan.input).forEach(notify)
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
