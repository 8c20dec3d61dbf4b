import Frames
import Testing

@testable import Recorder

@Suite("A pause")
struct PauseTests {
  /// Returns the output times of frames a second apart, of which those in `paused` come during a pause.
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

  @Test("a pause leaves no gap: the next frame comes one interval after the last one before it")
  func noGap() {
    #expect(times(0..<9, paused: [3, 4, 7]) == (0..<6).map { Rational($0) })
  }

  @Test("a pause at the very beginning leaves no gap")
  func atBeginning() {
    #expect(times(0..<5, paused: [0, 1]) == [Rational(0), Rational(1), Rational(2)])
  }

  @Test("after a single frame the output continues at the nominal rate")
  func afterOne() {
    #expect(times(0..<5, paused: [1, 2]) == [Rational(0), Rational(1, 2), Rational(3, 2)])
  }
}
