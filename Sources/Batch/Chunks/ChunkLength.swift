package import Frames

/// The rule for the number of chunks of a long input.
package enum ChunkLength: Sendable, Equatable {
  /// Chunks of about a minute; longer ones if there would be too many.
  case automatic
  case count(Int)
  /// Chunks of at least this many seconds.
  case seconds(Rational)

  /// Seconds of a chunk, and most chunks of an input, unless the user decides.
  ///
  /// They do not depend on the machine, so that another one can go on with the chunks.
  private static let usual = (seconds: Rational(60), most: 240)

  /// Returns the number of chunks for an input of this many seconds; an input shorter than two chunks stays
  /// whole.
  func number(for seconds: Rational) -> Int {
    let number =
      switch self {
      case .automatic:
        min(Int((seconds / Self.usual.seconds).floor), Self.usual.most)
      case .count(let count): count
      case .seconds(let length): Int((seconds / length).floor)
      }
    return max(number, 1)
  }
}
