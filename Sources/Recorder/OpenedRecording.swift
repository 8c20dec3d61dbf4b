import Capture
import Encode
import Frames
import GPU
import Render
import ShaderEffects

/// Everything that a recording reads, open: sources that have given their first frames, effects that are
/// compiled, video files behind them, the microphone, and the GPU as far as it is known to be needed.
struct OpenedRecording {
  let opening: OpeningPlan
  let gpu: PreparedGPU
  let effects: PreparedEffects
  let joins: ClipJoins
  let source: any FrameSetSource
  let films: [Film]
  let microphone: MicrophoneTrack?

  /// Opens all of it, side by side: the driver's start and the compiler's take as long as a file's.
  ///
  /// - Throws: A sentence for the user; nothing is left open.
  init(
    _ opening: OpeningPlan, control: RecordingControl, notify: @escaping @Sendable (Notice) -> Void
  ) throws {
    let recording = opening.recording
    self.opening = opening
    gpu = try PreparedGPU(recording)
    var listening = try recording.microphone.map { name in
      try Pending(.sound) { try MicrophoneTrack(named: name, notify: notify) }
    }
    let sources = try Pending(.decode) { try OpenedInputs(opening, control: control) }
    do {
      effects = try PreparedEffects(recording, control: control) {
        notify(Notice(.shaderDump, $0))
      }
      for effect in effects.effects { try effect.checkNeededImages() }
      try opening.outputs.checkDiffers(
        fromRead: effects.effects.flatMap(\.readFiles).map {
          ReadFile(path: $0.path, role: $0.role)
        })
      joins = try ClipJoins(
        effects.effects, clips: opening.sources.count, overlaps: recording.overlaps)
    } catch {
      // The source may be a pipe that nobody writes to.
      opening.sources[0].interruption.interrupt()
      throw error
    }
    source = try sources.value().source(overlaps: joins.overlaps)
    microphone = try listening.take()?.value()
    films = try effects.films()
  }

  /// What the plan is made of.
  var facts: RecordingFacts {
    RecordingFacts(
      outputs: opening.outputs, trim: opening.trim, source: source.description,
      clips: source.formats,
      bindings: InputBindings(
        joins, effects: effects.effects, formats: source.formats, films: films),
      films: films.map { film in
        .init(
          name: film.clip.name, format: film.clip.firstFormat,
          frameRate: film.clip.description.frameRate, inputs: film.uses.map(\.input))
      },
      microphone: microphone?.format)
  }

  /// What a person should know of what was opened.
  func notices(_ plan: RecordingPlan) -> [Notice] {
    var notices = source.description.notices.filter { $0.severity == .note }
    if let microphone { notices.append(microphone.notice) }
    notices += source.description.notices.filter { $0.severity == .warning }
    notices += films.flatMap(\.clip.description.notices)
    notices += effects.effects.flatMap(\.notices)
    if opening.outputs.takesAudio {
      for (input, _) in source.reports where !input.leftOut.isEmpty {
        let parts = input.leftOut.joined(separator: ", ")
        notices.append(
          Notice(.sourceLeftOut, input.name, "\(input.name): left out of the output: \(parts)"))
      }
    }
    for (place, effect) in effects.effects.enumerated() {
      notices += effect.imageNotices(bound: plan.bindings.inputs(ofEffect: place))
    }
    return notices
  }
}

extension EffectInstance {
  /// What compiling it warned of.
  var notices: [Notice] { warnings.map { Notice(.effectCode, name, $0) } }

  /// Throws where it was not given a picture or table that it makes nothing without.
  fileprivate func checkNeededImages() throws(RecorderError) {
    guard let input = neededImages.first else { return }
    throw RecorderError(
      "effect '\(name)' needs \(input), the path of a picture or table: write \(name):\(input)=FILE",
      isUsageError: true)
  }

  /// One for each picture that it should have and was not given; `bound` inputs show another source.
  fileprivate func imageNotices(bound: Set<String>) -> [Notice] {
    missingImages.filter { !bound.contains($0) }.map { input in
      Notice(
        .effectImage, name,
        "effect '\(name)' has no picture for its input \(input), which is transparent then; "
          + "give one with \(input)=FILE")
    }
  }
}
