import CPosix
package import Frames
import Glibc
import Synchronization

/// Answers HTTP requests for a running recording: the page for people, and OSCQuery for programs.
///
/// It has a thread of its own, which ends with the server.
package final class WebServer: Sendable {
  private let interruption = Interruption()
  private let thread: Mutex<WorkerThread?>

  /// Starts to answer.
  ///
  /// - Parameters:
  ///   - socket: The port.
  ///   - access: Who is answered.
  ///   - recording: What the page shows and changes.
  ///   - notify: Called with what a person should know, on the server's thread.
  /// - Throws: If no thread can be started.
  package init(
    on socket: ListeningSocket, access: AccessRule, for recording: any PageRecording,
    notify: @escaping @Sendable (Notice) -> Void
  ) throws(ThreadError) {
    let interruption = interruption
    let wake = WakeFlag()
    recording.addWake { wake.raise() }
    thread = Mutex(
      try WorkerThread(.web) {
        let site = Site(
          recording, access: access, port: socket.port, notify: notify)
        guard let listener = socket.duplicate() else {
          site.fail("the system has no file descriptor left")
          return
        }
        HTTPLoop(site, wake: wake, interruption: interruption).run(listener: listener)
        site.finish()
      })
  }

  /// Closes all connections, and waits until the thread has ended.
  package func finish() {
    interruption.interrupt()
    thread.withLock { $0.take() }?.join()
  }

  deinit { interruption.interrupt() }
}
