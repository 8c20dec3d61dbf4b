/// The start and end of a library call that is slow enough to be listed by itself.
public struct TimedCall: Sendable {
  public let name: String
  public let begin: MonotonicTime
  public let end: MonotonicTime

  public init(_ name: String, begin: MonotonicTime, end: MonotonicTime) {
    self.name = name
    self.begin = begin
    self.end = end
  }

  /// Makes the record of a call that began at `begin` and has just ended.
  public init(_ name: String, since begin: MonotonicTime) {
    self.init(name, begin: begin, end: .now)
  }

  public var seconds: Double { end.seconds(since: begin) }
}
