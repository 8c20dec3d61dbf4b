import CPosix
import Frames
import Glibc

/// Waits for the signals that stop a recording: the first one makes a call, the second ends the
/// program at once.
///
/// SIGUSR2, which pauses and resumes, makes a call each time.
///
/// The signals are blocked and waited for, not handled, so that the calls are not limited to what a
/// signal handler may do. It must start before any other thread does: threads inherit the set of
/// blocked signals.
enum SignalThread {
  /// Starts the thread, which makes the calls and runs until the program ends.
  ///
  /// - Parameters:
  ///   - onFirst: Called for the first signal that stops.
  ///   - onPause: Called for SIGUSR2.
  ///   - onFinish: Called for SIGUSR1; nil leaves that signal as it is.
  ///   - onAbort: Called for the second signal that stops, before the program ends.
  /// - Throws: If no thread can be started.
  static func start(
    onFirst: @escaping @Sendable () -> Void, onPause: @escaping @Sendable () -> Void,
    onFinish: (@Sendable () -> Void)? = nil, onAbort: @escaping @Sendable () -> Void = {}
  ) throws(ThreadError) {
    var signals = signalsToWaitFor()
    if onFinish != nil { sigaddset(&signals, SIGUSR1) }
    let watch = Watch(
      signals: signals, onFirst: onFirst, onPause: onPause, onFinish: onFinish, onAbort: onAbort)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    var thread = pthread_t()
    let retained = Unmanaged.passRetained(watch)
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Watch>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, retained.toOpaque())
    guard code == 0 else {
      retained.release()
      throw ThreadError(code)
    }
    pthread_detach(thread)
  }

  /// A hang-up signal that the caller ignores (`nohup`) stays ignored.
  private static func signalsToWaitFor() -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGUSR2)
    var action = sigaction()
    sigaction(SIGHUP, nil, &action)
    if unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      != unsafeBitCast(SIG_IGN, to: Int.self)
    {
      sigaddset(&signals, SIGHUP)
    }
    return signals
  }
}

private final class Watch: Sendable {
  let signals: sigset_t
  let onFirst: @Sendable () -> Void
  let onPause: @Sendable () -> Void
  let onFinish: (@Sendable () -> Void)?
  let onAbort: @Sendable () -> Void

  init(
    signals: sigset_t, onFirst: @escaping @Sendable () -> Void,
    onPause: @escaping @Sendable () -> Void, onFinish: (@Sendable () -> Void)?,
    onAbort: @escaping @Sendable () -> Void
  ) {
    self.signals = signals
    self.onFirst = onFirst
    self.onPause = onPause
    self.onFinish = onFinish
    self.onAbort = onAbort
  }

  func run() {
    kf_name_this_thread("signals")
    var (signals, signal) = (signals, Int32(0))
    var hasStopped = false
    while true {
      guard sigwait(&signals, &signal) == 0 else { continue }
      if signal == SIGUSR2 {
        onPause()
      } else if signal == SIGUSR1 {
        onFinish?()
      } else if hasStopped {
        onAbort()
        // Skips the exit handlers, because other threads still use the libraries.
        _exit(ExitCode.interrupted.rawValue)
      } else {
        hasStopped = true
        onFirst()
      }
    }
  }
}
