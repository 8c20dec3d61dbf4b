import Frames

/// The weights of one axis of a resampling, computed once in double precision.
///
/// Results are computed in groups of neighbours, which share most of their source texels: each texel is read once for
/// the whole group.
struct ResampleWeights {
  /// The results of one group.
  struct Group {
    /// The first source texel; it may lie outside the image, where the texel at the edge counts.
    var first: Int
    /// For each texel from the first one on, its weight in each result.
    var weights: [[Double]]
  }

  /// The largest number of results in a group.
  static let largestGroup = 4
  /// Maximum size of a kernel with its weights in the code, in texels of a group.
  private static let longestCode = 40

  /// Results in a group; the last one of an axis may have fewer.
  let groupSize: Int
  /// Source texels of a group.
  let taps: Int
  /// Whether results are kept within the values of their nearest texels: kernels with negative weights would
  /// otherwise draw halos around edges.
  let isBounded: Bool
  /// For each result of a group, the texels (counted from the group's first one) whose values bound it: those in
  /// the middle lobe of the kernel in some group.
  let bounds: [Range<Int>]
  /// All groups, in order; or the first group, if the others are like it.
  let groups: [Group]
  /// The number of source texels from one group to the next, if all groups are alike; nil if they differ.
  let stride: Int?
  /// Whether every result is one texel, unchanged.
  let isCopy: Bool

  private let start: Double
  private let length: Double
  private let count: Int

  /// Computes weights for `count` results over `length` texels that begin at `start`, of a source of
  /// `sourceLength` texels.
  init(from start: Double, length: Double, of sourceLength: Int, count: Int, scaler: Scaler) {
    (self.start, self.length, self.count) = (start, length, count)
    let step = length / Double(count)
    let isShift = length == Double(count) && start == start.rounded()
    let kernel = isShift ? ScalerKernel(.nearest, step: 1) : ScalerKernel(scaler, step: step)
    isCopy = kernel.isCopy
    isBounded = kernel.isBounded
    let groupSize = kernel.isCopy ? 1 : Self.groupSize(step: step)
    self.groupSize = groupSize
    let rows = { (group: Int) -> [ScalerKernel.Row] in
      (0..<groupSize).map { place in
        kernel.row(center: start + (Double(group * groupSize + place) + 0.5) * step)
      }
    }
    let between = step * Double(groupSize)
    let first = rows(0)
    if !kernel.isCopy, Self.isWhole(between), Self.span(first) <= Self.longestCode {
      stride = Int(between.rounded())
      taps = Self.span(first)
      groups = [Self.group(first, taps: taps)]
      bounds = Self.bounds([first])
      return
    }
    stride = nil
    var all = (0..<(count + groupSize - 1) / groupSize).map(rows)
    if all.count == 1, Self.span(all[0]) > sourceLength {
      // A result of hardly any pixels would read the texels at the edges again and again.
      all = all.map { rows in rows.map { $0.folded(into: sourceLength) } }
    }
    let taps = all.map(Self.span).max() ?? 1
    self.taps = taps
    groups = all.map { Self.group($0, taps: taps) }
    bounds = Self.bounds(all)
  }

  /// The number of results after which the weights repeat, if it is small enough for a group, else the largest group.
  private static func groupSize(step: Double) -> Int {
    [largestGroup, 3].first { isWhole(step * Double($0)) } ?? largestGroup
  }

  private static func isWhole(_ value: Double) -> Bool { abs(value - value.rounded()) < 1e-9 }

  /// The number of source texels of a group.
  private static func span(_ rows: [ScalerKernel.Row]) -> Int {
    let end = rows.map { $0.first + $0.weights.count }.max() ?? 0
    return end - (rows.map(\.first).min() ?? 0)
  }

  private static func group(_ rows: [ScalerKernel.Row], taps: Int) -> Group {
    let first = rows.map(\.first).min() ?? 0
    var weights = Array(repeating: Array(repeating: 0.0, count: rows.count), count: taps)
    for (place, row) in rows.enumerated() {
      for (tap, weight) in row.weights.enumerated() {
        weights[row.first - first + tap][place] = weight
      }
    }
    return Group(first: first, weights: weights)
  }

  private static func bounds(_ groups: [[ScalerKernel.Row]]) -> [Range<Int>] {
    (groups.first ?? []).indices.map { place in
      let ranges = groups.map { rows in
        let first = rows.map(\.first).min() ?? 0
        return rows[place].bounds.lowerBound - first..<rows[place].bounds.upperBound - first
      }
      return (ranges.map(\.lowerBound).min() ?? 0)..<(ranges.map(\.upperBound).max() ?? 0)
    }
  }

  /// The groups in four-component texels: for each group its first source texel, then for each of its texels the
  /// weights in its results.
  var table: [Float] {
    groups.flatMap { group in
      ([[Double(group.first)]] + group.weights).flatMap { row in
        row.map { Float($0) } + Array(repeating: 0, count: 4 - row.count)
      }
    }
  }

  /// Whether the sums are written out texel by texel, not as a loop.
  var isWrittenOut: Bool { taps <= Self.longestCode }

  /// Whether every result equals its own source texel.
  func isIdentity(sourceLength: Int) -> Bool {
    start == 0 && length == Double(count) && count == sourceLength
  }
}
