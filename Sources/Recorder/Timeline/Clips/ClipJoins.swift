import Frames
import ShaderEffects

/// How consecutive clips are joined: each pair by a transition or by a cut.
struct ClipJoins: Equatable {
  /// For each pair, the index of its transition in the chain of effects; nil for a cut.
  let transitions: [Int?]
  /// For each pair, how long both clips are visible, in seconds; 0 for a cut.
  let overlaps: [Rational]

  /// Of a single clip, whose consecutive frames are blended by the first effect of the chain, as if each were a clip.
  private init(blendingBy first: Int) { (transitions, overlaps) = ([first], [.zero]) }

  /// Of the sources of a recording.
  init(_ effects: [EffectInstance], of recording: Recording) throws(RecorderError) {
    guard recording.frameChoice == .blend else {
      try self.init(
        effects, clips: 1 + recording.following.count, overlaps: recording.overlaps)
      return
    }
    if let other = effects.dropFirst().first(where: \.awaitsNextClip), let input = other.nextImage {
      throw RecorderError(
        "effect '\(other.name)' is a transition from one input to another; give an image with \(input)=FILE",
        isUsageError: true)
    }
    self.init(blendingBy: 0)
  }

  /// Checks the numbers of transitions, overlaps and clips.
  ///
  /// The chain's transitions lead from clip to clip: one for each pair, in order, or a single one for all pairs; those that
  /// were given an image to lead to do not count. Of overlaps in seconds (0 for a cut) there is one for each pair, one for
  /// all, or none.
  init(_ effects: [EffectInstance], clips: Int, overlaps asked: [Rational]) throws(RecorderError) {
    let pairs = clips - 1
    let places = effects.indices.filter { effects[$0].awaitsNextClip }
    guard pairs > 0 else {
      if let place = places.first, let input = effects[place].nextImage {
        throw RecorderError(
          "effect '\(effects[place].name)' is a transition from one input to another; give a second -i, or an "
            + "image with \(input)=FILE", isUsageError: true)
      }
      (transitions, overlaps) = ([], [])
      return
    }
    guard asked.count <= 1 || asked.count == pairs else {
      throw RecorderError(
        "--overlap has \(asked.count) values, but \(clips) inputs need \(pairs): give "
          + "one value for each pair of inputs, or one for all", isUsageError: true)
    }
    guard !places.isEmpty else {
      guard asked.allSatisfy({ $0 == .zero }) else {
        throw RecorderError(
          "two inputs that overlap need an effect that is a transition; name one "
            + "with -e, such as -e crossfade, or leave out --overlap", isUsageError: true)
      }
      transitions = Array(repeating: nil, count: pairs)
      overlaps = Array(repeating: .zero, count: pairs)
      return
    }
    let overlaps =
      asked.count == pairs ? asked : Array(repeating: asked.first ?? .one, count: pairs)
    let needed = overlaps.count { $0 > .zero }
    guard places.count == 1 || places.count == needed else {
      let names = places.map { "'\(effects[$0].name)'" }.joined(separator: " and ")
      throw RecorderError(
        needed == 1
          ? "\(names) are both transitions; two inputs take only one"
          : "\(names) are \(places.count) transitions; \(clips) inputs that overlap \(needed) times "
            + "take as many, or one for all", isUsageError: true)
    }
    var rest = places[...]
    transitions = overlaps.map { overlap in
      guard overlap > .zero else { return nil }
      return places.count == 1 ? places[0] : rest.removeFirst()
    }
    self.overlaps = overlaps
  }
}

extension EffectInstance {
  /// Whether the effect leads to the next clip: it was given no other image to lead to.
  var awaitsNextClip: Bool { nextImage.map(missingImages.contains) ?? false }
}
