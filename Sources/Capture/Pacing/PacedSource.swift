import Frames

/// Delivers another source's frames at their own pace, as a camera would.
///
/// Each frame comes when its time since the first frame has passed on the monotonic clock. The first
/// frame comes at once, because the recording is prepared with it. The clock starts with the next call,
/// when everything is ready. While one frame waits for its time, no other is read, so the source
/// decodes at most one frame ahead. Audio is not paced; it stays where it was stored, between the frames.
///
/// A source that is slower than its own timestamps delivers late and drops nothing by itself. When it
/// is fast enough again, its frames come as fast as they can until they have caught up, as a camera's
/// do after a stall. If the clock were set back instead, a machine that is too slow would seem fast
/// enough. A source that is not live waits for the pipeline instead, and so does its clock.
final class PacedSource: MediaSource {
  private let source: any MediaSource
  private let interruption: Interruption
  private let clock: PacingClock
  private let isLive: Bool
  private let pace: PaceControl?
  private var speed = Rational.one
  private var lastTime: Rational?
  private var firstTime: Rational?
  private var start: MonotonicTime?
  private var lateness = 0.0
  private var paused = 0.0

  /// Longest sleep before the interruption is checked again, in seconds.
  private static let longestSleep = Rational(1, 20)

  /// Takes over an open source; `interruption` ends its waits, and `pace` says how long they are.
  init(
    _ source: any MediaSource, interruption: Interruption, isLive: Bool = true,
    pace: PaceControl? = nil, clock: PacingClock = .monotonic
  ) {
    self.pace = pace
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

  func next() throws(CaptureError) -> MediaSample? {
    if firstTime != nil, start == nil { start = clock.now() }
    let sample = try source.next()
    guard case .frame(var frame)? = sample else { return sample }
    defer { lastTime = frame.time }
    changeSpeed()
    guard let firstTime, let start else {
      firstTime = frame.time
      return sample
    }
    var due = start + (frame.time - firstTime) / speed
    let ready = clock.now()
    if isLive {
      lateness = max(lateness, ready.seconds(since: due))
    } else if due < ready {
      due = ready
      self.start = ready + (firstTime - frame.time) / speed
    }
    guard waits(until: due) else { return nil }
    paused += clock.now().seconds(since: ready)
    frame.captured = due
    return .frame(frame)
  }

  /// Counts from the latest frame on if the speed is another one now.
  private func changeSpeed() {
    guard let speed = pace?.speed, speed != self.speed else { return }
    if start != nil, let lastTime { (start, firstTime) = (clock.now(), lastTime) }
    self.speed = speed
  }

  /// Returns false if the wait was interrupted.
  private func waits(until due: MonotonicTime) -> Bool {
    while !interruption.isInterrupted {
      let now = clock.now()
      guard now < due else { return true }
      clock.sleep(min(due, now + PacedSource.longestSleep))
    }
    return false
  }
}

/// The clock of a paced source.
struct PacingClock: Sendable {
  var now: @Sendable () -> MonotonicTime
  /// Returns at the given time or later.
  var sleep: @Sendable (_ until: MonotonicTime) -> Void

  static let monotonic = PacingClock(
    now: { .now }, sleep: { moment in MonotonicTime.sleep(until: moment) })
}
