import Frames

/// Compares an audio device's sample count with the system clock: a straight line through measured pairs.
///
/// A device reports its position in steps, of a USB packet or of a timer tick, and sometimes late. A
/// single pair of count and time therefore says little, and the line is a regression over a window,
/// without pairs that lie far from it. After each break in the audio (an overrun) the line continues
/// with the same slope from its new position.
struct AudioClock {
  /// A data point for the line: the average of the pairs of half a second.
  private struct Bucket {
    var count = 0.0
    /// Seconds since the first pair.
    var time = 0.0
    /// Samples in addition to those that the nominal rate gives for that time.
    var lead = 0.0
    var section = 0
    var begin = 0.0

    /// Whether the bucket lies far from the line.
    var isOff = false

    /// The weight in the regression: smaller for a bucket that has just begun, almost 0 if it is off.
    var weight: Double { isOff ? 1e-6 : min(count / 4, 1) }
  }

  /// The device's nominal sample rate, in samples per second.
  let nominalRate: Double
  /// How far back the line looks, in seconds; nil for all time, in increasingly long buckets.
  private let window: Double?

  private var origin: (time: Int64, position: Int64)?
  private var buckets: [Bucket] = []
  private var length = 0.5
  private var section = 0
  /// The line: samples per second above the nominal rate, and the lead at the time `centre`.
  private var slope = 0.0
  private var centre = 0.0
  private var level = 0.0
  private var middles: [Middle] = []
  private var errors: [Double] = []

  /// The largest usual drift, as a ratio: a larger one is rare, and it takes seconds of data to
  /// confirm it.
  private static let usualDrift = 300e-6
  /// The usual error of a bucket's average, in seconds.
  private static let usualError = 1e-3
  private static let mostBuckets = 480

  /// Makes a clock; without a `window` its accuracy over hours is limited only by the device's steadiness.
  init(nominalRate: Int, window: Double? = 60) {
    self.nominalRate = Double(nominalRate)
    self.window = window
  }

  /// Whether there is a line.
  var isRunning: Bool { !buckets.isEmpty }

  /// The device's measured sample rate, in samples per second.
  var rate: Double { nominalRate + slope }

  /// How much faster the device is than its nominal rate, in millionths; negative if it is slower.
  var drift: Double { slope / nominalRate * 1e6 }

  /// Adds a pair: the device's position in samples at a time.
  mutating func add(position: Int64, time: MonotonicTime) {
    let origin = origin ?? (time.nanoseconds, position)
    self.origin = origin
    let seconds = Double(time.nanoseconds - origin.time) / 1e9
    let lead = Double(position - origin.position) - seconds * nominalRate
    if var last = buckets.last, last.section == section, seconds < last.begin + length {
      last.time += (seconds - last.time) / (last.count + 1)
      last.lead += (lead - last.lead) / (last.count + 1)
      last.count += 1
      buckets[buckets.count - 1] = last
    } else {
      buckets.append(Bucket(count: 1, time: seconds, lead: lead, section: section, begin: seconds))
      makeRoom()
    }
    if buckets.count <= 4 || buckets.last?.count == 1 { fit() }
  }

  /// Starts a new section: samples were lost, so later positions have an unknown offset.
  mutating func breakOff() { section += 1 }

  /// Returns the position at a time, in samples and fractions of a sample.
  func position(at time: MonotonicTime) -> Double {
    guard let origin else { return 0 }
    let seconds = Double(time.nanoseconds - origin.time) / 1e9
    return Double(origin.position) + seconds * nominalRate + level + (seconds - centre) * slope
  }

  /// Removes buckets that are too old; without a window, merges adjacent buckets when there are many.
  private mutating func makeRoom() {
    guard let newest = buckets.last else { return }
    if let window {
      buckets.removeAll { $0.time < newest.time - window }
    } else if buckets.count > AudioClock.mostBuckets {
      length *= 2
      var merged: [Bucket] = []
      for bucket in buckets {
        guard var last = merged.last, last.section == bucket.section,
          bucket.begin < last.begin + length
        else {
          merged.append(bucket)
          continue
        }
        let share = bucket.count / (last.count + bucket.count)
        last.time += (bucket.time - last.time) * share
        last.lead += (bucket.lead - last.lead) * share
        last.count += bucket.count
        merged[merged.count - 1] = last
      }
      buckets = merged
    }
  }

  private mutating func fit() {
    guard !buckets.isEmpty else { return }
    for index in buckets.indices { buckets[index].isOff = false }
    solve()
    // Fits twice more, without the buckets that lie far from the line so far.
    for _ in 0..<2 {
      measureErrors()
      let limit = max(6 * errors.sorted()[errors.count / 2], 0.0005 * nominalRate)
      for index in buckets.indices { buckets[index].isOff = errors[index] > limit }
      solve()
    }
  }

  /// Solves least squares with one slope for all and a level for each section; a slope from little data
  /// is drawn towards zero.
  private mutating func solve() {
    var (top, bottom) = (0.0, 0.0)
    middles.removeAll(keepingCapacity: true)
    var next = 0
    while next < buckets.count {
      let middle = Middle(of: buckets, from: next)
      for bucket in buckets[next..<middle.end] {
        let time = bucket.time - middle.time
        top += bucket.weight * time * (bucket.lead - middle.lead)
        bottom += bucket.weight * time * time
      }
      middles.append(middle)
      next = middle.end
    }
    let doubt = AudioClock.usualError / AudioClock.usualDrift
    slope = top / (bottom + doubt * doubt)
    if let middle = middles.last { (centre, level) = (middle.time, middle.lead) }
  }

  /// Measures each bucket's distance from the line, in samples.
  private mutating func measureErrors() {
    errors.removeAll(keepingCapacity: true)
    for middle in middles {
      for bucket in buckets[errors.count..<middle.end] {
        errors.append(abs(bucket.lead - middle.lead - (bucket.time - middle.time) * slope))
      }
    }
  }

  /// The weighted middle of a section's buckets, which are adjacent.
  private struct Middle {
    let section: Int
    let end: Int
    private(set) var time = 0.0
    private(set) var lead = 0.0

    init(of buckets: [Bucket], from start: Int) {
      section = buckets[start].section
      var (place, sum) = (start, 0.0)
      while place < buckets.count, buckets[place].section == section {
        let bucket = buckets[place]
        sum += bucket.weight
        time += (bucket.time - time) * bucket.weight / sum
        lead += (bucket.lead - lead) * bucket.weight / sum
        place += 1
      }
      end = place
    }
  }
}
