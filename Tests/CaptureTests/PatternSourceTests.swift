import Frames
import Testing

@testable import Capture

@Suite("The test pattern")
struct PatternSourceTests {
  @Test(
    "A frame's bytes depend on its number and size alone", arguments: [(1, 1), (3, 5), (641, 361)])
  func determinism(size: (Int, Int)) throws {
    let whole = try Reading("testsrc") {
      $0.size = size
      $0.frames = 40
    }
    let late = try Reading("testsrc") {
      $0.size = size
      $0.start = Rational(1)
      $0.frames = 10
    }
    #expect(whole.frames.count == 40)
    for (a, b) in zip(whole.frames.dropFirst(30), late.frames) {
      #expect(a.time == b.time)
      #expect(a.packed == b.packed)
    }
    if size.0 > 100 { #expect(whole.frames[0].packed != whole.frames[1].packed) }
  }

  @Test("Times are multiples of the rate's reciprocal")
  func times() throws {
    let reading = try Reading("testsrc") {
      $0.size = (8, 8)
      $0.frameRate = Rational(30000, 1001)
      $0.duration = Rational(1)
    }
    #expect(reading.frames.count == 30)
    #expect(reading.frames.map(\.time) == (0..<30).map { Rational($0 * 1001, 30000) })
    #expect(reading.description.frameCount == 30)
  }
}
