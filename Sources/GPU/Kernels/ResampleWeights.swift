/// The weights of one axis of a resampling, computed once in double precision.
struct ResampleWeights {
  /// Source texels per result.
  let taps: Int
  /// For each result: the first source texel (an Int32's bits), then the weights (Floats' bits).
  let table: [UInt32]

  private let start: Double
  private let length: Double
  private let count: Int

  /// Computes weights for `count` results over `length` source texels that begin at `start`.
  init(from start: Double, length: Double, count: Int) {
    (self.start, self.length, self.count) = (start, length, count)
    let step = length / Double(count)
    let stretch = max(step, 1)
    let taps = Int((2 * 2 * stretch).rounded(.up)) + 1
    self.taps = taps
    var table: [UInt32] = []
    table.reserveCapacity(count * (taps + 1))
    for index in 0..<count {
      let center = start + (Double(index) + 0.5) * step
      let first = Int((center - 2 * stretch).rounded(.down))
      let weights = (0..<taps).map {
        ResampleWeights.catmullRom((Double(first + $0) + 0.5 - center) / stretch)
      }
      let sum = weights.reduce(0, +)
      table.append(UInt32(bitPattern: Int32(first)))
      table += weights.map { Float($0 / sum).bitPattern }
    }
    self.table = table
  }

  /// Whether every result equals its own source texel.
  func isIdentity(sourceLength: Int) -> Bool {
    start == 0 && length == Double(count) && count == sourceLength
  }

  /// Keys' cubic with a = -1/2 (Keys 1981): it passes through the samples, with no blur at scale 1.
  static func catmullRom(_ x: Double) -> Double {
    let x = abs(x)
    if x < 1 { return 1.5 * x * x * x - 2.5 * x * x + 1 }
    if x < 2 { return -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2 }
    return 0
  }
}
