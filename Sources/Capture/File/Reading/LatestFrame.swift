import Frames

/// Holds the latest frame of a part, and what follows it, until the next frame comes: only the next frame's time shows
/// how long the last frame of the part is shown.
///
/// Containers state the usual length of a frame (Matroska), or none (MP4 with reordered frames).
struct LatestFrame {
  /// Samples that may be delivered, in order.
  ///
  /// An array, because a slice would keep the memory of frames that were taken out.
  private var ready: [MediaSample] = []
  private var frame: Frame?
  private var behind: [MediaSample] = []

  /// Whether no sample may be delivered.
  var isEmpty: Bool { ready.isEmpty }

  /// Takes the next sample of the source.
  mutating func add(_ sample: MediaSample) {
    if case .frame(let next) = sample {
      release()
      frame = next
    } else if frame == nil {
      ready.append(sample)
    } else {
      behind.append(sample)
    }
  }

  /// Makes everything ready; the frame is shown until `end`, or as long as it says itself.
  mutating func release(shownUntil end: Rational? = nil) {
    guard var held = frame.take() else { return }
    if let end, end > held.time { held.duration = end - held.time }
    ready.append(.frame(held))
    ready += behind
    behind = []
  }

  /// Takes out the next sample that may be delivered.
  mutating func next() -> MediaSample? { ready.isEmpty ? nil : ready.removeFirst() }
}
