public import Frames

/// How long or how large each file of a movie is that is written as several files.
public enum SplitLimit: Sendable, Equatable {
  /// Seconds.
  case duration(Rational)
  /// Bytes.
  case size(Int64)
}
