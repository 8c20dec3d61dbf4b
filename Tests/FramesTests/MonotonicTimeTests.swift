import Testing

@testable import Frames

@Suite("A time on the monotonic clock")
struct MonotonicTimeTests {
  @Test("a time moves by exact seconds, and stays in range whatever is added")
  func arithmetic() {
    let start = MonotonicTime(nanoseconds: 5)
    #expect((start + Rational(1, 30)).nanoseconds == 33_333_338)
    #expect((start + Rational(-1)).nanoseconds == -999_999_995)
    #expect((start + Rational(.max)).nanoseconds == .max)
    #expect((start + Rational(3600)).seconds(since: start) == 3600)
    #expect(start < start + Rational(1, 1_000_000_000))
  }

  @Test("a sleep lasts until its time, and a time in the past gives no sleep")
  func sleeping() {
    let moment = MonotonicTime.now + Rational(1, 200)
    MonotonicTime.sleep(until: moment)
    #expect(MonotonicTime.now >= moment)
    // The clock's zero is the machine's start.
    MonotonicTime.sleep(until: MonotonicTime(nanoseconds: 0))
    MonotonicTime.sleep(until: MonotonicTime(nanoseconds: -5))
  }
}
