public import Frames

/// The times at which the frames of a constant rate end: what is recorded of a source ends with a whole frame, and its
/// audio ends there too.
public struct FrameGrid: Sendable, Equatable {
  /// Frames per second; nil for the source's own number.
  public let rate: Rational?

  public init(rate: Rational?) { self.rate = rate }

  /// Finds out how long the whole frames are that fill a length.
  ///
  /// - Parameters:
  ///   - length: The length that was asked for, in seconds.
  ///   - own: The source's own frames per second.
  /// - Returns: The length of these frames, in seconds.
  public func filling(_ length: Rational, own: Rational) -> Rational {
    let rate = rate ?? own
    return Rational((length * rate).ceiling) / rate
  }

  /// Finds the length of whole frames that is nearest to a length.
  ///
  /// - Parameters:
  ///   - length: The time at which the last frame of the source ends, in seconds from the first one.
  ///   - own: The source's own frames per second.
  /// - Returns: The length of at least one frame, in seconds.
  public func nearest(to length: Rational, own: Rational) -> Rational {
    let rate = rate ?? own
    return Rational(max((length * rate + Rational(1, 2)).floor, 1)) / rate
  }

  /// Finds out where a part of a source ends.
  ///
  /// - Parameters:
  ///   - first: The time of its first frame.
  ///   - duration: The length that was asked for.
  ///   - limit: The end that was asked for.
  ///   - own: The source's own frames per second.
  ///   - grid: The times at which frames can end; nil for any.
  /// - Returns: The end in the source's own time; nil for the source's end.
  static func end(
    from first: Rational, duration: Rational?, limit: Rational?, own: Rational, on grid: FrameGrid?
  ) -> Rational? {
    guard let grid else { return [duration.map { first + $0 }, limit].compactMap(\.self).min() }
    return [
      duration.map { first + grid.filling($0, own: own) },
      // Of a part that ends before its first frame nothing is shown.
      limit.map { $0 <= first ? $0 : first + grid.nearest(to: $0 - first, own: own) },
    ].compactMap(\.self).min()
  }
}
