import Frames
import Synchronization

/// The numbers of a running recording, counted by its threads, and the progress events made of them.
final class RecordingCounts: Sendable {
  private let state: Mutex<State>
  private let events: @Sendable (RecordingEvent) -> Void
  private let clock = ContinuousClock()

  private struct State: Sendable {
    var framesIn = 0
    var framesOut = 0
    var time = Rational.zero
    var start: ContinuousClock.Instant
    var lastEvent: ContinuousClock.Instant
  }

  init(events: @escaping @Sendable (RecordingEvent) -> Void) {
    self.events = events
    let now = clock.now
    state = Mutex(State(start: now, lastEvent: now))
  }

  /// The numbers as they stand.
  var current: RecordingProgress { state.withLock { progress($0) } }

  func frameIn() { state.withLock { $0.framesIn += 1 } }

  /// Counts a frame the encoder took, and tells of the progress ten times a second at most.
  func frameOut(end: Rational) {
    let event: RecordingProgress? = state.withLock { state -> RecordingProgress? in
      state.framesOut += 1
      state.time = end
      let now = clock.now
      guard now - state.lastEvent >= .milliseconds(100) else { return nil }
      state.lastEvent = now
      return self.progress(state)
    }
    if let event { events(.progress(event)) }
  }

  private func progress(_ state: State) -> RecordingProgress {
    let elapsed = (clock.now - state.start).components
    return RecordingProgress(
      framesIn: state.framesIn, framesOut: state.framesOut, dropped: 0, duplicated: 0,
      time: state.time, elapsed: Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18)
  }
}
