/// Counts times in steps of half a millisecond, so that its memory does not grow.
package struct TimeHistogram: Sendable {
  private static let step = 0.0005

  private var counts: [Int32]
  package private(set) var count = 0

  /// - Parameter steps: The number of steps; longer times count in the last step.
  package init(steps: Int) { counts = [Int32](repeating: 0, count: steps) }

  /// Counts a time in seconds, which is not negative.
  package mutating func note(_ seconds: Double) {
    counts[min(Int(seconds / Self.step), counts.count - 1)] += 1
    count += 1
  }

  /// The time that a share of all does not exceed, in seconds; nil if none was counted.
  package func share(_ share: Double) -> Double? {
    guard count > 0 else { return nil }
    var rest = Int((Double(count) * share).rounded(.up))
    let index = counts.firstIndex { count in
      rest -= Int(count)
      return rest <= 0
    }
    return index.map { (Double($0) + 0.5) * Self.step }
  }
}
