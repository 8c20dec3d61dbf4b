import FFmpegHandles
import Frames
import Render

/// What travels between the stages' threads; times are from the first recorded frame.
enum LineItem: Sendable {
  case frame(Frame)
  /// Of two sources, on its way to the GPU, which makes one frame of it.
  case joined(JoinedFrame)
  case sound(CompressedPacket)

  /// In a queue that waits.
  static let pictureWeight = 16

  /// A picture's share of a queue is many times a packet's, so that a run of packets does not hold
  /// up the pictures, nor grow without bound.
  var weight: Int {
    switch self {
    case .frame, .joined: LineItem.pictureWeight
    case .sound: 1
    }
  }

  /// A queue that holds `frames` pictures, and makes its sender wait while it is full.
  static func queue(frames: Int) -> BoundedQueue<LineItem> {
    BoundedQueue(capacity: pictureWeight * frames) { $0.weight }
  }

  /// A queue behind a source that cannot wait: it holds the newest half second of pictures, and all
  /// sound, of which there is never more than the source has had time for.
  ///
  /// It is empty as long as the line keeps up. Half a second rides out what the rest of a busy
  /// machine does: with four other threads at work on two cores for one second in four, three frames
  /// of room lost 21 of 450, half a second 4. Large pictures get less time rather than more memory.
  static func droppingQueue(of format: FrameFormat, rate: Rational) -> BoundedQueue<LineItem> {
    let layout = BufferLayout(
      pixelFormat: format.pixelFormat, width: format.width, height: format.height)
    let frames = min(Int((rate / Rational(2)).floor), (128 << 20) / max(layout.byteCount, 1))
    return latestQueue(frames: max(frames, 3))
  }

  /// A queue that holds the newest pictures, and all sound.
  static func latestQueue(frames: Int) -> BoundedQueue<LineItem> {
    BoundedQueue(capacity: frames, whenFull: .dropOldest) { item in
      if case .sound = item { 0 } else { 1 }
    }
  }
}

/// What may wait for an output.
enum OutputRoom: Sendable {
  /// Enough to ride out a slow frame; what comes behind it waits.
  case all
  /// As behind a live source that gives frames of a format at a rate: nobody waits, the oldest are
  /// dropped.
  case live(FrameFormat, Rational)
  /// The latest frames alone: nobody waits.
  case latest

  /// The queue, and a frame's share of it.
  func queue() -> (BoundedQueue<LineItem>, frameWeight: Int) {
    switch self {
    case .all: (LineItem.queue(frames: RecordingRun.queuedFrames), LineItem.pictureWeight)
    case .live(let format, let rate): (LineItem.droppingQueue(of: format, rate: rate), 1)
    case .latest:
      (LineItem.latestQueue(frames: 2), 1)
    }
  }
}

extension RecordingStatistics.Queue {
  /// Of a queue that `queue` or `droppingQueue` made, in which a frame weighs `weight`.
  init(name: String, _ queue: BoundedQueue<LineItem>, frameWeight weight: Int) {
    let fill = queue.fill
    self.init(
      name: name, room: queue.capacity / weight, mean: fill.mean / Double(weight),
      largest: Double(fill.largest) / Double(weight))
  }
}
