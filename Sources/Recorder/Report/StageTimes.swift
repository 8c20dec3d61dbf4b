import Frames
import GPU

/// Where the thread of a stage spends its time, in seconds.
///
/// Filled by that thread alone, by looks at the clock.
struct StageTimes: Sendable {
  /// Frames that went through.
  var frames = 0
  var busy = 0.0
  /// Waiting for something to do.
  var input = 0.0
  /// Waiting for room behind it.
  var room = 0.0
}

/// For how long the GPU was at work, by its own clock.
struct GPUTimes: Sendable {
  private(set) var frames = 0
  /// Seconds that the thread which feeds it waited for it.
  var awaited = 0.0
  /// Seconds in which at least one frame was worked on; nil where the GPU has no clock.
  var busy: Double? { timed > 0 ? nanoseconds / 1e9 * Double(frames) / Double(timed) : nil }
  private var timed = 0
  private var nanoseconds = 0.0
  private var latestEnd = Int64.min

  /// Adds a frame that is done; nil has no time, and counts as the mean of the others.
  mutating func add(_ span: GPUSpan?) {
    frames += 1
    guard let span else { return }
    timed += 1
    // Frames in flight overlap, and their time counts once.
    nanoseconds += Double(max(span.end - max(span.begin, latestEnd), 0))
    latestEnd = max(latestEnd, span.end)
  }
}

/// Does something and adds the seconds that it took to a total.
func timed<Result>(_ total: inout Double, _ body: () throws -> Result) rethrows -> Result {
  let begin = MonotonicTime.now
  defer { total += MonotonicTime.now.seconds(since: begin) }
  return try body()
}
