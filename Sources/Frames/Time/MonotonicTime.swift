import Glibc

/// A moment on the system's monotonic clock (`CLOCK_MONOTONIC`), which cameras also use for their
/// timestamps.
///
/// For pacing, latency and display; timestamps of frames are exact `Rational`s.
public struct MonotonicTime: Hashable, Sendable {
  /// Nanoseconds since an origin that changes with every boot of the machine.
  public let nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The time of the call.
  public static var now: MonotonicTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Sleeps until a moment, or a little longer; returns at once if the moment has passed.
  ///
  /// It takes a moment and not a time span, so that errors do not add up.
  public static func sleep(until moment: MonotonicTime) {
    var time = timespec()
    time.tv_sec = Int(moment.nanoseconds / 1_000_000_000)
    time.tv_nsec = Int(moment.nanoseconds % 1_000_000_000)
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }

  /// Seconds from an earlier moment to this one.
  public func seconds(since earlier: MonotonicTime) -> Double {
    Double(nanoseconds - earlier.nanoseconds) / 1e9
  }

  /// The moment a number of seconds later, to the nearest nanosecond.
  public static func + (moment: MonotonicTime, seconds: Rational) -> MonotonicTime {
    let (sum, overflow) = moment.nanoseconds.addingReportingOverflow(
      seconds.ticks(timeBase: Rational(1, 1_000_000_000)))
    return MonotonicTime(nanoseconds: overflow ? (seconds < .zero ? .min : .max) : sum)
  }
}

extension MonotonicTime: Comparable {
  public static func < (a: MonotonicTime, b: MonotonicTime) -> Bool {
    a.nanoseconds < b.nanoseconds
  }
}

/// Runs `body` and adds its run time in seconds to `total`.
public func timed<Result>(_ total: inout Double, _ body: () throws -> Result) rethrows -> Result {
  let begin = MonotonicTime.now
  defer { total += MonotonicTime.now.seconds(since: begin) }
  return try body()
}
