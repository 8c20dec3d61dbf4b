import CSDL
import Encode
import Frames
import Synchronization

/// What the thread of an output and the thread of its window share.
///
/// Only the newest frame waits: a frame that comes before the one before it was taken replaces that.
final class WindowFeed: Sendable {
  private struct State: Sendable {
    var newest: Frame?
    var hasEnded = false
    var failure: WindowError?
    var shown = 0
    var latency = PresentationLatency()
  }

  private let state = Mutex(State())
  /// The kind of event that wakes the window's thread.
  private let wake: UInt32
  private let onShown: (@Sendable (Frame, MonotonicTime) -> Void)?

  /// SDL must be initialised.
  ///
  /// - Parameter onShown: Called with each frame that was shown, and when, on the window's thread.
  init(onShown: (@Sendable (Frame, MonotonicTime) -> Void)? = nil) {
    wake = SDL_RegisterEvents(1)
    self.onShown = onShown
  }

  /// Gives the window its next frame.
  ///
  /// - Throws: Why the window has closed by itself.
  func put(_ frame: Frame) throws(WindowError) {
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

  /// Counts a frame that the window system has taken.
  func noteShown(_ frame: Frame) {
    let now = MonotonicTime.now
    onShown?(frame, now)
    state.withLock { state in
      state.shown += 1
      state.latency.note(frame, shown: now)
    }
  }

  /// Lets the window close; may be called from any thread.
  func end() {
    state.withLock { $0.hasEnded = true }
    wakeUp()
  }

  /// Makes the next `put` throw.
  func fail(_ error: WindowError) { state.withLock { $0.failure = $0.failure ?? error } }

  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Frames that were shown, and how late they were.
  var result: (shown: Int, latency: Latency?) {
    state.withLock { ($0.shown, $0.latency.latency) }
  }

  /// Makes the window's thread look at what has changed.
  func wakeUp() {
    var event = SDL_Event()
    event.type = wake
    // With a full queue of events the thread is awake anyway.
    _ = SDL_PushEvent(&event)
  }
}
