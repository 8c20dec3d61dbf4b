import Frames
import Testing

@testable import Recorder

@Suite("A pause")
struct PauseTests {
  /// Output times of frames a second apart, of which those at the given moments come in a pause.
  private func times(_ frames: Range<Int64>, paused: Set<Int64>) -> [Rational] {
    var cut = PauseCut(interval: Rational(1, 2))
    return frames.compactMap { time in
      if paused.contains(time) {
        _ = cut.skip()
        return nil
      }
      return cut.time(of: Rational(time))
    }
  }

  @Test("leaves no gap: the next frame comes one interval after the last one before it")
  func noGap() {
    #expect(times(0..<9, paused: [3, 4, 7]) == (0..<6).map { Rational($0) })
  }

  @Test("at the very beginning leaves none either")
  func atBeginning() {
    #expect(times(0..<5, paused: [0, 1]) == [Rational(0), Rational(1), Rational(2)])
  }

  @Test("after a single frame goes on by the nominal rate")
  func afterOne() {
    #expect(times(0..<5, paused: [1, 2]) == [Rational(0), Rational(1, 2), Rational(3, 2)])
  }
}
