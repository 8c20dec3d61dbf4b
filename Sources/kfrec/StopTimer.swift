import Frames
import Glibc
import Synchronization

/// Makes a call at the time of `--stop-at`, on a thread of its own; its release ends the thread.
final class StopTimer: Sendable {
  private final class State: Sendable {
    let interruption = Interruption()
    let hasFired = Atomic<Bool>(false)
  }

  private let state: State
  private let thread: Mutex<WorkerThread?>

  /// - Parameters:
  ///   - time: When the call is made.
  ///   - action: The call.
  /// - Throws: If no thread can be started.
  init(_ time: StopTime, action: @escaping @Sendable () -> Void) throws(ThreadError) {
    let (state, start) = (State(), MonotonicTime.now)
    let moment = time.moment(after: Int(Glibc.time(nil)))
    thread = Mutex(
      try WorkerThread(.stop) {
        while !state.interruption.isInterrupted {
          // A span does not follow a clock that is set, and a time of day does.
          let left =
            switch time {
            case .after(let span): span.doubleValue - MonotonicTime.now.seconds(since: start)
            case .clock: Double(moment - Int(Glibc.time(nil)))
            }
          if left <= 0 {
            state.hasFired.store(true, ordering: .releasing)
            return action()
          }
          state.interruption.wait(milliseconds: Int32(min(left, 1) * 1000) + 1)
        }
      })
    self.state = state
  }

  deinit { cancel() }

  /// Whether the time has come before `cancel`.
  var hasFired: Bool { state.hasFired.load(ordering: .acquiring) }

  /// Makes the call never happen, unless it has already begun.
  func cancel() { state.interruption.interrupt() }
}
