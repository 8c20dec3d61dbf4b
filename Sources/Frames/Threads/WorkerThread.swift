import CPosix
import Glibc

/// A named thread for blocking work; its release joins it unless it was detached.
public struct WorkerThread: ~Copyable, Sendable {
  private let thread: pthread_t

  /// Starts `body` on a new thread; `name` (15 bytes at most) shows in `top -H` and in debuggers.
  public init(name: String, body: @escaping @Sendable () -> Void) throws(ThreadError) {
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
  public consuming func join() {}

  /// Lets the thread run on its own: nobody joins it, and the system frees its memory at its end.
  public consuming func detach() {
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
public struct ThreadError: ExplainedError {
  public let description: String

  /// Explains the error `code` of `pthread_create`; EAGAIN can also mean too little memory.
  public init(_ code: Int32) {
    let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    description =
      "the system gives kfrec no more threads (\(reason)): end other programs, "
      + "or raise the limits on processes and memory (ulimit -u, ulimit -v)"
  }
}

extension ThreadError {
  /// Starts 8 threads, as many as a library may need, and returns the error; nil if all can start.
  public static func shortage() -> ThreadError? {
    final class Holder {
      let thread: WorkerThread
      init(_ thread: consuming WorkerThread) { self.thread = thread }
    }
    let end = BoundedQueue<Int>(capacity: 1)
    var threads: [Holder] = []
    // The release of a thread waits for its end.
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
