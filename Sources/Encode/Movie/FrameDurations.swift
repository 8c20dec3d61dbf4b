import Frames

/// How long each frame is shown, kept from when it goes into an encoder until its packet comes out.
///
/// FFmpeg 5.1's libx264 gives packets no duration, and a muxer without one ends the movie a frame
/// early. All in ticks of the encoder's time base.
struct FrameDurations {
  private let timeBase: Rational
  /// By time of presentation: frames that are in the encoder.
  private var held: [Int64: Int64] = [:]
  private var newest: Int64?
  private var newestDuration: Int64

  /// A lone frame without a duration of its own lasts one frame of the nominal rate.
  init(timeBase: Rational, frameRate: Rational) {
    self.timeBase = timeBase
    let rate = frameRate > .zero ? frameRate : Rational(25)
    newestDuration = max(rate.reciprocal.ticks(timeBase: timeBase), 1)
  }

  /// A frame goes in: the one before it is now known to last until then; it has its own duration, or
  /// that of the one before, until the next one comes.
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

  /// The packet of the frame at `ticks` comes out.
  mutating func leave(_ ticks: Int64) -> Int64 {
    held.removeValue(forKey: ticks) ?? newestDuration
  }
}
