public import Frames

/// The times at which the frames of a constant rate end: what is recorded of a source ends with a whole frame, and its
/// audio ends there too.
public struct FrameGrid: Sendable, Equatable {
  /// Frames per second; nil for the source's own number.
  public let rate: Rational?

  public init(rate: Rational?) { self.rate = rate }

  /// Returns the length in seconds of the whole frames that fill a length.
  public func filling(_ length: Rational, own: Rational) -> Rational {
    let rate = rate ?? own
    return Rational((length * rate).ceiling) / rate
  }

  /// Returns the length in seconds of whole frames, at least one, that is nearest to a length.
  public func nearest(to length: Rational, own: Rational) -> Rational {
    let rate = rate ?? own
    return Rational(max((length * rate + Rational(1, 2)).floor, 1)) / rate
  }

  /// Returns where a part of a source ends, in its own time; nil for the source's end.
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
