import Frames

/// How long each frame is shown, kept from when it enters an encoder until its packet comes out.
///
/// FFmpeg 5.1's libx264 gives packets no duration, and a muxer without one ends the video a frame
/// early. All values are in ticks of the encoder's time base.
struct FrameDurations {
  private let timeBase: Rational
  /// Durations of the frames in the encoder, by presentation time.
  private var held: [Int64: Int64] = [:]
  private var newest: Int64?
  private var newestDuration: Int64

  /// A single frame without its own duration lasts one frame at the nominal rate.
  init(timeBase: Rational, frameRate: Rational) {
    self.timeBase = timeBase
    let rate = frameRate > .zero ? frameRate : Rational(25)
    newestDuration = max(rate.reciprocal.ticks(timeBase: timeBase), 1)
  }

  /// Records that a frame enters the encoder: the previous frame lasts until this one, and this one
  /// has its own duration, or the previous frame's, until the next one comes.
  mutating func enter(_ ticks: Int64, duration: Rational?) {
    if let newest {
      if held[newest] != nil { held[newest] = ticks - newest }
      newestDuration = ticks - newest
    }
    if let duration, duration > .zero {
      newestDuration = max(duration.ticks(timeBase: timeBase), 1)
    }
    newest = ticks
    held[ticks] = newestDuration
  }

  /// Makes the newest frame last until `ticks`, if it is still in the encoder.
  mutating func end(at ticks: Int64) {
    guard let newest, held[newest] != nil, ticks > newest else { return }
    held[newest] = ticks - newest
  }

  /// Returns the duration of the frame at `ticks`, whose packet comes out.
  mutating func leave(_ ticks: Int64) -> Int64 {
    held.removeValue(forKey: ticks) ?? newestDuration
  }
}
