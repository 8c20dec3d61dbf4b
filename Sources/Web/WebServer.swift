import CPosix
package import Control
package import Frames
import Glibc

extension SteeringThread {
  /// Starts to answer HTTP requests for a running recording: the page for people, and OSCQuery for programs.
  ///
  /// `notify` is called with what a person should know, on the thread.
  package convenience init(
    on socket: ListeningSocket, access: AccessRule, for recording: any PageRecording,
    notify: @escaping @Sendable (Notice) -> Void
  ) throws(ThreadError) {
    let wake = WakeFlag()
    recording.addWake { wake.raise() }
    try self.init(.web) { interruption in
      let site = Site(recording, access: access, port: socket.port, notify: notify)
      guard let listener = socket.duplicate() else {
        return site.fail("the system has no file descriptor left")
      }
      HTTPLoop(site, wake: wake, interruption: interruption).run(listener: listener)
      site.finish()
    }
  }
}
