import Frames

/// What a player wants to do with the next frame.
public enum FrameAdmission: Sendable {
  /// It is wanted now.
  case deliver
  /// It comes too late to be shown.
  case leaveOut
  /// Its time has not come yet.
  case later
}

/// Delivers frames when a player wants them, and leaves out those that come too late, before they cost
/// the pipeline anything.
final class PlayedSource: MediaSource {
  private let source: any MediaSource
  private let interruption: Interruption
  private let admits: @Sendable (_ time: Rational, _ reading: Double) -> FrameAdmission
  private var firstTime: Rational?

  /// Milliseconds until it is asked again whether a frame is wanted.
  private static let pause: Int32 = 4

  /// Takes over an open source; `admits` is that of `SourceRequest`, and the interruption ends its waits.
  init(
    _ source: any MediaSource, interruption: Interruption,
    admits: @escaping @Sendable (Rational, Double) -> FrameAdmission
  ) {
    (self.source, self.interruption, self.admits) = (source, interruption, admits)
  }

  var description: SourceDescription { source.description }
  var report: SourceReport { source.report }

  func next() throws(CaptureError) -> MediaSample? {
    while let sample = try source.next() {
      guard case .frame(let frame) = sample else { return sample }
      guard let firstTime else {
        firstTime = frame.time
        return sample
      }
      if isWanted(frame.time - firstTime) { return sample }
      if interruption.isInterrupted { return nil }
    }
    return nil
  }

  /// Waits until it is known whether a frame is wanted; false after an interruption, too.
  private func isWanted(_ time: Rational) -> Bool {
    while !interruption.isInterrupted {
      switch admits(time, source.report.reading) {
      case .deliver: return true
      case .leaveOut: return false
      case .later: interruption.wait(milliseconds: Self.pause)
      }
    }
    return false
  }
}
