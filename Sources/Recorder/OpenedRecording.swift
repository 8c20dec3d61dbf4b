import Capture
import Encode
import FFmpegHandles
import Frames
import GPU
import Render
import ShaderEffects

/// Everything that a recording reads, open.
///
/// These are the sources with their first frames, the compiled effects with the video files they show,
/// the microphone, and the GPU if it is known to be needed.
struct OpenedRecording {
  private(set) var opening: OpeningPlan
  let gpu: Handover<PreparedGPU>
  let effects: PreparedEffects
  let joins: ClipJoins
  let timeline: Timeline
  /// Tracks of subtitles that the source has from other files than its own.
  private let addedSubtitles: [CompressedStream]
  let movingInputs: [MovingInput]
  let microphone: MicrophoneTrack?
  /// The changes of parameters to replay; nil for none.
  let automation: Automation?

  /// Opens everything in parallel: the driver and the compiler take as long to start as a file to open.
  ///
  /// If it throws, nothing stays open.
  init(
    _ opening: OpeningPlan, control: RecordingControl, gpu shared: SharedGPU? = nil,
    notify: @escaping @Sendable (Notice) -> Void
  ) throws {
    let recording = opening.recording
    var opening = opening
    let gpu = try PreparedGPU(recording, shared: shared)
    if recording.source.hardware != .off, recording.expectsGPU {
      // The layout of the first decoded frame depends on the GPU.
      opening.share(try gpu.device().sharing)
    }
    self.gpu = Handover(gpu)
    self.opening = opening
    var listening = try recording.microphone.map { name in
      try Pending(.audio) {
        try MicrophoneTrack(
          named: name, volume: Float(recording.source.sound.volume), notify: notify)
      }
    }
    let sources = try Pending(.decode) { [opening] in
      try OpenedInputs(opening, control: control)
    }
    do {
      effects = try PreparedEffects(recording, control: control) {
        notify(Notice(.shaderDump, $0))
      }
      for effect in effects.effects { try effect.checkNeededImages() }
      automation = try recording.readAutomation(for: effects.effects)
      try opening.outputs.checkDiffers(
        fromRead: effects.effects.flatMap(\.readFiles).flatMap { file in
          let paths = SourceRequest(input: file.path).kind.paths
          return (file.isSource ? paths(file.path) : [file.path]).map {
            ReadFile(path: $0, role: file.role)
          }
        }, sideFiles: recording.sideFiles)
      joins = try ClipJoins(effects.effects, of: recording)
    } catch {
      // The source may be a pipe that nobody writes to.
      opening.sources[0].interruption.interrupt()
      throw error
    }
    let inputs = try sources.value()
    let clips: any FrameSetSource =
      recording.frameChoice == .blend
      ? BlendedClip(try inputs.source(overlaps: []), to: recording.pace)
      : try inputs.source(overlaps: joins.overlaps)
    let heard: any FrameSetSource =
      try recording.addedAudio.map { try AddedAudioSource(clips, $0, opening, control: control) }
      ?? clips
    let subtitled =
      recording.subtitleTracks.isEmpty ? nil : try SubtitledSource(heard, recording)
    addedSubtitles = subtitled?.streams ?? []
    timeline = Timeline(subtitled ?? heard, title: recording.title)
    if let first = timeline.formats.first { try self.opening.adapt(to: first) }
    microphone = try listening.take()?.value()
    movingInputs = try effects.movingInputs()
    if timeline.description.creationTime == nil {
      for effect in effects.effects where effect.writesDate { throw effect.lacksDate(timeline) }
    }
  }

  var facts: RecordingFacts {
    RecordingFacts(
      outputs: opening.outputs, trim: opening.trim, source: timeline.description,
      sourceStart: timeline.firstTime - timeline.description.zero,
      clips: timeline.formats,
      bindings: InputBindings(
        joins, effects: effects.effects, formats: timeline.formats, movingInputs: movingInputs),
      movingInputs: movingInputs.map { movingInput in
        .init(
          name: movingInput.description.name, format: movingInput.format,
          frameRate: movingInput.description.frameRate, inputs: movingInput.uses.map(\.input))
      },
      microphone: microphone?.format, wantsSemiPlanar: opening.outputs.wantsSemiPlanar,
      makesAlpha: effects.effects.contains(where: \.makesTransparency))
  }

  /// Returns messages for the user about what was opened.
  func notices(_ plan: RecordingPlan) -> [Notice] {
    var notices = timeline.description.notices.filter { $0.severity == .note }
    if let microphone { notices.append(microphone.notice) }
    notices += timeline.description.notices.filter { $0.severity == .warning }
    let asked = opening.recording.source
    if asked.sound.isChanged, asked.includesAudio, plan.audio.isEmpty {
      let name = timeline.description.name
      notices.append(
        Notice(.sourceAudio, name, "\(name) has no audio that --volume or --normalize could change")
      )
    }
    notices += movingInputs.flatMap(\.description.notices)
    notices += effects.effects.flatMap(\.notices)
    if opening.outputs.takesAudio {
      for input in timeline.descriptions {
        let words = input.leftOut + leftOutContents(of: input)
        guard !words.isEmpty else { continue }
        let parts = words.joined(separator: ", ")
        notices.append(
          Notice(.sourceLeftOut, input.name, "\(input.name): left out of the output: \(parts)"))
      }
    }
    if let track = opening.recording.subtitleTracks.first,
      let names = opening.outputs.namesWithoutSubtitles(addedSubtitles),
      !names.isEmpty
    {
      notices.append(
        Notice(
          .sourceLeftOut, track.path,
          "\(track.path): \(names.joined(separator: " and ")) can hold no track of subtitles, and is made without it"
        ))
    }
    for (place, effect) in effects.effects.enumerated() {
      notices += effect.imageNotices(bound: plan.bindings.inputs(ofEffect: place))
    }
    return notices
  }
}

extension OpenedRecording {
  /// What of the contents of a source no output has, in words.
  private func leftOutContents(of input: SourceDescription) -> [String] {
    let streams = input.codedAudio.isEmpty ? input.audioOrigins : input.codedAudio
    return opening.outputs.leftOut(
      of: input.contents, audio: streams.map(\.tags), subtitles: input.subtitles)
  }
}

extension EffectInstance {
  var notices: [Notice] { warnings.map { Notice(.effectCode, name, $0) } }

  /// Throws if the effect was not given an image or table without which it produces nothing.
  func checkNeededImages() throws(RecorderError) {
    guard let input = neededImages.first else { return }
    throw RecorderError(
      "effect '\(name)' needs \(input), the path of an image or a table: write \(name):\(input)=FILE",
      isUsageError: true)
  }

  /// Returns the error that a source does not say when it was made.
  fileprivate func lacksDate(_ timeline: Timeline) -> RecorderError {
    RecorderError(
      "effect '\(name)' writes {date} or {clock}, and \(timeline.description.name) does not say when it was made; "
        + "leave them out, or write the date itself", isUsageError: true)
  }

  /// Returns a notice for each missing image; inputs in `bound` show another source and need none.
  fileprivate func imageNotices(bound: Set<String>) -> [Notice] {
    missingImages.filter { !bound.contains($0) }.map { input in
      Notice(
        .effectImage, name,
        "effect '\(name)' has no image for its image input \(input), which is therefore transparent; "
          + "give an image with \(input)=FILE")
    }
  }
}
