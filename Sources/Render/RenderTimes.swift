import Frames
import GPU

/// How long a pipeline and the GPU were at work.
package struct RenderTimes: Sendable {
  /// Frames that are done.
  package private(set) var frames = 0
  /// Seconds in which the calling thread filled slots and recorded commands.
  package var submitting = 0.0
  /// Seconds in which the calling thread waited for the GPU.
  package var awaited = 0.0
  /// Seconds in which the GPU worked on at least one frame, by its own clock; nil where it has none.
  package var busy: Double? { timed > 0 ? nanoseconds / 1e9 * Double(frames) / Double(timed) : nil }
  /// Frames of which the GPU told the time.
  private var timed = 0
  private var nanoseconds = 0.0
  private var latestEnd = Int64.min

  package init() {}

  /// Adds a frame that is done; nil has no time, and counts as the mean of the others.
  mutating func add(_ span: GPUSpan?) {
    frames += 1
    guard let span else { return }
    timed += 1
    // Frames in flight overlap, and their time counts once.
    nanoseconds += Double(max(span.end - max(span.begin, latestEnd), 0))
    latestEnd = max(latestEnd, span.end)
  }

  /// Adds what came later.
  package mutating func add(_ later: RenderTimes) {
    frames += later.frames
    submitting += later.submitting
    awaited += later.awaited
    timed += later.timed
    nanoseconds += later.nanoseconds
    latestEnd = max(latestEnd, later.latestEnd)
  }
}
