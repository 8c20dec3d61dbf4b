import FFmpegHandles
import Frames

/// What travels between the stages' threads; times are from the first recorded frame.
enum LineItem: Sendable {
  case frame(Frame)
  case sound(CompressedPacket)

  /// A picture's share of a queue is many times a packet's, so that a run of packets does not hold
  /// up the pictures, nor grow without bound.
  var weight: Int {
    switch self {
    case .frame: 16
    case .sound: 1
    }
  }

  /// A queue that holds `frames` pictures, and makes its sender wait while it is full.
  static func queue(frames: Int) -> BoundedQueue<LineItem> {
    BoundedQueue(capacity: 16 * frames) { $0.weight }
  }

  /// A queue behind a source that cannot wait: it holds the newest `frames` pictures, and all sound,
  /// of which there is never more than the source has had time for.
  static func droppingQueue(frames: Int) -> BoundedQueue<LineItem> {
    BoundedQueue(capacity: frames, whenFull: .dropOldest) { item in
      if case .frame = item { 1 } else { 0 }
    }
  }
}
