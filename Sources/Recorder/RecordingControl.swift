package import Frames
import Synchronization

/// Ends a recording early from any thread; frames in progress are finished, and the file is complete.
package final class RecordingControl: Sendable {
  private let state = Mutex<State>(State())

  private struct State: Sendable {
    var isStopped = false
    var isPaused = false
    var interruptions: [Interruption] = []
  }

  package init() {}

  /// Stops reading frames from the source.
  package func stop() {
    let interruptions = state.withLock { state in
      state.isStopped = true
      return state.interruptions
    }
    for interruption in interruptions { interruption.interrupt() }
  }

  /// Pauses or resumes the recording; returns whether it is paused then.
  ///
  /// During a pause, frames of a live source are discarded, and any other source waits.
  @discardableResult
  package func togglePause() -> Bool {
    state.withLock { state in
      state.isPaused.toggle()
      return state.isPaused
    }
  }

  /// Whether the recording is paused and was not stopped.
  var isPaused: Bool { state.withLock { $0.isPaused && !$0.isStopped } }

  /// Whether `stop` was called.
  package var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Registers an interruption for something that reads; after a stop, it is interrupted at once.
  package func attach(_ interruption: Interruption) {
    let stopped = state.withLock { state in
      state.interruptions.append(interruption)
      return state.isStopped
    }
    if stopped { interruption.interrupt() }
  }
}
