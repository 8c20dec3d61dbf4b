/// The frames that are shown together at one time of the output.
package struct FrameSet: Sendable {
  /// What of a timeline a set shows; clips count from 0, in the order in which they follow each other.
  package enum Stretch: Hashable, Sendable {
    /// One clip alone.
    case clip(Int)
    /// A clip and the one that follows it, on the way from the one to the other.
    case transition(from: Int)

    /// The clip that the chain of effects begins with.
    package var clip: Int {
      switch self {
      case .clip(let clip), .transition(let clip): clip
      }
    }
  }

  /// The frame that the chain of effects begins with; its time and duration are those of the set, in
  /// seconds from the first recorded frame.
  package var primary: Frame
  /// The frames behind the bound image inputs, in the order of the bindings; nil where an input shows
  /// nothing at this time.
  package var inputs: [Frame?]
  package var stretch: Stretch
  /// How far a transition is, from 0 to 1.
  package var progress: Rational

  package init(
    _ primary: Frame, inputs: [Frame?] = [], stretch: Stretch = .clip(0),
    progress: Rational = .zero
  ) {
    self.primary = primary
    self.inputs = inputs
    self.stretch = stretch
    self.progress = progress
  }

  package var time: Rational { primary.time }
}
