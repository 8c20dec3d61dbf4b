import Frames

/// How a sound device's count of samples runs against the system's clock: a straight line through
/// what was seen of both.
///
/// A device says where it is in steps, of a USB packet or of a timer's tick, and sometimes late; so a
/// single pair of count and time says little, and the line is a regression over a window, without the
/// pairs that lie far off it. At each break of the sound (an overrun) the line goes on at the same
/// slope from wherever it is then.
struct AudioClock {
  /// What the line is made of: the average of the pairs of half a second.
  private struct Bucket {
    var count = 0.0
    /// Seconds since the first pair.
    var time = 0.0
    /// Samples above what the nominal rate makes of that time.
    var lead = 0.0
    var section = 0
    var begin = 0.0

    /// It lies far off the line.
    var isOff = false

    /// One that has just begun weighs less, and next to nothing where it is off.
    var weight: Double { isOff ? 1e-6 : min(count / 4, 1) }
  }

  /// Samples a second that the device promises.
  let nominalRate: Double
  /// How far back the line looks, in seconds; nil for all time, in ever longer buckets.
  private let window: Double?

  private var origin: (time: Int64, position: Int64)?
  private var buckets: [Bucket] = []
  private var length = 0.5
  private var section = 0
  /// The line: samples a second above the nominal rate, and the lead at `centre`.
  private var slope = 0.0
  private var centre = 0.0
  private var level = 0.0
  private var middles: [Middle] = []
  private var errors: [Double] = []

  /// Clocks that are further off than this are rare, and it takes seconds to believe one; in parts of
  /// one.
  private static let usualDrift = 300e-6
  /// How far off a bucket's average may be, in seconds.
  private static let usualError = 1e-3
  private static let mostBuckets = 480

  /// Makes a clock; without a `window` it is as exact over hours as the device is steady.
  init(nominalRate: Int, window: Double? = 60) {
    self.nominalRate = Double(nominalRate)
    self.window = window
  }

  /// There is a line.
  var isRunning: Bool { !buckets.isEmpty }

  /// Samples a second that the device gives.
  var rate: Double { nominalRate + slope }

  /// How much faster than it promises, in millionths; negative where it is slower.
  var drift: Double { slope / nominalRate * 1e6 }

  /// Takes a pair: at a time the device was at a position.
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

  /// What comes now lies anywhere: samples were lost before it.
  mutating func breakOff() { section += 1 }

  /// The position at a time, in samples and parts of one.
  func position(at time: MonotonicTime) -> Double {
    guard let origin else { return 0 }
    let seconds = Double(time.nanoseconds - origin.time) / 1e9
    return Double(origin.position) + seconds * nominalRate + level + (seconds - centre) * slope
  }

  /// Buckets that are too old go; without a window two become one when there are many.
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
    // Twice more, without what lies far off the line so far.
    for _ in 0..<2 {
      measureErrors()
      let limit = max(6 * errors.sorted()[errors.count / 2], 0.0005 * nominalRate)
      for index in buckets.indices { buckets[index].isOff = errors[index] > limit }
      solve()
    }
  }

  /// Least squares with a slope for all and a level for each section; a slope that few pairs tell of
  /// is drawn towards none.
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

  /// How far each bucket is off the line.
  private mutating func measureErrors() {
    errors.removeAll(keepingCapacity: true)
    for middle in middles {
      for bucket in buckets[errors.count..<middle.end] {
        errors.append(abs(bucket.lead - middle.lead - (bucket.time - middle.time) * slope))
      }
    }
  }

  /// The middle of a section's buckets, which lie together.
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
