/// How many recordings run at the same time, by measurement of what they need.
///
/// It begins with two. While the processors are not busy, it allows one more at a time, or twice as many if
/// they are less than half busy, and takes back what made them no busier: then the GPU or the disk sets the
/// pace. It stays inside a limit of memory.
struct JobLimit {
  struct Use {
    /// Part of the processors' time that kfrec used, from 0 to 1.
    var busy: Double
    var memory: Int64
    var running: Int
  }

  /// Recordings that may run now.
  private(set) var jobs: Int
  private let most: Int
  private let memoryLimit: Int64
  private var isSettled: Bool
  /// What was added last, and `busy` before that; nil if it was judged.
  private var added: (jobs: Int, busyBefore: Double)?

  /// Processors count as busy from here.
  private static let enough = 0.9
  /// One more recording must add at least this part of a processor's time.
  private static let gain = 0.25

  private let processors: Int

  /// - Parameters:
  ///   - fixed: The number that the user gave; nil to measure.
  ///   - processors: Processors that kfrec may use.
  ///   - memoryLimit: Bytes that the recordings may use together.
  init(fixed: Int?, processors: Int, memoryLimit: Int64) {
    jobs = fixed ?? 2
    isSettled = fixed != nil
    most = max(2, 2 * processors)
    self.processors = processors
    self.memoryLimit = memoryLimit
  }

  /// Whether more measurements can change the number.
  var measures: Bool { !isSettled }

  mutating func measure(_ use: Use) {
    guard !isSettled else { return }
    if use.memory > memoryLimit, use.running > 1 {
      jobs = use.running - 1
      isSettled = true
      return
    }
    guard use.running >= jobs else { return }
    if let added, (use.busy - added.busyBefore) * Double(processors) < Self.gain {
      jobs -= added.jobs
      isSettled = true
      return
    }
    added = nil
    guard use.busy < Self.enough, jobs < most else { return }
    let memoryOfEach = max(1, use.memory / Int64(max(1, use.running)))
    let fitting = Int(clamping: (memoryLimit - use.memory) / memoryOfEach)
    let next = min(use.busy < Self.enough / 2 ? jobs : 1, most - jobs, fitting)
    guard next > 0 else { return }
    added = (next, use.busy)
    jobs += next
  }
}
