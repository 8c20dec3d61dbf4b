import Frames
import GPU

/// Working times of a pipeline and of the GPU.
public struct RenderTimes: Sendable {
  /// Number of finished frames.
  public private(set) var frames = 0
  /// Seconds that the calling thread spent filling slots and recording commands.
  public var submitting = 0.0
  /// Seconds that the calling thread waited for the GPU.
  public var awaited = 0.0
  /// Seconds in which the GPU worked on at least one frame, by the GPU's clock; nil if it has none.
  public var busy: Double? { timed > 0 ? nanoseconds / 1e9 * Double(frames) / Double(timed) : nil }
  /// Number of frames for which the GPU reported a time.
  private var timed = 0
  private var nanoseconds = 0.0
  private var latestEnd = Int64.min

  public init() {}

  /// Adds a finished frame; a nil span counts as the mean of the other frames.
  mutating func add(_ span: GPUSpan?) {
    frames += 1
    guard let span else { return }
    timed += 1
    // Frames in flight overlap; the overlapping time counts once.
    nanoseconds += Double(max(span.end - max(span.begin, latestEnd), 0))
    latestEnd = max(latestEnd, span.end)
  }

  /// Adds the times of a later period.
  public mutating func add(_ later: RenderTimes) {
    frames += later.frames
    submitting += later.submitting
    awaited += later.awaited
    timed += later.timed
    nanoseconds += later.nanoseconds
    latestEnd = max(latestEnd, later.latestEnd)
  }
}
