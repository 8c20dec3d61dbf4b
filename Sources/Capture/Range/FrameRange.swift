public import Frames

/// A stretch of a source by the numbers of its frames, which count from 0 in the order in which the source
/// gives them.
public struct FrameRange: Sendable, Equatable {
  public var first: Int
  /// The last frame of the stretch; nil for the source's last one.
  public var last: Int?
  /// Number of frames before the first one that are delivered too, if the source has that many.
  public var leadIn = 0
  /// Whether the output has the times of the whole; else its first frame has time 0.
  public var keepsTimes = false
  /// Where the stretch lies; nil if it must be searched.
  public var place: FramePlace?

  public init(first: Int, last: Int?, leadIn: Int = 0) {
    (self.first, self.last) = (first, last)
    self.leadIn = min(leadIn, first)
  }

  /// The number of the first frame that is delivered.
  public var begin: Int { first - leadIn }

  /// Number of frames that are delivered; nil if the source's end decides.
  public var delivered: Int? { last.map { $0 - begin + 1 } }
}

/// Where a stretch lies in its source, in the source's own time, in seconds.
public struct FramePlace: Sendable, Equatable {
  /// The time of frame 0.
  public var origin: Rational
  /// The time of the first frame that is delivered.
  public var start: Rational
  /// The time of the stretch's first frame, after those that are delivered before it; nil if that is `start`.
  public var shown: Rational?

  public init(origin: Rational, start: Rational) {
    (self.origin, self.start) = (origin, start)
  }
}

/// What a source knows about its stretch once the first frame was delivered.
public struct DeliveredRange: Sendable, Equatable {
  public let range: FrameRange
  /// The times of frame 0, of the first delivered frame and of the frame before it, in the source's own time,
  /// in seconds.
  public let origin: Rational
  public let start: Rational
  public let previous: Rational?
  /// The time of the stretch's first frame, after those that are delivered before it, in the source's own time.
  public let shown: Rational

  init(
    range: FrameRange, origin: Rational, start: Rational, previous: Rational?,
    shown: Rational? = nil
  ) {
    (self.range, self.origin, self.start, self.previous) = (range, origin, start, previous)
    self.shown = shown ?? start
  }

  /// Makes it for frames that follow each other at a rate from time 0 on.
  init(_ range: FrameRange, rate: Rational) {
    let previous = range.begin > 0 ? Rational(Int64(range.begin - 1)) / rate : nil
    self.init(
      range: range, origin: .zero, start: Rational(Int64(range.begin)) / rate, previous: previous,
      shown: Rational(Int64(range.first)) / rate)
  }
}

extension SourceRequest {
  /// Returns the request with the place of its stretch.
  func findingRange() throws(CaptureError) -> SourceRequest {
    guard let range else { return self }
    let kind = kind
    guard !kind.isLive, canBeOpenedAgain else {
      let name = kind.name ?? (input.isEmpty ? "a camera" : input)
      throw CaptureError(
        "\(name) has no frame numbers, because it cannot be read again; --frame-range is for files, "
          + "numbered images and generated sources", isUsageError: true)
    }
    guard !kind.isGenerated, range.place == nil, range.first > 0 else { return self }
    var found = self
    var whole = self
    (whole.range, whole.frames, whole.outputFrames) = (nil, nil, nil)
    let search = try FrameSearch(whole)
    found.range?.place = try search.place(of: range.begin)
    if range.leadIn > 0 {
      found.range?.place?.shown = try search.place(of: range.first)?.start
    }
    return found
  }
}
