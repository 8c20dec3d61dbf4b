import Frames
import Glibc

/// A scaler's kernel at one ratio: how much each source texel weighs in a result.
struct ScalerKernel {
  /// The weights of one result, from its first source texel on.
  struct Row {
    var first: Int
    /// They add up to 1.
    var weights: [Double]
    /// The texels, by their index in the source, in the kernel's middle lobe.
    var bounds: Range<Int>

    /// Returns the same sum with only the texels of a source: those at its edges have the weights of all beyond them.
    func folded(into length: Int) -> Row {
      func inside(_ texel: Int) -> Int { min(max(texel, 0), length - 1) }
      let begin = inside(first)
      var sums = Array(repeating: 0.0, count: inside(first + weights.count - 1) - begin + 1)
      for (tap, weight) in weights.enumerated() { sums[inside(first + tap) - begin] += weight }
      let bounds = inside(bounds.lowerBound)..<inside(bounds.upperBound - 1) + 1
      return Row(first: begin, weights: sums, bounds: bounds)
    }
  }

  private let scaler: Scaler
  /// Source texels from one result to the next.
  private let step: Double
  /// Source texels for a distance of 1 in the kernel's formula.
  private let stretch: Double

  init(_ scaler: Scaler, step: Double) {
    (self.scaler, self.step) = (scaler, step)
    stretch = max(step, 1)
  }

  var isCopy: Bool { scaler == .nearest }
  /// Whether the kernel has negative weights.
  var isBounded: Bool { [.lanczos, .bicubic, .mitchell].contains(scaler) }

  /// Returns the weights of a result, whose centre is at this place in source texels.
  func row(center: Double) -> Row {
    if isCopy {
      let texel = Int(center.rounded(.down))
      return Row(first: texel, weights: [1], bounds: texel..<texel + 1)
    }
    // One texel to the left of the centre, or at it, and as many on each side.
    let left = Int((center - 0.5).rounded(.down))
    let side = Int(reach.rounded(.up))
    let first = left - side + 1
    let weights = (first..<first + 2 * side).map { texel in
      let weight = weight(at: Double(texel) + 0.5 - center)
      return abs(weight) < 1e-9 ? 0 : weight
    }
    let sum = weights.reduce(0, +)
    let inLobe = (first..<first + 2 * side).filter {
      abs(Double($0) + 0.5 - center) < stretch - 1e-9
    }
    let begin = inLobe.first ?? left
    return Row(
      first: first, weights: weights.map { $0 / sum }, bounds: begin..<(inLobe.last ?? left) + 1)
  }

  /// The largest distance of a texel that counts, in source texels.
  private var reach: Double {
    switch scaler {
    case .lanczos: 3 * stretch
    case .bicubic, .mitchell: 2 * stretch
    case .bilinear: stretch
    case .area: (step + 1) / 2
    case .nearest: 0.5
    }
  }

  private func weight(at distance: Double) -> Double {
    let x = abs(distance) / stretch
    switch scaler {
    case .lanczos: return x < 3 ? Self.sinc(x) * Self.sinc(x / 3) : 0
    case .bicubic: return Self.cubic(x, b: 0, c: 0.5)
    case .mitchell: return Self.cubic(x, b: 1 / 3, c: 1 / 3)
    case .bilinear: return max(1 - x, 0)
    case .area:
      // How much of the texel lies in the area of the result.
      return max(min(distance + 0.5, step / 2) - max(distance - 0.5, -step / 2), 0)
    case .nearest: return x < 0.5 ? 1 : 0
    }
  }

  private static func sinc(_ x: Double) -> Double {
    x == 0 ? 1 : sin(.pi * x) / (.pi * x)
  }

  /// The cubics of Mitchell and Netravali (1988): with b = 0 and c = 1/2 that of Keys (1981).
  private static func cubic(_ x: Double, b: Double, c: Double) -> Double {
    if x < 1 {
      let (third, second) = (12 - 9 * b - 6 * c, -18 + 12 * b + 6 * c)
      return ((third * x + second) * x * x + 6 - 2 * b) / 6
    }
    if x < 2 {
      let (third, second, first) = (-b - 6 * c, 6 * b + 30 * c, -12 * b - 48 * c)
      return (((third * x + second) * x + first) * x + 8 * b + 24 * c) / 6
    }
    return 0
  }
}
