/// Which video of an input is wanted, if it has several: the variants of a playlist, the programs of a transport stream, the
/// tracks of a file.
public enum VideoChoice: Sendable, Equatable {
  /// The one with the largest image; of equal ones the highest bit rate.
  case best
  /// The one with the smallest image that can be decoded.
  case worst
  /// By its number from 1, in the order of the input.
  case number(Int)
  /// The largest one that is no wider than this many pixels; the smallest, if all are wider.
  case width(Int)
}
