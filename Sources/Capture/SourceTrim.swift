import Frames

/// The requested part of a source: from a start, for a duration or a number of frames.
///
/// Times are the source's own, in seconds. The first frame is the first at or after the start; the end of a
/// duration is computed from that frame. Start and end are counted from the source's zero, which may lie before its
/// first frame.
struct SourceTrim {
  /// Frames before this time are dropped; nil takes all.
  private(set) var start: Rational?
  /// The requested start, in seconds from the source's zero.
  let offset: Rational?
  private var duration: Rational?
  /// The requested end; the first frame at or after it is not wanted.
  private var limit: Rational?
  private var frameLimit: Int?
  private let mayEndEarly: Bool
  private let frameDuration: Rational
  /// Whether the frame behind the last one of a number of frames is awaited, to know how long the last one is shown.
  let awaitsNext: Bool
  /// How long before the start audio is wanted too, in seconds.
  private let audioLead: Rational
  private var firstTime: Rational?
  private var frames = 0
  private var lastTime: Rational?
  /// The time until which the latest frame is shown by its own account.
  private var lastEnd: Rational?
  /// Whether no frame follows: one behind the part has come, or none is awaited.
  ///
  /// The last one is shown until `end`.
  private(set) var isOver = false
  /// Frames and audio that start at or after this time are not wanted; nil until it is known.
  private(set) var end: Rational?
  /// The end before it was moved to that of a frame of the output.
  private var asked: Rational?
  private var grid: FrameGrid?

  /// Makes the requested part; its start counts from the source's own time `zero`, and an end by frames awaits the next frame.
  ///
  /// Somebody who decodes the audio needs the packets shortly before its start.
  init(
    _ request: SourceRequest, zero: Rational, frameDuration: Rational, decodesAudio: Bool = false,
    awaitsNext: Bool = false
  ) {
    self.awaitsNext = awaitsNext
    audioLead = decodesAudio ? Self.runUp : .zero
    start = request.range.map { $0.place?.start } ?? request.start.map { zero + $0 }
    offset = start.map { $0 - zero }
    duration = request.duration
    limit = request.end.map { zero + $0 }
    (frameLimit, mayEndEarly, grid) = (request.frames, request.mayEndEarly, request.grid)
    self.frameDuration = frameDuration
  }

  /// Returns a stretch of the part, whose first frame was taken; it ends at `time` or with the part.
  func stretch(before time: Rational?, isFromStart: Bool) -> SourceTrim {
    var stretch = self
    (stretch.duration, stretch.frameLimit, stretch.frames) = (nil, nil, 0)
    stretch.limit = [end, limit, time].compactMap(\.self).min()
    (stretch.start, stretch.firstTime, stretch.end) = (firstTime ?? start, nil, nil)
    (stretch.lastTime, stretch.asked, stretch.grid) = (nil, nil, nil)
    (stretch.lastEnd, stretch.isOver) = (nil, false)
    stretch.isWholeAgain = isWhole && isFromStart && time == nil
    stretch.isTail = isWhole && !isFromStart && time == nil
    stretch.isBounded = time != nil
    return stretch
  }

  /// Whether it is a stretch that has all frames of a source that is wanted as a whole.
  private var isWholeAgain = false
  /// Whether it is the last stretch of such a source.
  private(set) var isTail = false

  /// Whether it is a stretch that ends before the part does.
  private var isBounded = false

  /// Says what is missing of the part that was asked for when the source has ended, as a sentence; nil if nothing is.
  ///
  /// A part that lacks less than a frame is whole: times on the command line are rounded.
  func shortfall(_ name: String, extent: SourceExtent, zero: Rational) -> String? {
    guard !isBounded, !mayEndEarly, let firstTime else { return nil }
    if let frameLimit, frames < frameLimit {
      return
        "\(name) has only \(frames) of the \(frameLimit) frames that were asked for; the output ends with the last one"
    }
    guard let end = asked ?? end, extent.videoEnd + frameDuration <= end else { return nil }
    let come = max(extent.videoEnd - firstTime, .zero)
    if let limit, limit <= end {
      return
        "\(name) ends at \((extent.videoEnd - zero).twoDecimals) seconds, before the end at \((limit - zero).twoDecimals) that was asked for"
    }
    return
      "\(name) gives only \(come.twoDecimals) of the \((end - firstTime).twoDecimals) seconds that were asked for"
  }

  /// Whether the whole source is wanted.
  var isWhole: Bool {
    isWholeAgain || start == nil && duration == nil && limit == nil && frameLimit == nil
  }

  /// Whether the part may end before the source does.
  var isLimited: Bool { duration != nil || limit != nil || frameLimit != nil }

  /// Whether the end depends on a number of frames, so that it is unknown until the last one is taken.
  var isLimitedInFrames: Bool { frameLimit != nil }

  /// What to do with a frame of a given time.
  enum Verdict { case take, skip, end }

  /// Decides about the next frame, and counts it if it is taken.
  mutating func judge(frameAt time: Rational, duration shown: Rational?) -> Verdict {
    if let start, time < start, firstTime == nil { return .skip }
    if firstTime == nil {
      firstTime = time
      setEnd(own: frameDuration.reciprocal)
    }
    if hasAllFrames { end = min(end ?? time, time) }
    if let end, time >= end {
      isOver = true
      return .end
    }
    frames += 1
    (lastTime, lastEnd) = (time, time + (shown ?? frameDuration))
    if !awaitsNext { finish() }
    return .take
  }

