import Frames

/// The part of a source that is wanted: from a start, for a time or a number of frames.
///
/// Times are the source's own. The first frame is the first at or after the start; the end is
/// reckoned from that frame. The start is counted from the source's zero, which may lie before its
/// first picture.
struct SourceTrim {
  /// Frames before this time are dropped; nil takes all.
  let start: Rational?
  /// The start as it was asked for, in seconds from the source's zero.
  let offset: Rational?
  private let duration: Rational?
  private let frameLimit: Int?
  private let frameDuration: Rational
  private var firstTime: Rational?
  private var frames = 0
  /// Nothing that starts at or after this time is wanted; nil until it is known.
  private(set) var end: Rational?

  /// - Parameters:
  ///   - request: What is asked for.
  ///   - zero: The source's own time from which a start is counted.
  ///   - frameDuration: A frame's at the nominal rate.
  init(_ request: SourceRequest, zero: Rational, frameDuration: Rational) {
    offset = request.start
    start = request.start.map { zero + $0 }
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

  /// The first frame was taken.
  var hasBegun: Bool { firstTime != nil }

  /// The first frame's time once it was taken, or else the start.
  var beginning: Rational? { firstTime ?? start }

  /// What a packet of sound is to the part.
  enum AudioVerdict {
    case wanted
    /// Outside the part.
    case leftOut
    /// It ends before the first picture of a source that is read from its beginning.
    case early
    /// So does this, but so shortly before that a decoder may need it for what follows.
    case runUp
  }

  /// More than any codec needs to begin with (HE-AAC about 0.1 seconds).
  private static let runUp = Rational(1, 5)

  /// Judges a packet of sound; what lies before the first frame is known only once that was judged.
  func judge(soundAt time: Rational, duration: Rational) -> AudioVerdict {
    if let end, time >= end { return .leftOut }
    let soundEnd = time + duration
    // A pipe's sound before the start is not kept until the first frame comes.
    if let start { return soundEnd <= (firstTime ?? start) ? .leftOut : .wanted }
    guard let firstTime, time < firstTime, soundEnd <= firstTime else { return .wanted }
    return soundEnd > firstTime - Self.runUp ? .runUp : .early
  }

  /// How long and how many frames what is wanted will be, as far as the container knows.
  func expected(
    extent: SourceExtent, frameRate: Rational, isStill: Bool
  ) -> (duration: Rational?, frames: Int?) {
    if isStill { return (nil, 1) }
    var seconds = extent.duration
    if let whole = extent.duration, let start, let origin = extent.start {
      seconds = max(whole - max(start - origin, .zero), .zero)
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
