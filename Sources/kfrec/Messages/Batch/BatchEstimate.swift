/// What is left of a batch, estimated from what its items cost so far.
///
/// An item costs a fixed time, and time for each byte of its input; both follow from the items that this run
/// finished, and from the finished part of those that run. Items that were done before do not count. Times
/// are in seconds by one clock.
struct BatchEstimate {
  /// Items whose cost is known, in sums, because there may be very many.
  private struct Sums {
    var count = 0.0
    var bytes = 0.0
    var seconds = 0.0
    var squares = 0.0
    var products = 0.0

    mutating func add(bytes: Double, seconds: Double) {
      count += 1
      self.bytes += bytes
      self.seconds += seconds
      squares += bytes * bytes
      products += bytes * seconds
    }
  }

  private struct Running {
    let bytes: Double
    let start: Double
    var fraction = 0.0
  }

  private var known = Sums()
  private var running: [String: Running] = [:]
  /// Items that have not begun, and the bytes of their inputs.
  private var waiting: Int
  private var waitingBytes: Double
  /// Seconds of ended recordings, whether they failed or not.
  private var spent = 0.0
  private let start: Double
  /// The part that was told last; a better estimate never takes it back.
  private var reported = 0.0

  /// - Parameters:
  ///   - sizes: Bytes of the inputs whose outputs are to be made; 0 if unknown.
  ///   - now: The time.
  init(sizes: [Int64], now: Double) {
    waiting = sizes.count
    waitingBytes = sizes.reduce(0) { $0 + Double($1) }
    start = now
  }

  /// Begins an item, or begins it again.
  mutating func begin(_ item: String, bytes: Int64, now: Double) {
    if let earlier = running[item] {
      spent += now - earlier.start
    } else {
      take(bytes)
    }
    running[item] = Running(bytes: Double(bytes), start: now)
  }

  private mutating func take(_ bytes: Int64) {
    waiting = max(0, waiting - 1)
    waitingBytes = max(0, waitingBytes - Double(bytes))
  }

  mutating func progress(_ item: String, fraction: Double?) {
    if let fraction { running[item]?.fraction = fraction }
  }

  /// Ends an item; `isMade` is false if it failed, which says nothing about the cost of others.
  mutating func end(_ item: String, bytes: Int64, isMade: Bool, now: Double) {
    // It may have failed before it began.
    guard let ended = running.removeValue(forKey: item) else { return take(bytes) }
    spent += now - ended.start
    if isMade { known.add(bytes: ended.bytes, seconds: now - ended.start) }
  }

  /// Adds an item that was not planned at the start.
  mutating func add(bytes: Int64) {
    waiting += 1
    waitingBytes += Double(bytes)
    reported = 0
  }

  /// Seconds that the rest takes if as much runs at the same time as before; nil if nothing is known yet.
  func remaining(now: Double) -> Double? {
    guard let left = work(now: now) else { return nil }
    let busy = spent + running.values.reduce(0) { $0 + now - $1.start }
    guard busy > 0, now > start else { return nil }
    // The last long recording has nobody to share it with.
    return max(left.total * (now - start) / busy, left.longest)
  }

  /// The part that is done, from 0 to 1, by cost; it never goes back.
  mutating func fraction(now: Double) -> Double {
    guard let left = work(now: now) else { return reported }
    let busy = spent + running.values.reduce(0) { $0 + now - $1.start }
    let part = left.total == 0 ? 1 : busy / (busy + left.total)
    reported = max(reported, min(part, 1))
    return reported
  }

  /// Seconds of recording that are left in all, and in the running item that has most.
  private func work(now: Double) -> (total: Double, longest: Double)? {
    guard waiting > 0 || !running.isEmpty else { return (0, 0) }
    var samples = known
    for item in running.values where item.fraction >= BatchEstimate.tellingFraction {
      samples.add(bytes: item.bytes, seconds: (now - item.start) / item.fraction)
    }
    guard samples.count > 0 else { return nil }
    let (each, perByte) = BatchEstimate.cost(samples)
    var total = Double(waiting) * each + waitingBytes * perByte
    var longest = 0.0
    for item in running.values {
      let spent = now - item.start
      let left =
        item.fraction >= BatchEstimate.tellingFraction
        ? spent * (1 - item.fraction) / item.fraction
        : max(0, each + item.bytes * perByte - spent)
      total += left
      longest = max(longest, left)
    }
    return (total, longest)
  }

  /// A recording that is as far as this says what the whole of it costs.
  private static let tellingFraction = 0.02

  /// The least squares of `seconds = each + perByte * bytes`; neither is below zero.
  private static func cost(_ sums: Sums) -> (each: Double, perByte: Double) {
    let mean = sums.seconds / sums.count
    guard sums.bytes > 0 else { return (mean, 0) }
    let spread = sums.squares - sums.bytes * sums.bytes / sums.count
    // Inputs of one size do not tell the two apart: then all of it is by size.
    guard spread > 1e-6 * sums.squares else { return (0, sums.seconds / sums.bytes) }
    let perByte = (sums.products - sums.bytes * mean) / spread
    guard perByte > 0 else { return (mean, 0) }
    let each = mean - perByte * sums.bytes / sums.count
    return each >= 0 ? (each, perByte) : (0, sums.products / sums.squares)
  }
}
