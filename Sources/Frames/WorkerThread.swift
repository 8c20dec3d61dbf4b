import CPosix
import Glibc

/// A named thread for blocking work, joined before it is forgotten.
package struct WorkerThread: ~Copyable {
  private let thread: pthread_t

  /// Starts `body` on a new thread; `name` (15 bytes at most) shows in `top -H` and in debuggers.
  package init(name: String, body: @escaping @Sendable () -> Void) {
    let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let start = Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue()
        kf_name_this_thread(start.name)
        start.body()
        return nil
      }, start.toOpaque())
    // Fails only when the process has no memory or thread left, which nothing here can mend.
    precondition(result == 0, "pthread_create failed with error \(result)")
    self.thread = thread
  }

  deinit { pthread_join(thread, nil) }

  /// Waits until the body has returned.
  package consuming func join() {}
}

private final class ThreadStart: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }
}
