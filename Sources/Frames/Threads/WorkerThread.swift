import CPosix
import Glibc

/// A named thread for blocking work, joined before it is forgotten unless it was detached.
package struct WorkerThread: ~Copyable {
  private let thread: pthread_t

  /// Starts `body` on a new thread; `name` (15 bytes at most) shows in `top -H` and in debuggers.
  ///
  /// - Throws: Where the process may have no more threads, or no memory for one.
  package init(name: String, body: @escaping @Sendable () -> Void) throws(ThreadError) {
    let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let start = Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue()
        kf_name_this_thread(start.name)
        start.body()
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw ThreadError(code)
    }
    self.thread = thread
  }

  deinit { pthread_join(thread, nil) }

  /// Waits until the body has returned.
  package consuming func join() {}

  /// Lets it go on by itself: nobody waits for its end, at which the system has its memory back.
  package consuming func detach() {
    pthread_detach(thread)
    discard self
  }
}

private final class ThreadStart: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }
}

/// A thread that could not be started.
package struct ThreadError: ExplainedError {
  package let description: String

  /// `code` is what `pthread_create` returned: EAGAIN for want of memory too.
  package init(_ code: Int32) {
    let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    description =
      "the system gives kfrec no more threads (\(reason)): end other programs, "
      + "or raise the limits on processes and memory (ulimit -u, ulimit -v)"
  }
}

extension ThreadError {
  /// The error of starting as many threads as a library may want; nil where they are to be had now.
  package static func shortage() -> ThreadError? {
    final class Holder {
      let thread: WorkerThread
      init(_ thread: consuming WorkerThread) { self.thread = thread }
    }
    let end = BoundedQueue<Int>(capacity: 1)
    var threads: [Holder] = []
    // Letting go of a thread waits for its end.
    defer { withExtendedLifetime(threads) { end.close() } }
    do throws(ThreadError) {
      for _ in 0..<8 {
        threads.append(Holder(try WorkerThread(name: "kfrec-probe") { _ = end.receive() }))
      }
      return nil
    } catch {
      return error
    }
  }
}
