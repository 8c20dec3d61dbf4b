import Capture
import Frames

extension BoundedQueue {
  /// Weight of a frame in a queue that waits: a series of packets does not block frames, nor grow without limit.
  static var frameWeight: Int { 16 }

  /// Returns a queue that holds `frames` frames, and makes its sender wait while it is full.
  static func waiting<Picture>(frames: Int) -> BoundedQueue where Element == Sample<Picture> {
    BoundedQueue(capacity: frameWeight * frames) { $0.isFrame ? frameWeight : 1 }
  }

  /// Returns a queue after a source that cannot wait: it holds the newest half second of frames, and all
  /// audio.
  ///
  /// There is never more audio than the source had time to produce. The queue is empty while the
  /// pipeline keeps up. Half a second absorbs the other load of a busy machine: with four other threads
  /// working on two cores for one second in four, room for three frames lost 21 of 450 frames, half a
  /// second lost 4. Large frames get less time instead of more memory.
  static func dropping<Picture>(
    of format: FrameFormat, rate: Rational
  ) -> BoundedQueue where Element == Sample<Picture> {
    let layout = BufferLayout(
      pixelFormat: format.pixelFormat, width: format.width, height: format.height)
    let frames = min(Int((rate / Rational(2)).floor), (128 << 20) / max(layout.byteCount, 1))
    return latest(frames: max(frames, 3))
  }

  /// Returns a queue that holds the newest frames, and all audio.
  static func latest<Picture>(frames: Int) -> BoundedQueue where Element == Sample<Picture> {
    BoundedQueue(capacity: frames, whenFull: .dropOldest) { $0.isFrame ? 1 : 0 }
  }
}

extension RecordingStatistics.Queue {
  init<Item>(name: String, _ queue: BoundedQueue<Item>, frameWeight weight: Int) {
    let fill = queue.fill
    self.init(
      name: name, room: queue.capacity / weight, mean: fill.mean / Double(weight),
      largest: Double(fill.largest) / Double(weight))
  }
}
