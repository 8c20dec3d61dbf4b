import Frames
import Glibc
import Testing
import Settings

@testable import kfrec

@Suite("The time of --stop-at") struct StopTimeTests {
  @Test(
    "it is a time of day, or a span behind a plus sign",
    arguments: [
      ("06:30", StopTime.clock(hour: 6, minute: 30, second: 0)),
      ("6:30", .clock(hour: 6, minute: 30, second: 0)),
      ("23:59:58", .clock(hour: 23, minute: 59, second: 58)), ("+3600", .after(Rational(3600))),
      ("+90m", .after(Rational(5400))), ("+1.5h", .after(Rational(5400))),
      ("+2d", .after(Rational(172_800))), ("+01:30:00", .after(Rational(5400))),
      ("+10s", .after(Rational(10))),
    ])
  func words(_ word: String, _ time: StopTime) throws {
    #expect(try ArgumentParser.parse(["--stop-at", word]).stopTime == time)
    #expect(try ArgumentParser.parse(["batch", "--stop-at", word]).stopTime == time)
  }

  @Test(
    "other words are refused",
    arguments: [
      "", "now", "24:00", "06:60", "6", "+", "+0", "+1x", "+-1", "+1:2m", "06:3", "1:2:3:4",
    ])
  func refused(_ word: String) {
    let error = #expect(throws: CommandLineError.self) {
      try ArgumentParser.parse(["--stop-at=\(word)"])
    }
    #expect(error?.description.hasPrefix("--stop-at takes a time of day such as 06:30") == true)
  }

  @Test("a time of day is the next one by the clock of this place", arguments: [0, 3600, 86_399])
  func next(_ offset: Int) {
    let now = 1_700_000_000 + offset
    for (hour, minute) in [(0, 0), (6, 30), (23, 59)] {
      let moment = StopTime.clock(hour: hour, minute: minute, second: 5).moment(after: now)
      var (time, day) = (time_t(moment), tm())
      localtime_r(&time, &day)
      #expect((day.tm_hour, day.tm_min, day.tm_sec) == (Int32(hour), Int32(minute), 5))
      // A day may have 25 hours.
      #expect(moment > now && moment <= now + 25 * 3600)
    }
    #expect(StopTime.after(Rational(90)).moment(after: now) == now + 90)
  }
}
