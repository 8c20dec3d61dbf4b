import CFFmpeg
import Frames

/// Tells which signs of damage are new, and which of them count.
struct DamageCount {
  /// Whether a stream of this kind may begin anywhere: what lacks the frames before it is no damage.
  private let beginsAnywhere: Bool
  /// The nominal duration of a frame, in seconds.
  private let frameDuration: Rational
  private var hasKeyFrame = false
  private var places = 0
  private var repairs = 0
  /// When the packet after one that the container calls damaged is due, in seconds; nil after a sound one.
  private var due: Rational?

  init(beginsAnywhere: Bool, frameDuration: Rational) {
    (self.beginsAnywhere, self.frameDuration) = (beginsAnywhere, frameDuration)
  }

  /// Whether damage counts now.
  var counts: Bool { !beginsAnywhere || hasKeyFrame }

  /// Whether the container's reader has passed over another place since it was asked last.
  mutating func isNew(places count: Int) -> Bool {
    defer { places = count }
    return count > places
  }

  /// Whether the decoder has repaired another frame since it was asked last.
  mutating func isNew(repairs count: Int) -> Bool {
    defer { repairs = count }
    return count > repairs
  }

  /// Whether packets of the video are missing before this one, by its decoding time in seconds.
  ///
  /// A transport stream calls a packet damaged if parts of the stream are missing behind it. That alone is no loss: it
  /// is so where two streams are joined too.
  mutating func isHole(
    before time: Rational?, lasting duration: Rational, isKey: Bool, _ flags: Int32
  ) -> Bool {
    let isHole =
      time.flatMap { time in due.map { time > $0 + frameDuration / Rational(2) } } ?? false
    if isKey { hasKeyFrame = true }
    due =
      flags & AV_PKT_FLAG_CORRUPT != 0
      ? time.map { $0 + max(duration, frameDuration) } : nil
    return isHole
  }
}
