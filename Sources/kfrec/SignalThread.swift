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
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    @Sendable func end(_ exitCode: Int32) -> Never {
      onAbort()
      StandardStream.flush(patience: 0.2)
      // Skips the exit handlers, because other threads still use the libraries.
      _exit(exitCode)
    }
    try WorkerThread(name: "signals") { [signals] in
      var (signals, signal) = (signals, Int32(0))
      var (hasStopped, interrupts) = (false, 0)
      var interrupted: MonotonicTime?
      while true {
        guard sigwait(&signals, &signal) == 0 else { continue }
        switch signal {
        case SIGUSR2:
          onPause()
          continue
        case SIGUSR1:
          onFinish?()
          continue
        default: break
        }
        if let code = noted { end(code) }
        if signal == SIGINT {
          let passed = interrupted.map { MonotonicTime.now.seconds(since: $0) }
          if let passed, passed < repeated { continue }
          interrupts += 1
        }
        if interrupts > 1 { end(ExitCode.interrupted.rawValue) }
        guard !hasStopped || signal == SIGINT else { continue }
        hasStopped = true
        onFirst("press Ctrl-C \(interrupts > 0 ? "again" : "twice") to abort")
        if interrupts > 0 { interrupted = .now }
      }
    }.detach()
  }

  /// Seconds after the first SIGINT in which another one is the same: nobody presses Ctrl-C twice so fast.
  private static let repeated = 0.1

  /// The exit code of a program that has nothing left to do but to write messages; -1 before.
  private static let end = Atomic<Int32>(-1)

  /// Makes every later signal end the program with this exit code.
  static func noteEnd(_ exitCode: ExitCode) { end.store(exitCode.rawValue, ordering: .releasing) }

  /// The exit code of `noteEnd`; nil before.
  private static var noted: Int32? {
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
