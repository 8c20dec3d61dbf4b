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

  package init() {}

  package var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Whether nothing more is begun, because of `stop` or `finish`.
  package var isEnding: Bool { state.withLock { $0.isStopped || $0.isFinishing } }

  /// Lets the running recordings end as they would, and begins no other.
  package func finish() { state.withLock { $0.isFinishing = true } }

  package func stop() {
    let running = state.withLock { state in
      state.isStopped = true
      return state.running.values.map(\.self)
    }
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

  func end(_ item: Int) { state.withLock { $0.running[item] = nil } }
}
