import Capture
import Encode
import Frames
import GPU
import ShaderEffects
import Synchronization
import Render

/// Makes a recording: opens everything, runs the line capture -> upload -> effects -> readback ->
/// encode until the source ends or `control` stops it, and completes the outputs.
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
  try AddressSpace.check(room: AddressSpace.usualRoom)
  let lock = Mutex(())
  let events: @Sendable (RecordingEvent) -> Void = { event in lock.withLock { _ in events(event) } }
  guard let outputs = try OutputSet(recording, events: events) else {
    return RecordingEnd(skippedWith: events)
  }
  try recording.checkMicrophone(outputs)
  var request = recording.source
  request.includesSound = request.includesSound && outputs.usesSound
  request.isHeard = recording.effectsHear
  request.pacedFramesWait = !request.isPaced && outputs.hasCompanion
  request.isPaced = request.isPaced || outputs.isPaced
  if let limit = outputs.frameLimit { request.frames = min(request.frames ?? limit, limit) }
  for warning in outputs.doubts(of: recording) { events(.warning(warning)) }

  // At a constant rate a frame of the source may be any number of the output's.
  let outputFrames = recording.pace == .asTheyCome ? nil : request.frames
  if outputFrames != nil { (request.frames, request.outputFrames) = (nil, outputFrames) }
  request.notice = { notice in
    switch notice {
    case .lost(let sentence): events(.sourceLost(sentence))
    case .back(let sentence): events(.note(sentence))
    }
  }

  // The driver's start and the compiler's take as long as a file's: they go side by side.
  let gpu = try PreparedGPU(recording)
  var listening = try recording.microphone.map { name in
    try Pending(.sound) {
      try MicrophoneTrack(named: name) { notice in
        switch notice {
        case .lost(let sentence): events(.warning("\(sentence); there is silence instead"))
        case .back(let sentence): events(.note(sentence))
        }
      }
    }
  }
  let opening = try Pending(.decode) { [request] in
    try OpenedInputs([request] + recording.following, control: control)
  }
  let effects: PreparedEffects
  let joins: ClipJoins
  do {
    effects = try PreparedEffects(recording, control: control)
    for effect in effects.effects { try effect.checkNeededImages() }
    try outputs.checkDiffers(fromRead: effects.effects.flatMap(\.readFiles).map(ReadFile.init))
    joins = try ClipJoins(
      effects.effects, clips: 1 + recording.following.count, overlaps: recording.overlaps)
  } catch {
    // The source may be a pipe that nobody writes to.
    request.interruption.interrupt()
    throw error
  }
  let source = try opening.value().source(overlaps: joins.overlaps)
  try outputs.checkLength(of: source.description, recording)
  let microphone = try listening.take()?.value()
  let films = try effects.films()
  let bindings = InputBindings(
    joins, effects: effects.effects, formats: source.formats, films: films)
  for note in source.description.notes + [microphone?.sentence].compactMap(\.self) {
    events(.note(note))
  }
  for warning in source.description.warnings + films.flatMap(\.clip.description.warnings)
    + effects.effects.flatMap(\.warnings)
  {
    events(.warning(warning))
  }
  if outputs.usesSound {
    for (input, _) in source.reports where !input.leftOut.isEmpty {
      let parts = input.leftOut.joined(separator: ", ")
      events(.warning("\(input.name): left out of the output: \(parts)"))
    }
  }
  for (place, effect) in effects.effects.enumerated() {
    for warning in effect.imageWarnings(bound: bindings.inputs(ofEffect: place)) {
      events(.warning(warning))
    }
  }

  let plan = try RecordingPlan(
    recording, outputs: outputs, clips: source.formats, source: source.description,
    bindings: bindings)
  try AddressSpace.check(room: AddressSpace.room(width: plan.sink.width, height: plan.sink.height))
  let sound =
    EffectSound(source.heard, zero: source.firstTime, isLive: source.description.isLive)
    ?? EffectSound(
      request.isHeard ? microphone.map { .blocks($0.format) } : nil, zero: .zero, isLive: true)
  let stage = try RenderStage(
    gpu: gpu, effects: effects, plan: plan, films: films, sound: sound,
    outputsTakeAudio: !source.description.audio.isEmpty || microphone != nil, control: control)
  if outputs.usesPixels {
    let warnings = plan.warnings(
      output: outputs.name, deeper: outputs.deeperPixelFormat, weaving: outputs.namesWithoutFields)
    for warning in warnings { events(.warning(warning)) }
    stage.flattened = { events(.warning(outputs.flatteningWarning)) }
  }
  var sinkRequest = SinkRequest(
    format: plan.sink, frameRate: plan.frameRate, timeBase: source.description.timeBase,
    duration: source.description.duration, sound: source.description.sound,
    isLive: source.description.isLive)
  sinkRequest.tags = source.description.tags
  sinkRequest.fieldOrder = plan.fieldOrder
  if let rate = plan.constantRate {
    sinkRequest.frameRate = rate
    sinkRequest.timeBase = rate.reciprocal
  }
  sinkRequest.audio = source.description.audio + [microphone?.format].compactMap(\.self)
  sinkRequest.replacesExisting = recording.overwrite == .replace
  sinkRequest.isStopped = { control.isStopped }
  let opened: [OpenOutput]
  do { opened = try outputs.open(sinkRequest) } catch {
    throw control.isStopped ? OpenedSource.stopped : error
  }
  for warning in opened.flatMap(\.sink.warnings) { events(.warning(warning)) }
  let device = try stage.device
  let sentences = plan.sentences(
    source: source.description, films: films, steps: stage.steps, device: device,
    outputs: opened, threads: ThreadGroup.running())
  events(
    .ready(
      RecordingReady(
        input: source.description.name, outputs: opened.map(\.name),
        gpu: device?.name, effects: recording.effects.map(\.name),
        plan: sentences, width: plan.sink.width, height: plan.sink.height,
        frameRate: plan.constantRate ?? plan.frameRate,
        isLive: source.description.isLive, frameCount: source.description.frameCount,
        duration: source.description.duration)))

  var reload: ReloadThread?
  if recording.reloadsEffects, let device {
    do {
      let reloader = try EffectReloader(
        uses: recording.effects, prepared: effects, device: device, plan: plan, sound: sound,
        events: events)
      stage.reloader = reloader
      reload = try ReloadThread(reloader)
    } catch {
      events(.warning("\(error)"))
    }
  }
  defer { reload.take()?.join() }
  let calls = source.description.openingCalls + (device?.openingCalls ?? [])
  let end = try RecordingRun(
    source: source, films: films, stage: stage, outputs: opened, format: plan.sink,
    control: control,
    limit: RecordingLimit(request, of: source.description, outputFrames: outputFrames),
    grid: plan.constantRate.map {
      ConstantRate(
        $0, duration: request.duration, cutsGaps: !source.description.isLive)
    },
    microphone: microphone, events: events
  )
  .finish(start: start, calls: calls)
  let filmReports = films.map { ($0.clip.description, $0.clip.report) }
  for (input, report) in source.reports + filmReports {
    for warning in report.warnings(of: input, isComplete: end.incomplete == nil) {
      events(.warning(warning))
    }
  }
  for warning in end.outputs.compactMap(\.report?.warning) { events(.warning(warning)) }
  if let warning = end.gapWarning(input: source.description.name) { events(.warning(warning)) }
  for warning in end.microphone?.warnings ?? [] { events(.warning(warning)) }
  events(.end(end))
  return end
}

