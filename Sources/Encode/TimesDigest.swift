public import Frames

/// A hash of the times of frames in their order, to compare what was encoded with what a file holds.
public struct TimesDigest: Equatable, Sendable {
  /// The unit in which times are compared, in seconds.
  public let timeBase: Rational
  /// 64-bit FNV-1a.
  private var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  /// The time of the last frame, in ticks.
  private var latest: Int64 = 0

  /// The time of the last frame, in seconds from the first one.
  public var last: Rational { Rational(latest) * timeBase }

  public init(timeBase: Rational) { self.timeBase = timeBase }

  /// Adds the time of the next frame, in seconds from the first one.
  public mutating func add(_ time: Rational) { add(ticks: time.ticks(timeBase: timeBase)) }

  /// Adds the time of the next frame, in ticks of the time base.
  mutating func add(ticks: Int64) {
    latest = ticks
    for byte in 0..<8 {
      hash = (hash ^ UInt64(truncatingIfNeeded: (ticks >> (8 * byte)) & 0xff)) &* 0x100_0000_01b3
    }
  }
}
