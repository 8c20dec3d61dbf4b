package import Frames
import Synchronization

/// A thread that takes changes from outside while a recording runs, until its owner finishes or releases it.
package final class SteeringThread: Sendable {
  private let interruption = Interruption()
  private let thread: Mutex<WorkerThread?>

  /// Starts `body`, which ends soon after the interruption.
  package init(
    _ name: ThreadName, body: @escaping @Sendable (Interruption) -> Void
  ) throws(ThreadError) {
    let interruption = interruption
    thread = Mutex(try WorkerThread(name) { body(interruption) })
  }

  /// Ends the work, and waits until the thread has ended.
  package func finish() {
    interruption.interrupt()
    thread.withLock { $0.take() }?.join()
  }

  deinit { interruption.interrupt() }
}
