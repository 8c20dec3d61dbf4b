package import Frames

/// A stretch of a source by the numbers of its frames, which count from 0 in the order in which the source
/// gives them.
package struct FrameRange: Sendable, Equatable {
  package var first: Int
  /// The last frame of the stretch; nil for the source's last one.
  package var last: Int?
  /// Number of frames that are also delivered before the first one, if there are so many.
  package var leadIn = 0
  /// Whether the output has the times of the whole; else its first frame has time 0.
  package var keepsTimes = false
  /// Where the stretch lies; nil if it must be searched.
  package var place: FramePlace?

  package init(first: Int, last: Int?, leadIn: Int = 0) {
    (self.first, self.last) = (first, last)
    self.leadIn = min(leadIn, first)
  }

  /// The number of the first frame that is delivered.
  package var begin: Int { first - leadIn }

  /// Number of frames that are delivered; nil if the source's end decides.
  package var delivered: Int? { last.map { $0 - begin + 1 } }
}

/// Where a stretch lies in its source, in the source's own time, in seconds.
package struct FramePlace: Sendable, Equatable {
  /// The time of frame 0.
  package var origin: Rational
  /// The time of the first frame that is delivered.
  package var start: Rational

  package init(origin: Rational, start: Rational) {
    (self.origin, self.start) = (origin, start)
  }
}

/// What a source knows about its stretch once the first frame was delivered.
package struct DeliveredRange: Sendable, Equatable {
  package let range: FrameRange
  /// The times of frame 0, of the first delivered frame and of the frame before it, in the source's own time,
  /// in seconds.
  package let origin: Rational
  package let start: Rational
  package let previous: Rational?

  init(range: FrameRange, origin: Rational, start: Rational, previous: Rational?) {
    (self.range, self.origin, self.start, self.previous) = (range, origin, start, previous)
  }

  /// Makes it for frames that follow each other at a rate from time 0 on.
  init(_ range: FrameRange, rate: Rational) {
    let previous = range.begin > 0 ? Rational(Int64(range.begin - 1)) / rate : nil
    self.init(
      range: range, origin: .zero, start: Rational(Int64(range.begin)) / rate, previous: previous)
  }
}

extension SourceRequest {
  /// Returns the request with the place of its stretch.
  ///
  /// - Throws: A sentence for the user: a source that cannot be read again, or that has no such frame.
  func findingRange() throws(CaptureError) -> SourceRequest {
    guard let range else { return self }
    let kind = kind
    guard !kind.isLive, canBeOpenedAgain else {
      let name = kind.name ?? (input.isEmpty ? "a camera" : input)
      throw CaptureError(
        "\(name) has no frame numbers, because it cannot be read again; --frame-range is for files, "
          + "numbered images and generated sources", isUsageError: true)
    }
    guard !kind.isGenerated, range.place == nil, range.begin > 0 else { return self }
    var found = self
    var whole = self
    (whole.range, whole.frames, whole.outputFrames) = (nil, nil, nil)
    found.range?.place = try FrameSearch(whole).place(of: range.begin)
    return found
  }
}
