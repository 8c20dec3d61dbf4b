public import Frames

/// Error: a frame kept the GPU busy beyond the limit, because an effect is too slow or never ends.
public struct UnfinishedFrame: ExplainedError, Equatable {
  /// Effect time of the frame, in seconds.
  public let time: Rational
  /// Time limit, in seconds.
  public let limit: Rational
  /// Names of the effects that acted, in order.
  public var effects: [String]

  public var description: String {
    let seconds = { (value: Rational) in "\((value.doubleValue * 1000).rounded() / 1000)" }
    let work =
      switch effects.count {
      case 0: "its work"
      case 1: "the effect \(effects[0])"
      default: "the effects \(effects.joined(separator: ", "))"
      }
    return """
      the GPU did not finish \(work) within \(seconds(limit)) s for the frame at \(seconds(time)) s; look \
      for a loop that is too long or never ends, or allow more with --gpu-timeout; a smaller frame needs less
      """
  }
}
