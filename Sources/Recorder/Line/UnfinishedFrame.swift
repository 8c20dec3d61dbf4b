import Frames

/// A frame that kept the GPU busy for longer than it may: an effect is too heavy, or never ends.
struct UnfinishedFrame: ExplainedError, Equatable {
  /// Effect time, in seconds.
  let time: Rational
  /// In seconds.
  let limit: Rational
  /// The names of those that acted, in order.
  let effects: [String]

  var isUsageError: Bool { false }

  var description: String {
    let seconds = { (value: Rational) in "\((value.doubleValue * 1000).rounded() / 1000)" }
    let work =
      switch effects.count {
      case 0: "its work"
      case 1: "the effect \(effects[0])"
      default: "the effects \(effects.joined(separator: ", "))"
      }
    return """
      the GPU did not finish \(work) within \(seconds(limit)) s for the frame at \(seconds(time)) s; look \
      for a loop that is too long or never ends, make the picture smaller with --size, or allow more \
      with --gpu-timeout
      """
  }
}
