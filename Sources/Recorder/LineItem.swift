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

  /// A queue that holds `frames` pictures.
  static func queue(frames: Int) -> BoundedQueue<LineItem> {
    BoundedQueue(capacity: 16 * frames) { $0.weight }
  }
}
