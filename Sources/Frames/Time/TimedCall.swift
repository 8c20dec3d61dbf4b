/// The start and end of a library call that is slow enough to be listed by itself.
package struct TimedCall: Sendable {
  package let name: String
  package let begin: MonotonicTime
  package let end: MonotonicTime

  package init(_ name: String, begin: MonotonicTime, end: MonotonicTime) {
    self.name = name
    self.begin = begin
    self.end = end
  }

  /// Makes the record of a call that began at `begin` and has just ended.
  package init(_ name: String, since begin: MonotonicTime) {
    self.init(name, begin: begin, end: .now)
  }

  package var seconds: Double { end.seconds(since: begin) }
}
