import CPosix
import Glibc
import Synchronization

/// A flag that makes a source's waits end, from any thread, while it is being opened too.
///
/// What a thread did before it interrupts is seen by those who see the interruption.
package final class Interruption: Sendable {
  private let isSet = Atomic<Bool>(false)

  /// Becomes readable with the interruption, for those that wait by `poll`; -1 where the system has
  /// no descriptor left, and `poll` passes that over.
  package let descriptor = kf_open_flag()

  package init() {}

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Every read returns soon from now on.
  package func interrupt() {
    isSet.store(true, ordering: .releasing)
    kf_raise_flag(descriptor)
  }

  /// Waits for a time, or less where it is interrupted.
  package func wait(milliseconds: Int32) {
    var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&waited, 1, milliseconds)
  }

  package var isInterrupted: Bool { isSet.load(ordering: .acquiring) }
}
