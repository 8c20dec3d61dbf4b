import Frames
import Testing

@testable import Capture

@Suite("The timestamps of a camera's frames")
struct CameraClockTests {
  /// Reads timestamps (microseconds) that arrive 5 ms after a steady 30 frames per second, from second
  /// 1 on.
  private func read(_ stamps: [Int64?], sequence: (Int) -> UInt32 = { UInt32($0) }) -> (
    [Int64], [CameraClock.Source], CameraClock
  ) {
    var clock = CameraClock(frameDuration: Rational(1, 30))
    let readings = stamps.enumerated().map { index, stamp in
      clock.read(
        stamp: stamp, sequence: sequence(index),
        arrival: MonotonicTime(nanoseconds: (1_005_000 + Int64(index) * 33_333) * 1000))
    }
    return (readings.map(\.time), readings.map(\.source), clock)
  }

  @Test("timestamps are the driver's to the microsecond, also when they are ahead of the arrival")
  func exact() {
    let stamps: [Int64] = [1_000_001, 1_033_339, 1_090_007, 1_100_000]
    let (times, sources, clock) = read(stamps)
    #expect(times == stamps)
    #expect(sources.allSatisfy { $0 == .driver })
    #expect(!clock.usesArrival)
  }

  @Test("a timestamp that repeats or jumps is predicted from the frame before, also after a gap")
  func single() {
    let (times, sources, _) = read([1_000_000, 1_000_000, 1_066_666, 5, 1_133_333])
    #expect(times == [1_000_000, 1_033_333, 1_066_666, 1_099_999, 1_133_333])
    #expect(sources == [.driver, .predicted, .driver, .predicted, .driver])
    let (afterGap, _, _) = read([1_000_000, 9], sequence: { $0 == 0 ? .max : 2 })
    #expect(afterGap == [1_000_000, 1_099_999])
  }

  @Test("arrival times replace timestamps of another clock or many bad ones, and always increase")
  func arrival() {
    let (times, sources, clock) = read([nil, nil, 1_070_000])
    #expect(times == [1_005_000, 1_038_333, 1_071_666])
    #expect(sources.allSatisfy { $0 == .arrival })
    #expect(clock.usesArrival)

    let (absurd, _, _) = read([9_223_372_020_880_000, 9_223_372_020_913_000])
    #expect(absurd == [1_005_000, 1_038_333])

    let still = read(Array(repeating: 1_000_000, count: 8))
    #expect(still.1.suffix(3) == [.arrival, .arrival, .arrival])
    #expect(zip(still.0, still.0.dropFirst()).allSatisfy { $0 < $1 })
  }
}
