import Frames
import Testing

@testable import Encode

@Suite("Time bases of the output")
struct TimeBaseTests {
  @Test(
    "MOV keeps the source's time base unless it is too fine or would overflow",
    arguments: [
      // Source time base, known duration in seconds, expected ticks per second.
      ((1, 12800), nil, 12800),
      ((1, 15360), nil, 15360),
      ((1, 90000), nil, 90000),
      ((1, 25), nil, 12800),
      ((1, 1000), nil, 16000),
      ((1001, 24000), nil, 24000),
      ((1001, 30000), 10, 30000),
      ((1001, 24000), 100_000_000, 24000),
      ((1, 96000), nil, 90000),
      ((1, 96000), 60, 96000),
      ((1, 96000), 22369, 96000),
      ((1, 96000), 22370, 90000),
      ((1, 100_000), 60, 100_000),
      ((1, 100_001), 60, 90000),
      ((1, 1_000_000), 60, 90000),
      ((1, 1_000_000_000_000), nil, 90000),
      ((1, 1), nil, 16384),
      ((1, 9999), nil, 19998),
    ] as [((Int64, Int64), Int64?, Int64)])
  func movie(source: (Int64, Int64), seconds: Int64?, expected: Int64) {
    let unit = TimeBaseRule.movie(
      source: Rational(source.0, source.1), duration: seconds.map { Rational($0) })
    #expect(unit == Rational(1, expected))
  }

  @Test("A timestamp that rounds onto the previous tick gets the next tick")
  func collision() {
    var clock = TickClock(timeBase: Rational(1, 1000))
    let times = [
      Rational(0), Rational(1, 5000), Rational(1, 4000), Rational(1, 100), Rational(1, 50),
    ]
    #expect(times.map { clock.ticks(of: $0) } == [0, 1, 2, 10, 20])
  }

  @Test("The movie header counts whole samples of every audio track")
  func movieTimescale() {
    #expect(TimeBaseRule.movieTimescale(video: 12800, audio: []) == 12800)
    #expect(TimeBaseRule.movieTimescale(video: 12800, audio: [48000]) == 48000)
    #expect(TimeBaseRule.movieTimescale(video: 90000, audio: [48000, 32000]) == 96000)
    #expect(TimeBaseRule.movieTimescale(video: 90000, audio: [44100, 48000]) == 48000)
  }

  @Test("A frame lasts until the next one, and the last as long as it says or as the one before")
  func durations() {
    var durations = FrameDurations(timeBase: Rational(1, 100), frameRate: Rational(25))
    durations.enter(0, duration: nil)
    durations.enter(3, duration: Rational(9, 100))
    durations.enter(10, duration: nil)
    #expect([0, 3, 10].map { durations.leave($0) } == [3, 7, 7])
    durations.enter(20, duration: Rational(1, 4))
    #expect(durations.leave(20) == 25)
    var single = FrameDurations(timeBase: Rational(1, 100), frameRate: Rational(25))
    single.enter(0, duration: nil)
    #expect(single.leave(0) == 4)
  }
}
