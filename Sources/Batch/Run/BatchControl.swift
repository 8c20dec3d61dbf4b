import Frames
import Recorder
import Synchronization

/// Stops a batch from any thread; the running recordings end, and their outputs are made again next time.
package final class BatchControl: Sendable {
  private struct State {
    var isStopped = false
    var isFinishing = false
    var running: [Int: RecordingControl] = [:]
  }

  private let state = Mutex(State())
  /// Ends waits when the batch is stopped or finishes.
  let interruption = Interruption()

  package init() {}

  package var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Whether nothing more is begun, because of `stop` or `finish`.
  package var isEnding: Bool { state.withLock { $0.isStopped || $0.isFinishing } }

  /// Lets the running recordings end as they would, and begins no other.
  package func finish() {
    state.withLock { $0.isFinishing = true }
    interruption.interrupt()
  }

  package func stop() {
    let running = state.withLock { state in
      state.isStopped = true
      return state.running.values.map(\.self)
    }
    interruption.interrupt()
    for control in running { control.stop() }
  }

  /// Returns the control of a recording that begins; nil if the batch was stopped.
  func begin(_ item: Int) -> RecordingControl? {
    state.withLock { state in
      guard !state.isStopped else { return nil }
      let control = RecordingControl()
      state.running[item] = control
      return control
    }
  }

  var runningCount: Int { state.withLock { $0.running.count } }

  func end(_ item: Int) { state.withLock { $0.running[item] = nil } }
}
