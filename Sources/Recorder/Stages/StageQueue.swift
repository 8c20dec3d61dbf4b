import Frames

extension BoundedQueue where Element: StageItem {
  /// Weight of a frame in a queue that waits: many times a packet's weight.
  ///
  /// So a series of packets does not block frames, and does not grow without limit.
  static var frameWeight: Int { 16 }

  /// Returns a queue that holds `frames` frames, and makes its sender wait while it is full.
  static func waiting(frames: Int) -> BoundedQueue {
    BoundedQueue(capacity: frameWeight * frames) { $0.isFrame ? frameWeight : 1 }
  }

  /// Returns a queue after a source that cannot wait: it holds the newest half second of frames, and all
  /// audio.
  ///
  /// There is never more audio than the source had time to produce. The queue is empty while the
  /// pipeline keeps up. Half a second absorbs the other load of a busy machine: with four other threads
  /// working on two cores for one second in four, room for three frames lost 21 of 450 frames, half a
  /// second lost 4. Large frames get less time instead of more memory.
  static func dropping(of format: FrameFormat, rate: Rational) -> BoundedQueue {
    let layout = BufferLayout(
      pixelFormat: format.pixelFormat, width: format.width, height: format.height)
    let frames = min(Int((rate / Rational(2)).floor), (128 << 20) / max(layout.byteCount, 1))
    return latest(frames: max(frames, 3))
  }

  /// Returns a queue that holds the newest frames, and all audio.
  static func latest(frames: Int) -> BoundedQueue {
    BoundedQueue(capacity: frames, whenFull: .dropOldest) { $0.isFrame ? 1 : 0 }
  }
}

/// What may wait in an output's queue.
enum OutputRoom: Sendable {
  /// Enough to absorb a slow frame; later items wait.
  case all
  /// As after a live source with this format and frame rate: nothing waits, and the oldest frames are
  /// dropped.
  case live(FrameFormat, Rational)
  /// Only the latest frames; nothing waits.
  case latest

  /// Returns the queue, and the weight of a frame in it.
  func queue() -> (BoundedQueue<FinishedItem>, frameWeight: Int) {
    switch self {
    case .all:
      (.waiting(frames: RecordingRun.queuedFrames), BoundedQueue<FinishedItem>.frameWeight)
    case .live(let format, let rate): (.dropping(of: format, rate: rate), 1)
    case .latest: (.latest(frames: 2), 1)
    }
  }
}

extension RecordingStatistics.Queue {
  /// Creates the statistics of a queue in which a frame has this weight.
  init<Item: StageItem>(name: String, _ queue: BoundedQueue<Item>, frameWeight weight: Int) {
    let fill = queue.fill
    self.init(
      name: name, room: queue.capacity / weight, mean: fill.mean / Double(weight),
      largest: Double(fill.largest) / Double(weight))
  }
}
