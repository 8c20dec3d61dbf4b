import Frames
import Testing

@testable import Capture

@Suite("The times at which a screen is read")
struct GrabClockTests {
  private let begin = MonotonicTime(nanoseconds: 5_000_000_000)

  private func moment(_ nanoseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: 5_000_000_000 + nanoseconds)
  }

  @Test("they lie on an exact grid, without drift at a rate that is no whole number")
  func grid() {
    let rate = Rational(30_000, 1001)
    var clock = GrabClock(rate: rate, begin: begin)
    var now = begin
    for number in 0..<100_000 {
      let due = clock.take(now: now)
      #expect(due.missed == 0)
      let exact = Double(number) * 1001 / 30_000 * 1e9
      guard abs(Double(due.moment.nanoseconds - begin.nanoseconds) - exact) <= 1 else {
        Issue.record("time \(number) is \(due.moment.nanoseconds)")
        return
      }
      // It is read a little late.
      now = MonotonicTime(nanoseconds: due.moment.nanoseconds + 1_000_000)
    }
  }

  @Test(
    "a time that has passed by less than a frame is taken late, and older ones are left out and counted"
  )
  func late() {
    var clock = GrabClock(rate: Rational(10), begin: begin)
    #expect(clock.take(now: begin).moment == begin)
    // 100 ms were due; 190 ms have passed.
    let second = clock.take(now: moment(190_000_000))
    #expect(second.moment == moment(100_000_000) && second.missed == 0)
    // 200 to 400 ms were due; 450 ms have passed.
    let third = clock.take(now: moment(450_000_000))
    #expect(third.moment == moment(400_000_000) && third.missed == 2)
    let fourth = clock.take(now: moment(451_000_000))
    #expect(fourth.moment == moment(500_000_000) && fourth.missed == 0)
  }
}

@Suite("What -i names of a screen")
struct ScreenRequestTests {
  @Test("displays and titles are taken as they are written")
  func words() {
    #expect(ScreenRequest("screen") == .screen(nil))
    #expect(ScreenRequest("screen:") == .screen(nil))
    #expect(ScreenRequest("screen::1") == .screen(":1"))
    #expect(ScreenRequest("screen:host:2.1") == .screen("host:2.1"))
    #expect(ScreenRequest("window:a:b, c") == .window("a:b, c"))
    for (words, kind) in [
      ("screen", SourceKind.screen), ("screen::0", .screen), ("window:x://y", .window),
      ("window:%04d", .window),
    ] {
      #expect(SourceKind.written(words).words == kind.words, "\(words)")
    }
    #expect(SourceKind.written("screen.mp4").words == SourceKind.file.words)
    #expect(SourceKind.written("./screen").words == SourceKind.file.words)
  }
}
