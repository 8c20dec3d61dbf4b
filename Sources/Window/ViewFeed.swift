package import Encode
package import Frames
import Synchronization

/// What the thread of an output and the thread of its view share: a window, or a terminal.
///
/// Only the newest frame waits: a frame that comes before the one before it was taken replaces that.
package final class ViewFeed: Sendable {
  private struct State: Sendable {
    var newest: Frame?
    var hasEnded = false
    var failure: (any ExplainedError)?
    /// Whether `put` has thrown the failure.
    var isReported = false
    var shown = 0
    var latency = PresentationLatency()
  }

  private let state = Mutex(State())
  /// Raised when something has changed for the view's thread.
  package let flag = WakeFlag()
  private let onShown: (@Sendable (Frame, MonotonicTime) -> Void)?

  /// - Parameter onShown: Called with each frame that was shown, and when, on the view's thread.
  package init(onShown: (@Sendable (Frame, MonotonicTime) -> Void)? = nil) {
    self.onShown = onShown
  }

  /// Gives the view its next frame.
  ///
  /// - Throws: Why nothing can be shown any more.
  package func put(_ frame: Frame) throws {
    let (failure, previous) = state.withLock { state in
      let previous = state.newest
      state.newest = frame
      state.isReported = state.failure != nil
      return (state.failure, previous)
    }
    // A frame is released outside the lock: that may take other locks.
    _ = previous
    if let failure { throw failure }
    flag.raise()
  }

  /// Takes the newest frame; nil if there is none since the last one was taken.
  package func take() -> Frame? {
    state.withLock { state in
      defer { state.newest = nil }
      return state.newest
    }
  }

  /// Counts a frame that the window system or the terminal has taken.
  package func noteShown(_ frame: Frame) {
    let now = MonotonicTime.now
    onShown?(frame, now)
    state.withLock { state in
      state.shown += 1
      state.latency.note(frame, shown: now)
    }
  }

  /// Lets the view close; may be called from any thread.
  package func end() {
    state.withLock { $0.hasEnded = true }
    flag.raise()
  }

  /// Throws why the view ended early, unless `put` has.
  package func checkEnd() throws {
    let failure = state.withLock { $0.isReported ? nil : $0.failure }
    if let failure { throw failure }
  }

  /// Makes the next `put` throw, or `checkEnd`.
  package func fail(_ error: any ExplainedError) {
    state.withLock { $0.failure = $0.failure ?? error }
  }

  package var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Frames that were shown, and how late they were.
  package var result: (shown: Int, latency: Latency?) {
    state.withLock { ($0.shown, $0.latency.latency) }
  }

  /// Makes the view's thread look at what has changed.
  package func wakeUp() { flag.raise() }
}
