/// When a library's call that takes long enough to be listed by itself began and ended.
package struct TimedCall: Sendable {
  package let name: String
  package let begin: MonotonicTime
  package let end: MonotonicTime

  package init(_ name: String, begin: MonotonicTime, end: MonotonicTime) {
    self.name = name
    self.begin = begin
    self.end = end
  }

  /// A call that began then and has just ended.
  package init(_ name: String, since begin: MonotonicTime) {
    self.init(name, begin: begin, end: .now)
  }

  package var seconds: Double { end.seconds(since: begin) }
}