extension CompiledEffect {
  /// Throws where it was not given a picture or table that it makes nothing without.
  fileprivate func checkNeededImages() throws(RecorderError) {
    guard let input = neededImages.first else { return }
    throw RecorderError(
      "effect '\(name)' needs \(input), the path of a picture or table: write \(name):\(input)=FILE",
      isUsageError: true)
  }

  /// One for each picture that it should have and was not given; `bound` inputs show another source.
  fileprivate func imageWarnings(bound: Set<String>) -> [String] {
    missingImages.filter { !bound.contains($0) }.map { input in
      "effect '\(name)' has no picture for its input \(input), which is transparent then; "
        + "give one with \(input)=FILE"
    }
  }
}

extension OutputSet {
  /// The outputs of a recording that are to be written; nil where all of them exist already and are to
  /// stay.
  fileprivate init?(
    _ recording: Recording, events: (RecordingEvent) -> Void
  ) throws {
    let set = try OutputSet(
      recording.outputs, container: recording.container, settings: recording.encoding)
    try set.checkDiffers(fromInput: recording.source.input)
    for other in recording.following { try set.checkDiffers(fromInput: other.input) }
    let existing =
      recording.overwrite == .replace ? [] : set.outputs.filter { $0.existingPath != nil }
    if recording.overwrite == .refuse, let path = existing.first?.existingPath {
      throw RecorderError(
        "\(path) exists already; add -y to replace it or -n to leave it as it is",
        isUsageError: true)
    }
    for path in existing.compactMap(\.existingPath) {
      events(.warning("\(path) exists already and was left as it is (-n)"))
    }
    guard !existing.isEmpty else {
      self = set
      try checkDiffers(fromRead: recording.inputFiles)
      return
    }
    // By their bytes: text compares as equal where only the way differs in which an accent is coded.
    let left = recording.outputs.filter { word in
      !existing.contains { $0.word.utf8.elementsEqual(word.utf8) }
    }
    guard !left.isEmpty else { return nil }
    try self.init(left, container: recording.container, settings: recording.encoding)
    try checkDiffers(fromRead: recording.inputFiles)
  }
}

