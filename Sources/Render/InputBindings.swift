public import Frames

/// Frames of other sources that the image inputs of a chain of effects show.
///
/// Each `FrameSet` carries these frames, in the order of `bindings`.
public struct InputBindings: Sendable, Equatable {
  /// Frames of one source, and the image inputs that show them.
  public struct Binding: Sendable, Equatable {
    /// An image input, identified by the effect's index in the chain and the input's name.
    public struct Use: Hashable, Sendable {
      public let effect: Int
      public let input: String

      public init(effect: Int, input: String) {
        (self.effect, self.input) = (effect, input)
      }
    }

    public var uses: [Use]
    /// Format of the first frame; later frames may have other formats.
    public var format: FrameFormat
    /// Whether the source is the next clip, whose frames are scaled to fit the size of the first
    /// clip's image.
    ///
    /// Any other source keeps the size of its first frame.
    public var isNextClip: Bool

    public init(uses: [Use], format: FrameFormat, isNextClip: Bool = false) {
      (self.uses, self.format, self.isNextClip) = (uses, format, isNextClip)
    }
  }

  public var bindings: [Binding] = []
  /// For each pair of consecutive clips, the index of the transition effect in the chain; nil for a
  /// cut.
  public var transitions: [Int?] = []
  /// Whether clips of different shapes share the whole canvas: their bars belong to the picture, and effects see them.
  ///
  /// Otherwise the picture is as large as the first clip's, and has no bars of its own.
  public var sharesCanvas = false

  public init() {}

  /// Indexes of all transition effects in the chain.
  public var transitionPlaces: Set<Int> { Set(transitions.compactMap(\.self)) }

  /// Index of the binding that shows the next clip, if there is a transition.
  public var nextClip: Int? { bindings.firstIndex(where: \.isNextClip) }

  /// Whether frames of a stretch are placed in a texture before the effects see them: those of clips after the first one,
  /// and all where clips share the canvas.
  func places(_ stretch: FrameSet.Stretch) -> Bool { sharesCanvas || stretch.clip > 0 }

  /// All stretches of the timeline, in order.
  var stretches: [FrameSet.Stretch] {
    (0...transitions.count).flatMap { clip -> [FrameSet.Stretch] in
      let leads = clip < transitions.count && transitions[clip] != nil
      return leads ? [.clip(clip), .transition(from: clip)] : [.clip(clip)]
    }
  }

  /// Returns which of the active effects act in a stretch.
  ///
  /// A chain is read from the left: an effect acts on the result of the effects and clips before
  /// it. So effects before a transition do not act on the clip that follows the transition.
  public func acting(_ active: [Bool], in stretch: FrameSet.Stretch) -> [Bool] {
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
