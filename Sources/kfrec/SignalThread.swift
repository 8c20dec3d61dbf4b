import CPosix
import Frames
import Glibc

/// Waits for the signals that ask a recording to stop: the first one is passed on, the second ends
/// the program at once.
///
/// SIGUSR2, which pauses and goes on, is passed on each time.
///
/// The signals are blocked and waited for rather than handled, so that what is done about them is
/// not limited to what a signal handler may do. It must start before any other thread does: threads
/// inherit the set of blocked signals.
enum SignalThread {
  /// Starts the thread, which lives until the program ends and makes the calls.
  ///
  /// - Throws: Where there is no thread to be had.
  static func start(
    onFirst: @escaping @Sendable () -> Void, onPause: @escaping @Sendable () -> Void
  ) throws(ThreadError) {
    let watch = Watch(signals: signalsToWaitFor(), onFirst: onFirst, onPause: onPause)
    var signals = watch.signals
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

  /// A hang-up that the caller had ignored (`nohup`) stays ignored.
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

  init(
    signals: sigset_t, onFirst: @escaping @Sendable () -> Void,
    onPause: @escaping @Sendable () -> Void
  ) {
    self.signals = signals
    self.onFirst = onFirst
    self.onPause = onPause
  }

  func run() {
    kf_name_this_thread("signals")
    var (signals, signal) = (signals, Int32(0))
    var hasStopped = false
    while true {
      guard sigwait(&signals, &signal) == 0 else { continue }
      if signal == SIGUSR2 {
        onPause()
      } else if hasStopped {
        // Without running the exit handlers: other threads are still at work in the libraries.
        _exit(ExitCode.interrupted.rawValue)
      } else {
        hasStopped = true
        onFirst()
      }
    }
  }
}