  /// Ends a part whose last wanted frame was taken, if no frame behind it says when.
  mutating func finish() {
    guard hasAllFrames, !isOver, let lastEnd else { return }
    end = min(end ?? lastEnd, lastEnd)
    isOver = true
  }

  /// Longer than frames are shown in a source whose audio goes on meanwhile, in seconds.
  private static let longestFrame = Rational(300)

  /// Whether the frame after the latest one is so late that nothing waits for it: the video may have ended.
  func awaitsInVain(at time: Rational) -> Bool {
    lastEnd.map { time > $0 + Self.longestFrame } ?? false
  }

  /// Whether something at a time, nil for an unknown one, lies behind the last frame of a number of frames.
  func isBehindFrames(_ time: Rational?) -> Bool {
    guard hasAllFrames, !isOver, let lastTime else { return false }
    return time.map { $0 > lastTime } ?? true
  }

  /// Sets the end of the part, whose first frame was taken, by the source's `own` frame rate as the recording knows it.
  mutating func setEnd(own: Rational) {
    guard let firstTime, !hasAllFrames else { return }
    func place(on grid: FrameGrid?) -> Rational? {
      FrameGrid.end(from: firstTime, duration: duration, limit: limit, own: own, on: grid)
    }
    (asked, end) = (place(on: nil), place(on: grid))
  }

  /// Returns how long a frame is shown that was taken: not beyond the end of the part; nil if that is not known.
  func shown(from time: Rational, lasting duration: Rational?) -> Rational? {
    guard let end, let duration, time + duration > end else { return duration }
    return end - time
  }

  /// Whether all wanted frames have been taken; audio up to `end` may follow.
  var hasAllFrames: Bool { frameLimit.map { frames >= $0 } ?? false }

  /// Whether something that ends at a time certainly ends within the part.
  ///
  /// Of a number of frames that is so long before the last one: if it holds even for twice the nominal frame rate.
  func surelyHolds(until time: Rational) -> Bool {
    if let end, time > end { return false }
    guard let frameLimit, !isOver else { return true }
    guard let lastTime else { return false }
    let rest = Rational(Int64(max(frameLimit - frames, 0))) * frameDuration
    return time <= lastTime + rest / Rational(2)
  }

  /// Whether the part has an end, and no later frame can change it.
  var isEndKnown: Bool { end != nil && (frameLimit == nil || isOver) }

  /// Whether the first frame has been taken.
  var hasBegun: Bool { firstTime != nil }

  /// The first frame's time once it was taken; until then, the start.
  var beginning: Rational? { firstTime ?? start }

  /// The decision about an audio packet.
  enum AudioVerdict {
    case wanted
    /// The packet lies outside the part.
    case leftOut
    /// The packet ends before the first frame of a source that is read from its beginning.
    case early
    /// Like `early`, but so shortly before that frame that a decoder may need the packet for later ones.
    case runUp
  }

  /// Longer than any codec needs to start (HE-AAC about 0.1 seconds).
  private static let runUp = Rational(1, 5)

  /// Decides about an audio packet; packets before the first frame are left out only after that frame
  /// was judged.
  func judge(audioAt time: Rational, duration: Rational) -> AudioVerdict {
    if let end, time >= end { return .leftOut }
    let audioEnd = time + duration
    // Audio before the start is dropped without waiting for the first frame: a pipe would have to keep it.
    if let start {
      return audioEnd <= (firstTime ?? start) - audioLead ? .leftOut : .wanted
    }
    guard let firstTime, time < firstTime, audioEnd <= firstTime else { return .wanted }
    return audioEnd > firstTime - Self.runUp ? .runUp : .early
  }

  /// Returns the expected duration in seconds and number of frames of the part, as far as the container
  /// knows.
  func expected(
    extent: SourceExtent, frameRate: Rational, isStill: Bool
  ) -> (duration: Rational?, frames: Int?) {
    if isStill { return (nil, 1) }
    var seconds = extent.duration
    if let whole = extent.duration, let start, let origin = extent.start {
      seconds = max(whole - max(start - origin, .zero), .zero)
    }
    if let duration { seconds = min(seconds ?? duration, duration) }
    if let limit, let origin = extent.start {
      let asked = max(limit - max(start ?? origin, origin), .zero)
      seconds = min(seconds ?? asked, asked)
    }
    var frames = isWhole ? extent.frameCount : nil
    if frames == nil, let seconds { frames = Int((seconds * frameRate + Rational(1, 2)).floor) }
    if let frameLimit {
      frames = min(frames ?? frameLimit, frameLimit)
      let limit = Rational(Int64(frameLimit)) / frameRate
      seconds = min(seconds ?? limit, limit)
    }
    return (seconds, frames)
  }

  /// Says why the part has no frame; `end` is where the video ends in its own time, as far as known.
  func refusal(
    _ name: String, extent: SourceExtent, zero: Rational, shownUntil end: Rational
  ) -> CaptureError {
    if let limit, limit <= extent.videoEnd {
      let from = offset.map { "between the start at \($0.twoDecimals) and" } ?? "before"
      return CaptureError(
        "\(name) has no frame \(from) the end at \((limit - zero).twoDecimals); end later")
    }
    guard let start, let offset else {
      return CaptureError("\(name) has no frame that can be decoded")
    }
    let asked = offset.twoDecimals
    guard end <= start else {
      return CaptureError(
        "\(name) has no frame from \(asked) seconds on that can be decoded; start earlier")
    }
    return CaptureError(
      """
      \(name) lasts \((end - zero).twoDecimals) seconds, and the start at \(asked) is after its last frame; start earlier
      """)
  }
}
