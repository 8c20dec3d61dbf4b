import Glibc

/// A moment on the system's monotonic clock (`CLOCK_MONOTONIC`), which is the clock of a camera's
/// time stamps too.
///
/// For pacing, latency and display; frames' own times are exact `Rational`s.
package struct MonotonicTime: Hashable, Sendable {
  /// Nanoseconds from an origin that only this boot of the machine knows.
  package let nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The moment of the call.
  package static var now: MonotonicTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Sleeps until a moment, or a little longer as the system wills; at once where it has passed.
  ///
  /// By the moment and not by the time that is left, so that errors do not add up.
  package static func sleep(until moment: MonotonicTime) {
    var time = timespec()
    time.tv_sec = Int(moment.nanoseconds / 1_000_000_000)
    time.tv_nsec = Int(moment.nanoseconds % 1_000_000_000)
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }

  /// Seconds from an earlier moment to this one.
  package func seconds(since earlier: MonotonicTime) -> Double {
    Double(nanoseconds - earlier.nanoseconds) / 1e9
  }

  /// The moment a number of seconds after one, to the nearest nanosecond.
  package static func + (moment: MonotonicTime, seconds: Rational) -> MonotonicTime {
    let (sum, overflow) = moment.nanoseconds.addingReportingOverflow(
      seconds.ticks(timeBase: Rational(1, 1_000_000_000)))
    return MonotonicTime(nanoseconds: overflow ? (seconds < .zero ? .min : .max) : sum)
  }
}

extension MonotonicTime: Comparable {
  package static func < (a: MonotonicTime, b: MonotonicTime) -> Bool {
    a.nanoseconds < b.nanoseconds
  }
}

/// Does something and adds the seconds that it took to a total.
package func timed<Result>(_ total: inout Double, _ body: () throws -> Result) rethrows -> Result {
  let begin = MonotonicTime.now
  defer { total += MonotonicTime.now.seconds(since: begin) }
  return try body()
}
