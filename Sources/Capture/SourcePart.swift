import Frames

/// The part of a source that is wanted: from a start, for a time or a number of frames.
///
/// Times are the source's own. The first frame is the first at or after the start; the end is
/// reckoned from that frame.
struct SourcePart {
  /// Frames before this time are dropped; nil takes all.
  let start: Rational?
  private let duration: Rational?
  private let frameLimit: Int?
  private let frameDuration: Rational
  private var firstTime: Rational?
  private var frames = 0
  /// Nothing that starts at or after this time is wanted; nil until it is known.
  private(set) var end: Rational?

  /// - Parameters:
  ///   - request: What is asked for.
  ///   - origin: The source's own time of its beginning.
  ///   - frameDuration: A frame's at the nominal rate.
  init(_ request: SourceRequest, origin: Rational, frameDuration: Rational) {
    start = request.start.map { origin + $0 }
    duration = request.duration
    frameLimit = request.frames
    self.frameDuration = frameDuration
  }

  /// The whole source is wanted.
  var isWhole: Bool { start == nil && duration == nil && frameLimit == nil }

  /// The end hangs on a number of frames, so that it is unknown until the last one is there.
  var isLimitedInFrames: Bool { frameLimit != nil }

  /// What is to be done with a frame of the given time.
  enum Verdict { case take, skip, end }

  /// Judges the next frame, and counts it if it is taken.
  mutating func judge(frameAt time: Rational, duration shown: Rational?) -> Verdict {
    if let start, time < start, firstTime == nil { return .skip }
    if firstTime == nil {
      firstTime = time
      end = duration.map { time + $0 }
    }
    if let end, time >= end { return .end }
    frames += 1
    if let frameLimit, frames >= frameLimit {
      let shownUntil = time + (shown ?? frameDuration)
      end = min(end ?? shownUntil, shownUntil)
    }
    return .take
  }

  /// All frames that are wanted have been taken; sound up to `end` may be to come.
  var hasAllFrames: Bool { frameLimit.map { frames >= $0 } ?? false }

  /// Whether a packet of sound belongs to the part, once the first frame is known.
  func wants(soundAt time: Rational, duration: Rational) -> Bool {
    if let end, time >= end { return false }
    // A pipe's sound before the start is not kept until the first frame comes.
    if let start, firstTime == nil, time + duration <= start { return false }
    if start != nil, let firstTime, time + duration <= firstTime { return false }
    return true
  }

  /// How long and how many frames what is wanted will be, as far as the container knows.
  func expected(
    extent: SourceExtent, frameRate: Rational, isStill: Bool
  ) -> (duration: Rational?, frames: Int?) {
    if isStill { return (nil, 1) }
    var seconds = extent.duration
    if let whole = extent.duration, let start, let origin = extent.start {
      seconds = max(whole - (start - origin), .zero)
    }
    if let duration { seconds = min(seconds ?? duration, duration) }
    var frames = isWhole ? extent.frameCount : nil
    if frames == nil, let seconds { frames = Int((seconds * frameRate + Rational(1, 2)).floor) }
    if let frameLimit {
      frames = min(frames ?? frameLimit, frameLimit)
      let limit = Rational(Int64(frameLimit)) / frameRate
      seconds = min(seconds ?? limit, limit)
    }
    return (seconds, frames)
  }
}
