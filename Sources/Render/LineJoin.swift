package import Frames

/// Where the second of two sources enters a line: the picture that a transition leads to.
package struct LineJoin: Sendable {
  /// The transition's place in the chain.
  ///
  /// Effects before it act on the first source alone, those after it on both.
  package let transition: Int
  /// The second source's frames.
  package var format: FrameFormat
  /// The effect times between which the transition's `progress` goes from 0 to 1.
  package let start: Rational
  package let end: Rational

  package init(transition: Int, format: FrameFormat, start: Rational, end: Rational) {
    self.transition = transition
    self.format = format
    self.start = start
    self.end = end
  }

  /// The image input that is the second source.
  package static let imageName = "endImage"

  /// Which effects act on a frame that shows one of the sources or both.
  func acting(_ effects: [Bool], on shown: JoinedFrame.Shown) -> [Bool] {
    var acting = effects
    switch shown {
    case .first: acting[transition] = false
    case .both: break
    case .second: for place in 0...transition { acting[place] = false }
    }
    return acting
  }
}
