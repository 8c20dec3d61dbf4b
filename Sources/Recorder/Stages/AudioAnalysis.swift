import Capture
import Glibc
import ShaderEffects

/// Computes the audio levels that formulas of parameters use.
///
/// The audio is cut into steps at fixed places, and the levels at a time depend on the steps of the last half
/// second alone. So the same file gives the same levels, whatever the frame rate. Used by one thread.
final class AudioAnalysis {
  private struct Step {
    var levels = AudioLevels()
    /// The share of the spectrum, and of its low part, that was not there a step before.
    var rise = 0.0
    var lowRise = 0.0
  }

  /// Copies the samples of all channels, averaged, that end at a place, a number of samples.
  typealias Reading = (_ end: Int64, _ samples: UnsafeMutableBufferPointer<Float>) -> Void

  /// Samples from one step to the next.
  private let hop: Int64
  /// Steps in a second.
  private let pace: Double
  /// The first columns of the middle and the high band.
  private let bands: (mid: Int, high: Int)
  private let spectrum: AudioSpectrum
  private let samples: UnsafeMutableBufferPointer<Float>
  private var columns: UnsafeMutableBufferPointer<Float>
  private var before: UnsafeMutableBufferPointer<Float>
  /// The latest steps, each at its number modulo their count.
  private var steps: [Step]
  private var latest: Int64?

  /// Steps that the levels of one time depend on: a span, and what comes before each step of the span.
  private static let span: Int64 = 24
  private static let columnCount = 1024
  /// Sounds below this are silence: -60 dB.
  private static let silence = 0.001

  /// Prepares for a number of samples per second.
  init(rate: Int) throws(CaptureError) {
    hop = rate > 64_000 ? 1024 : 512
    pace = Double(rate) / Double(hop)
    spectrum = try AudioSpectrum(columns: AudioAnalysis.columnCount)
    let width = Double(rate) / Double(spectrum.count)
    bands = (Int(250 / width) + 1, Int(4000 / width) + 1)
    samples = .allocate(capacity: spectrum.count)
    samples.initialize(repeating: 0)
    columns = .allocate(capacity: AudioAnalysis.columnCount)
    before = .allocate(capacity: AudioAnalysis.columnCount)
    columns.initialize(repeating: 0)
    before.initialize(repeating: 0)
    steps = Array(repeating: Step(), count: Int(2 * AudioAnalysis.span))
  }

  deinit {
    samples.deallocate()
    columns.deallocate()
    before.deallocate()
  }

  /// Returns the levels at a position, in samples.
  func levels(at end: Int64, read: Reading) -> AudioLevels {
    let now = end >= 0 ? end / hop : -((hop - 1 - end) / hop)
    let count = Int64(steps.count)
    if let latest, latest > now { self.latest = nil }
    let first = max((latest ?? .min / 2) + 1, now - count + 1)
    if first <= now {
      // The rise of a step needs the spectrum of the step before it.
      if latest != first - 1 { fill(columns, first - 1, read) }
      for number in first...now { add(number, read) }
      latest = now
    }
    var levels = self[now].levels
    for number in (now - AudioAnalysis.span + 1)...now {
      let age = Double(end - number * hop) / (Double(hop) * pace)
      levels.onset = max(levels.onset, strength(of: number, \.rise) * exp(-age / 0.04))
      if isBeat(number) { levels.beat = max(levels.beat, 1 - age / 0.25) }
    }
    return levels
  }

  private subscript(number: Int64) -> Step {
    get { steps[index(number)] }
    set { steps[index(number)] = newValue }
  }

  private func index(_ number: Int64) -> Int {
    let count = Int64(steps.count)
    return Int((number % count + count) % count)
  }

  private func fill(
    _ columns: UnsafeMutableBufferPointer<Float>, _ number: Int64, _ read: Reading
  ) {
    read(number * hop, samples)
    spectrum.fill(columns, from: samples)
  }

  private func add(_ number: Int64, _ read: Reading) {
    swap(&columns, &before)
    fill(columns, number, read)
    var step = Step()
    var power = 0.0
    for sample in samples { power += Double(sample) * Double(sample) }
    step.levels.level = min((2 * power / Double(samples.count)).squareRoot(), 1)
    var (sums, rise, whole, lowRise, low) = ((0.0, 0.0, 0.0), 0.0, 0.0, 0.0, 0.0)
    for column in columns.indices {
      let magnitude = Double(columns[column])
      // Small parts of a spectrum count too, as they do for ears.
      let (loud, loudBefore) = (log(1 + 1000 * magnitude), log(1 + 1000 * Double(before[column])))
      rise += max(loud - loudBefore, 0)
      whole += loud
      if column < bands.mid {
        sums.0 += magnitude * magnitude
        lowRise += max(loud - loudBefore, 0)
        low += loud
      } else if column < bands.high {
        sums.1 += magnitude * magnitude
      } else {
        sums.2 += magnitude * magnitude
      }
    }
    // The window spreads a tone over columns whose squares have the sum 1.5.
    func level(_ sum: Double) -> Double { min((sum / 1.5).squareRoot(), 1) }
    (step.levels.low, step.levels.mid, step.levels.high) = (
      level(sums.0), level(sums.1), level(sums.2)
    )
    if step.levels.level > AudioAnalysis.silence { step.rise = rise / max(whole, 1e-9) }
    if step.levels.low > AudioAnalysis.silence { step.lowRise = lowRise / max(low, 1e-9) }
    self[number] = step
  }

  /// Returns how far a step's rise stands above those before it.
  private func strength(of number: Int64, _ rise: KeyPath<Step, Double>) -> Double {
    var mean = 0.0
    for earlier in (number - AudioAnalysis.span / 2)..<number {
      mean += self[earlier][keyPath: rise]
    }
    mean /= Double(AudioAnalysis.span / 2)
    return min(max((self[number][keyPath: rise] - 1.5 * mean - 0.05) * 2, 0), 1)
  }

  /// Returns whether a step begins a beat: a strong rise of the low band, and the strongest for a while.
  private func isBeat(_ number: Int64) -> Bool {
    let strength = strength(of: number, \.lowRise)
    guard strength > 0.25 else { return false }
    return !((number - AudioAnalysis.span / 2)..<number).contains { earlier in
      self[earlier].lowRise > self[number].lowRise
    }
  }
}
