import Frames

/// Delivers frames when somebody who plays them wants them, and leaves out those that come too late, before they cost
/// the pipeline anything.
///
/// Some are delivered all the same: the first frame, and one in each tenth of a second.
final class PlayedSource: MediaSource, @unchecked Sendable {
  // @unchecked: by the protocol one thread uses everything except `interrupt`, which the source answers.

  private let source: any MediaSource
  private let admits: @Sendable (Rational) -> Bool
  private var firstTime: Rational?
  private var latest = MonotonicTime.now

  /// Longest time without a frame while frames are left out, in seconds.
  private static let longestGap = 0.1

  /// Takes over an open source; `admits` is that of `SourceRequest`.
  init(_ source: any MediaSource, admits: @escaping @Sendable (Rational) -> Bool) {
    (self.source, self.admits) = (source, admits)
  }

  var description: SourceDescription { source.description }
  var report: SourceReport { source.report }

  func interrupt() { source.interrupt() }

  func next() throws(CaptureError) -> MediaSample? {
    while let sample = try source.next() {
      guard case .frame(let frame) = sample else { return sample }
      guard let firstTime else {
        firstTime = frame.time
        return sample
      }
      let isWanted = admits(frame.time - firstTime)
      let now = MonotonicTime.now
      guard isWanted || now.seconds(since: latest) >= Self.longestGap else { continue }
      latest = now
      return sample
    }
    return nil
  }
}
