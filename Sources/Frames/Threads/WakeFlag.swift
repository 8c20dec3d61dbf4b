import CPosix
import Glibc

/// Wakes a thread that waits, from any thread.
///
/// Its descriptor becomes readable when the flag is raised, so the thread can wait for other files too.
package final class WakeFlag: Sendable {
  /// For `poll`; -1 if the system has no descriptor left, and then nothing wakes the thread.
  package let descriptor = kf_open_flag()

  package init() {}

  deinit { if descriptor >= 0 { close(descriptor) } }

  package func raise() { kf_raise_flag(descriptor) }

  /// Lets the flag be raised again.
  package func lower() { kf_lower_flag(descriptor) }

  /// Waits until the flag is raised, but not longer than this, and lowers it.
  package func wait(milliseconds: Int32) {
    var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if poll(&waited, 1, milliseconds) > 0 { lower() }
  }
}