extension OutputSet {
  /// What was asked for and is perhaps not what was meant.
  fileprivate func doubts(of recording: Recording) -> [String] {
    var doubts: [String] = []
    if isEncoded, let doubt = recording.encoding.doubt { doubts.append(doubt) }
    if let limit = frameLimit, let frames = recording.source.frames, frames > limit {
      doubts.append(
        "\(name) holds one picture: only the first of \(frames) frames is written; "
          + "a name as out-%04d.png takes all")
    }
    return doubts
  }

  /// Throws where a film of a single picture has no end.
  fileprivate func checkLength(
    of source: SourceDescription, _ recording: Recording
  ) throws(RecorderError) {
    let part = recording.source
    guard isFilm, source.isStill, recording.following.isEmpty, part.duration == nil,
      part.frames == nil
    else { return }
    throw RecorderError(
      "\(source.name) is a single picture: say how long \(name) is to be with -t, such as -t 5, "
        + "or in frames with --frames", isUsageError: true)
  }
}

extension Recording {
  /// The files that its inputs are, as far as their names tell.
  fileprivate var inputFiles: [ReadFile] {
    ([source] + following).flatMap { request in
      request.paths.map {
        ReadFile(path: $0, name: request.input == "-" ? "standard input" : $0, role: "the input")
      }
    }
  }
}

extension ReadFile {
  fileprivate init(_ file: CompiledEffect.ReadFile) { self.init(path: file.path, role: file.role) }
}

extension RecordingEnd {
  /// What a constant rate did not fill.
  fileprivate func gapWarning(input: String) -> String? {
    guard let cut = outputs.map(\.cutGaps).first(where: { $0.count > 0 }) else { return nil }
    let gaps = cut.count == 1 ? "a gap" : "\(cut.count) gaps"
    let seconds = "\(cut.seconds.ticks(timeBase: .one)) seconds"
    return """
      \(input) has \(gaps) of more than ten minutes without pictures or sound, which a constant rate \
      does not fill: \(seconds)\(cut.count == 1 ? " were" : " in all were") cut
      """
  }

  /// Of a recording whose outputs existed.
  fileprivate init(skippedWith events: (RecordingEvent) -> Void) {
    self.init(
      progress: RecordingProgress(
        framesIn: 0, framesOut: 0, dropped: 0, duplicated: 0, time: .zero, elapsed: 0),
      outputs: [], predictedTimes: 0, incomplete: nil)
    events(.end(self))
  }
}
