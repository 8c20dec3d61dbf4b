import CPosix
import Glibc
import Synchronization

/// A flag that ends a source's waits, from any thread, also while the source is being opened.
///
/// A thread that sees the interruption also sees what the interrupting thread did before it.
public final class Interruption: Sendable {
  private let isSet = Atomic<Bool>(false)

  /// Becomes readable on interruption, for waits with `poll`; -1 if the system has no file descriptor
  /// left, which `poll` ignores.
  public let descriptor = kf_open_flag()

  public init() {}

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Makes every read return soon after this call.
  public func interrupt() {
    isSet.store(true, ordering: .releasing)
    kf_raise_flag(descriptor)
  }

  /// Waits for the given time, or until the interruption.
  public func wait(milliseconds: Int32) {
    var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&waited, 1, milliseconds)
  }

  public var isInterrupted: Bool { isSet.load(ordering: .acquiring) }
}
