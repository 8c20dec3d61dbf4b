import CPosix
import Frames
import Glibc
import Synchronization

/// Waits for the signals that stop a recording: the first SIGINT, SIGTERM or SIGHUP makes a call, and a second
/// SIGINT ends the program at once.
///
/// The others end it never, however often they come: a terminal that is closed sends SIGHUP from the kernel and
/// from the shell, and whoever stops a service may send SIGTERM before. A SIGINT right behind the first is the same one:
/// `timeout -s INT` sends it to the program and to its group. SIGUSR2, which pauses and resumes, makes a
/// call each time.
///
/// The signals are blocked and waited for, not handled, so that the calls are not limited to what a
/// signal handler may do. It must start before any other thread does: threads inherit the set of
/// blocked signals.
enum SignalThread {
  /// Starts the thread, which makes the calls and runs until the program ends.
  ///
  /// `onFirst` is called for the first signal that stops, and for the first SIGINT after others, with how to abort; `onPause`
  /// for SIGUSR2; `onFinish` for SIGUSR1, which stays as it is without it; `onAbort` before a second SIGINT ends the program.
  static func start(
    onFirst: @escaping @Sendable (String) -> Void, onPause: @escaping @Sendable () -> Void,
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

  /// The exit code of a program that has nothing left to do but to write messages; -1 before.
  private static let end = Atomic<Int32>(-1)

  /// Makes every later signal end the program with this exit code.
  static func noteEnd(_ exitCode: ExitCode) { end.store(exitCode.rawValue, ordering: .releasing) }

  /// The exit code of `noteEnd`; nil before.
  fileprivate static var noted: Int32? {
    let code = end.load(ordering: .acquiring)
    return code < 0 ? nil : code
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
  /// Seconds after the first SIGINT in which another one is the same: nobody presses Ctrl-C twice so fast.
  private static let repeated = 0.1

  let signals: sigset_t
  let onFirst: @Sendable (String) -> Void
  let onPause: @Sendable () -> Void
  let onFinish: (@Sendable () -> Void)?
  let onAbort: @Sendable () -> Void

  init(
    signals: sigset_t, onFirst: @escaping @Sendable (String) -> Void,
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
    var (hasStopped, interrupts) = (false, 0)
    var interrupted: MonotonicTime?
    while true {
      guard sigwait(&signals, &signal) == 0 else { continue }
      if signal == SIGUSR2 {
        onPause()
        continue
      }
      if signal == SIGUSR1 {
        onFinish?()
        continue
      }
      if let code = SignalThread.noted {
        onAbort()
        StandardStream.flush(patience: 0.2)
        _exit(code)
      }
      if signal == SIGINT {
        let passed = interrupted.map { MonotonicTime.now.seconds(since: $0) }
        if let passed, passed < Self.repeated { continue }
        interrupts += 1
      }
      if interrupts > 1 {
        onAbort()
        StandardStream.flush(patience: 0.2)
        // Skips the exit handlers, because other threads still use the libraries.
        _exit(ExitCode.interrupted.rawValue)
      }
      guard !hasStopped || signal == SIGINT else { continue }
      hasStopped = true
      onFirst("press Ctrl-C \(interrupts > 0 ? "again" : "twice") to abort")
      if interrupts > 0 { interrupted = .now }
    }
  }
}
