import Frames

/// Delivers another source's frames at their own pace, as a camera would: each one when its time,
/// from the first frame's, has come on the monotonic clock.
///
/// The first frame comes at once, because a recording is prepared by it. The clock starts with the
/// call after that: everything is ready then. While one frame waits for its time, no other is read,
/// so nothing is decoded further ahead than a frame. Sound is not paced; it stays where it was
/// stored, between the frames.
///
/// A source that is slower than its own times delivers late and drops nothing by itself. When it can
/// again its frames come as fast as they can until they have caught up, as a camera's do after a
/// stall: were the clock put back instead, a machine that is too slow would look fast enough. One
/// that is not to be live waits for the line instead, and so does its clock.
final class PacedSource: MediaSource, @unchecked Sendable {
  // @unchecked: all but `interruption`, which is atomic, is one thread's business by the protocol.

  private let source: any MediaSource
  private let interruption: Interruption
  private let clock: PacingClock
  private let isLive: Bool
  private var firstTime: Rational?
  private var start: MonotonicTime?
  private var lateness = 0.0
  private var paused = 0.0

  /// How long a wait lasts at most before the interruption is looked at again, in seconds.
  private static let longestSleep = Rational(1, 20)

  /// Takes over a source that is open; `interruption` is the one that ends its waits.
  init(
    _ source: any MediaSource, interruption: Interruption, isLive: Bool = true,
    clock: PacingClock = .monotonic
  ) {
    self.isLive = isLive
    self.source = source
    self.interruption = interruption
    self.clock = clock
  }

  var description: SourceDescription {
    var description = source.description
    description.isLive = isLive
    return description
  }

  var report: SourceReport {
    var report = source.report
    report.lateness = lateness
    report.paused = paused
    return report
  }

  func interrupt() {
    interruption.interrupt()
    source.interrupt()
  }

  func next() throws(CaptureError) -> MediaSample? {
    if firstTime != nil, start == nil { start = clock.now() }
    let sample = try source.next()
    guard case .frame(var frame)? = sample else { return sample }
    guard let firstTime, let start else {
      firstTime = frame.time
      return sample
    }
    var due = start + (frame.time - firstTime)
    let ready = clock.now()
    if isLive {
      lateness = max(lateness, ready.seconds(since: due))
    } else if due < ready {
      due = ready
      self.start = ready + (firstTime - frame.time)
    }
    guard waits(until: due) else { return nil }
    paused += clock.now().seconds(since: ready)
    frame.captured = due
    return .frame(frame)
  }

  /// False when the wait was interrupted.
  private func waits(until due: MonotonicTime) -> Bool {
    while !interruption.isInterrupted {
      let now = clock.now()
      guard now < due else { return true }
      clock.sleep(min(due, now + PacedSource.longestSleep))
    }
    return false
  }
}

/// What a paced source tells the time by.
struct PacingClock: Sendable {
  var now: @Sendable () -> MonotonicTime
  /// Comes back at the moment or later.
  var sleep: @Sendable (_ until: MonotonicTime) -> Void

  static let monotonic = PacingClock(
    now: { .now }, sleep: { moment in MonotonicTime.sleep(until: moment) })
}
