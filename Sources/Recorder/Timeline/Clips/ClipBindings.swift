import Capture
import Frames
import Render
import ShaderEffects

extension InputBindings {
  /// Creates the bindings of consecutive clips in a chain of effects: the transitions' inputs show the
  /// next clip.
  ///
  /// `formats` are those of the clips' first frames. The bindings of `movingInputs` come after the next clip's.
  init(
    _ joins: ClipJoins, effects: [EffectInstance], formats: [FrameFormat],
    movingInputs: [MovingInput]
  ) {
    self.init()
    transitions = joins.transitions
    if let first = transitions.firstIndex(where: { $0 != nil }) {
      let uses = transitionPlaces.sorted().compactMap { place in
        effects[place].nextImage.map { Binding.Use(effect: place, input: $0) }
      }
      bindings.append(Binding(uses: uses, format: formats[first + 1], isNextClip: true))
    }
    bindings += movingInputs.map { Binding(uses: $0.uses, format: $0.format) }
  }

  /// Returns the image inputs of an effect that show another source.
  func inputs(ofEffect place: Int) -> Set<String> {
    Set(bindings.flatMap(\.uses).filter { $0.effect == place }.map(\.input))
  }
}

/// A source that image inputs show; the GPU thread uses the clip, until it has ended.
struct MovingInput: Sendable {
  let description: SourceDescription
  /// The format of the first frame.
  let format: FrameFormat
  let uses: [InputBindings.Binding.Use]
  let clip: Handover<Clip>

  var report: SourceReport { clip.use { $0.report } ?? SourceReport() }
}

extension PreparedEffects {
  /// Returns the sources that image inputs show, in the order of first use; each starts to read ahead.
  func movingInputs() throws -> [MovingInput] {
    var uses: [String: [InputBindings.Binding.Use]] = [:]
    var order: [String] = []
    for (place, effect) in effects.enumerated() {
      for (input, words) in effect.movingInputs {
        if uses[words] == nil { order.append(words) }
        uses[words, default: []].append(.init(effect: place, input: input))
      }
    }
    return try order.enumerated().compactMap { number, words in
      guard let clip = images.movingInput(words) else { return nil }
      try clip.prefetch(place: Clip.firstMovingPlace + number)
      return MovingInput(
        description: clip.description, format: clip.firstFormat, uses: uses[words] ?? [],
        clip: Handover(clip))
    }
  }
}

extension Clip {
  /// Index of the first thread that reads such a source; the threads of consecutive clips come before
  /// it.
  fileprivate static let firstMovingPlace = 100
}
