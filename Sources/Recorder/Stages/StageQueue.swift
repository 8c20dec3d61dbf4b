import FFmpegHandles
import Frames

/// What a queue between stages holds: pictures, and sound that is far lighter.
protocol StageItem: Sendable {
  var isPicture: Bool { get }
}

extension TimelineItem: StageItem {
  var isPicture: Bool { if case .frames = self { true } else { false } }
}

/// What the GPU's stages hand on to the outputs.
enum FinishedItem: Sendable {
  case frame(Frame)
  /// Coded sound, which is carried unchanged.
  case sound(CompressedPacket)
  /// Sound that each output encodes.
  case audio(AudioBlock)
}

extension FinishedItem: StageItem {
  var isPicture: Bool { if case .frame = self { true } else { false } }
}

extension BoundedQueue where Element: StageItem {
  /// A picture's share of a queue that waits: many times a packet's, so that a run of packets does not
  /// hold up the pictures, nor grow without bound.
  static var pictureWeight: Int { 16 }

  /// A queue that holds `frames` pictures, and makes its sender wait while it is full.
  static func waiting(frames: Int) -> BoundedQueue {
    BoundedQueue(capacity: pictureWeight * frames) { $0.isPicture ? pictureWeight : 1 }
  }

  /// A queue behind a source that cannot wait: it holds the newest half second of pictures, and all
  /// sound, of which there is never more than the source has had time for.
  ///
  /// It is empty as long as the line keeps up. Half a second rides out what the rest of a busy
  /// machine does: with four other threads at work on two cores for one second in four, three frames
  /// of room lost 21 of 450, half a second 4. Large pictures get less time rather than more memory.
  static func dropping(of format: FrameFormat, rate: Rational) -> BoundedQueue {
    let layout = BufferLayout(
      pixelFormat: format.pixelFormat, width: format.width, height: format.height)
    let frames = min(Int((rate / Rational(2)).floor), (128 << 20) / max(layout.byteCount, 1))
    return latest(frames: max(frames, 3))
  }

  /// A queue that holds the newest pictures, and all sound.
  static func latest(frames: Int) -> BoundedQueue {
    BoundedQueue(capacity: frames, whenFull: .dropOldest) { $0.isPicture ? 1 : 0 }
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
  func queue() -> (BoundedQueue<FinishedItem>, frameWeight: Int) {
    switch self {
    case .all:
      (.waiting(frames: RecordingRun.queuedFrames), BoundedQueue<FinishedItem>.pictureWeight)
    case .live(let format, let rate): (.dropping(of: format, rate: rate), 1)
    case .latest: (.latest(frames: 2), 1)
    }
  }
}

extension RecordingStatistics.Queue {
  /// Of a queue in which a frame weighs `weight`.
  init<Item: StageItem>(name: String, _ queue: BoundedQueue<Item>, frameWeight weight: Int) {
    let fill = queue.fill
    self.init(
      name: name, room: queue.capacity / weight, mean: fill.mean / Double(weight),
      largest: Double(fill.largest) / Double(weight))
  }
}
