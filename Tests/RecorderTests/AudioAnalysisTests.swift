import Frames
import Glibc
import ShaderEffects
import Testing

@testable import Recorder

/// Tests of what formulas hear, with samples that are made here.
@Suite struct AudioAnalysisTests {
  /// Returns the levels at times, in seconds, of samples that a function of the time gives.
  private func levels(
    at times: [Double], rate: Int = 48_000, of sound: @escaping (Double) -> Double
  ) throws -> [AudioLevels] {
    let analysis = try AudioAnalysis(rate: rate)
    return times.map { time in
      analysis.levels(at: Int64(time * Double(rate))) { end, samples in
        for index in samples.indices {
          let place = end - Int64(samples.count - index)
          samples[index] = place < 0 ? 0 : Float(sound(Double(place) / Double(rate)))
        }
      }
    }
  }

  private func tone(_ frequency: Double) -> (Double) -> Double {
    { 0.5 * sin(2 * .pi * frequency * $0) }
  }

  @Test(
    "A tone of half scale has the level 0.5 in its band and none in the others",
    arguments: [
      (100, [0.5, 0, 0]), (1000, [0, 0.5, 0]), (9000, [0, 0, 0.5]),
    ] as [(Double, [Double])], [44_100, 48_000, 96_000])
  func bands(_ tone: (Double, [Double]), rate: Int) throws {
    let levels = try levels(at: [1], rate: rate, of: self.tone(tone.0))[0]
    let found = [levels.low, levels.mid, levels.high]
    #expect(zip(found, tone.1).allSatisfy { abs($0 - $1) < 0.02 }, "\(found)")
    #expect(abs(levels.level - 0.5) < 0.02 && levels.onset < 0.05 && levels.beat == 0)
  }

  @Test("Silence has no level, no onset and no beat")
  func silence() throws {
    #expect(try levels(at: [0, 0.5, 3]) { _ in 0 } == Array(repeating: AudioLevels(), count: 3))
  }

  @Test("A drum on each half second is a beat and an onset there, which fall until the next one")
  func drums() throws {
    func drum(_ time: Double) -> Double {
      let age = time.truncatingRemainder(dividingBy: 0.5)
      return 0.8 * exp(-age * 20) * sin(2 * .pi * 80 * age) + 0.02 * sin(2 * .pi * 3000 * time)
    }
    let times = stride(from: 1.0, to: 3, by: 0.02).map { $0 }
    let found = try levels(at: times, of: drum)
    for (time, levels) in zip(times, found) {
      let age = (time + 1e-9).truncatingRemainder(dividingBy: 0.5)
      switch age {
      case 0.05..<0.09: #expect(levels.beat > 0.6 && levels.onset > 0.1, "\(time) \(levels)")
      case 0.35...: #expect(levels.beat == 0 && levels.onset < 0.1, "\(time) \(levels)")
      default: break
      }
    }
  }

  @Test("The levels of a time are the same, whatever times were asked before")
  func times() throws {
    func noise(_ time: Double) -> Double {
      let value = sin(time * 12345.678) * 43758.5453
      return (value - value.rounded(.down) - 0.5) * (0.5 + 0.5 * sin(time * 9))
    }
    let all = try levels(at: (0..<150).map { Double($0) / 60 }, of: noise)
    let some = try levels(at: [0, 1, 1.5, 2.4, 2], of: noise)
    #expect(some == [all[0], all[60], all[90], all[144], all[120]])
    #expect(Set(all.map(\.level)).count > 100)
  }
}
