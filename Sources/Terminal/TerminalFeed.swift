import CPosix
import Encode
import Frames
import Glibc
import Synchronization
import Window

/// What the thread of an output and the thread of its terminal share.
///
/// Only the newest frame waits: a frame that comes before the one before it was taken replaces that.
final class TerminalFeed: Sendable {
  private struct State: Sendable {
    var newest: Frame?
    var hasEnded = false
    var failure: TerminalError?
    var shown = 0
    var latency = PresentationLatency()
  }

  private let state = Mutex(State())
  /// Becomes readable when something has changed, for `poll`; -1 if the system has no file left.
  let flag = kf_open_flag()

  deinit { if flag >= 0 { close(flag) } }

  /// Gives the terminal its next frame.
  ///
  /// - Throws: Why nothing can be shown any more.
  func put(_ frame: Frame) throws(TerminalError) {
    let (failure, previous) = state.withLock { state in
      let previous = state.newest
      state.newest = frame
      return (state.failure, previous)
    }
    // A frame is released outside the lock: that may take other locks.
    _ = previous
    if let failure { throw failure }
    wakeUp()
  }

  /// Takes the newest frame; nil if there is none since the last one was taken.
  func take() -> Frame? {
    state.withLock { state in
      defer { state.newest = nil }
      return state.newest
    }
  }

  /// Counts a frame that the terminal has taken.
  func noteShown(_ frame: Frame) {
    let now = MonotonicTime.now
    state.withLock { state in
      state.shown += 1
      state.latency.note(frame, shown: now)
    }
  }

  /// Lets the view end; may be called from any thread.
  func end() {
    state.withLock { $0.hasEnded = true }
    wakeUp()
  }

  /// Makes the next `put` throw.
  func fail(_ error: TerminalError) { state.withLock { $0.failure = $0.failure ?? error } }

  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Frames that were shown, and how late they were.
  var result: (shown: Int, latency: Latency?) {
    state.withLock { ($0.shown, $0.latency.latency) }
  }

  /// Makes the terminal's thread look at what has changed.
  func wakeUp() { kf_raise_flag(flag) }
}
