import Frames
import Synchronization

/// The way to end a recording early from any thread: what is under way is finished, and the file is
/// whole.
package final class RecordingControl: Sendable {
  private let state = Mutex<State>(State())

  private struct State: Sendable {
    var isStopped = false
    var isPaused = false
    var interruptions: [Interruption] = []
  }

  package init() {}

  /// Takes no more frames from the source.
  package func stop() {
    let interruptions = state.withLock { state in
      state.isStopped = true
      return state.interruptions
    }
    for interruption in interruptions { interruption.interrupt() }
  }

  /// Pauses, or goes on after a pause; what a live source gives meanwhile is let go, and any other
  /// waits.
  ///
  /// - Returns: Whether it is a pause now.
  @discardableResult
  package func togglePause() -> Bool {
    state.withLock { state in
      state.isPaused.toggle()
      return state.isPaused
    }
  }

  /// A pause is on, and no stop has ended it.
  var isPaused: Bool { state.withLock { $0.isPaused && !$0.isStopped } }

  /// Stop was called.
  package var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Names what interrupts something that reads; one that comes after the stop is interrupted at once.
  func attach(_ interruption: Interruption) {
    let stopped = state.withLock { state in
      state.interruptions.append(interruption)
      return state.isStopped
    }
    if stopped { interruption.interrupt() }
  }
}
