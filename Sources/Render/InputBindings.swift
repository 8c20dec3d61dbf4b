package import Frames

/// What stands behind the image inputs of a chain of effects: frames of other sources, which come in
/// each `FrameSet`, in the order of `bindings`.
package struct InputBindings: Sendable, Equatable {
  /// One source's frames, and the image inputs that show them.
  package struct Binding: Sendable, Equatable {
    /// An image input, by the effect's place in the chain and the input's name.
    package struct Use: Hashable, Sendable {
      package let effect: Int
      package let input: String

      package init(effect: Int, input: String) {
        (self.effect, self.input) = (effect, input)
      }
    }

    package var uses: [Use]
    /// The format of the first frames; later ones may have others.
    package var format: FrameFormat
    /// The clip that follows next: its frames are fitted into the first clip's picture.
    ///
    /// Any other source keeps the size of its first frame.
    package var isNextClip: Bool

    package init(uses: [Use], format: FrameFormat, isNextClip: Bool = false) {
      (self.uses, self.format, self.isNextClip) = (uses, format, isNextClip)
    }
  }

  package var bindings: [Binding] = []
  /// For each pair of clips that follow each other, the place in the chain of the effect that leads
  /// from one to the other; nil for a cut.
  package var transitions: [Int?] = []

  package init() {}

  /// The places of all transitions.
  package var transitionPlaces: Set<Int> { Set(transitions.compactMap(\.self)) }

  /// The binding that shows the next clip, if there is a transition.
  package var nextClip: Int? { bindings.firstIndex(where: \.isNextClip) }

  /// All stretches that come, in their order.
  var stretches: [FrameSet.Stretch] {
    (0...transitions.count).flatMap { clip -> [FrameSet.Stretch] in
      let leads = clip < transitions.count && transitions[clip] != nil
      return leads ? [.clip(clip), .transition(from: clip)] : [.clip(clip)]
    }
  }

  /// Which effects act in a stretch of those that are active at its time.
  ///
  /// A chain is read from the left: an effect acts on what the effects and clips before it make, so
  /// those before a transition do not act on the clip that it leads to.
  package func acting(_ active: [Bool], in stretch: FrameSet.Stretch) -> [Bool] {
    var acting = active
    for place in transitionPlaces { acting[place] = false }
    if let last = transitions.prefix(stretch.clip).compactMap(\.self).max() {
      for place in 0...last { acting[place] = false }
    }
    if case .transition(let clip) = stretch, let place = transitions[clip] {
      acting[place] = active[place]
    }
    return acting
  }
}
