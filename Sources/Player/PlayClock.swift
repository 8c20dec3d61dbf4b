import Frames

/// The position in a source that is heard and seen now.
///
/// Positions are in seconds from the first frame of the recording. The audio that is heard corrects the clock all the
/// time; without audio it is the system's clock.
struct PlayClock: Sendable {
  /// Seconds of the source for each second.
  private(set) var speed = 1.0
  private var place = 0.0
  private var moment = MonotonicTime.now
  private(set) var isRunning = false

  /// A correction that is larger than this is made at once, in seconds; a smaller one step by step, because the
  /// calls of an audio device come with some jitter.
  private static let jump = 0.05
  /// The share of a small correction that is made at once.
  private static let step = 0.1

  func place(at now: MonotonicTime) -> Double {
    isRunning ? place + now.seconds(since: moment) * speed : place
  }

  /// Goes to a place, at which it stands still or runs on.
  mutating func set(_ place: Double, at now: MonotonicTime) { (self.place, moment) = (place, now) }

  mutating func run(at now: MonotonicTime) {
    guard !isRunning else { return }
    (moment, isRunning) = (now, true)
  }

  /// Stands still, at a place that is not later than a limit.
  mutating func hold(at now: MonotonicTime, notAfter limit: Double = .infinity) {
    (place, moment, isRunning) = (min(place(at: now), limit), now, false)
  }

  mutating func change(speed: Double, at now: MonotonicTime) {
    (place, moment) = (place(at: now), now)
    self.speed = speed
  }

  /// Notes that the sample of a place is heard at a moment, and runs.
  mutating func hear(_ heard: Double, at then: MonotonicTime) {
    guard isRunning else {
      (place, moment, isRunning) = (heard, then, true)
      return
    }
    let error = heard - place(at: then)
    let share = abs(error) > Self.jump * max(speed, 1) ? 1 : Self.step
    (place, moment) = (place(at: then) + error * share, then)
  }
}
