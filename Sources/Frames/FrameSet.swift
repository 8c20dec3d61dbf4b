/// The frames that are shown together at one time of the output.
public struct FrameSet: Sendable {
  /// The part of a timeline that a set shows; clips count from 0, in playing order.
  public enum Stretch: Hashable, Sendable {
    /// One clip alone.
    case clip(Int)
    /// The transition from a clip to the next one.
    case transition(from: Int)

    /// Index of the clip whose frame enters the chain of effects.
    public var clip: Int {
      switch self {
      case .clip(let clip), .transition(let clip): clip
      }
    }
  }

  /// The frame that enters the chain of effects; its timestamp and duration, in seconds from the first
  /// recorded frame, are those of the set.
  public var primary: Frame
  /// Frames of the bound image inputs, in the order of the bindings; nil if an input shows nothing at
  /// this time.
  public var inputs: [Frame?]
  public var stretch: Stretch
  /// Progress of a transition, from 0 to 1.
  public var progress: Rational

  public init(
    _ primary: Frame, inputs: [Frame?] = [], stretch: Stretch = .clip(0),
    progress: Rational = .zero
  ) {
    self.primary = primary
    self.inputs = inputs
    self.stretch = stretch
    self.progress = progress
  }

  public var time: Rational { primary.time }
}
