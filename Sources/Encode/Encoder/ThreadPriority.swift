import Frames
import Glibc

/// Keeps a library from raising threads of this process above all others of the machine.
enum ThreadPriority {
  /// Runs `body` and gives this thread, and all that `body` started, the scheduling back that this
  /// thread had before.
  ///
  /// SVT-AV1, run by root, puts the thread that opens it into SCHED_FIFO with priority 99, where it
  /// and every thread and process it starts keep all others from running, kfrec's own among them
  /// (measured with 1.4.1: a program started later by the same thread could not get on for minutes).
  static func kept<Result, Failure: Error>(
    while body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let policy = sched_getscheduler(0)
    var parameters = sched_param()
    sched_getparam(0, &parameters)
    defer { restore(policy, parameters) }
    return try body()
  }

  private static func restore(_ policy: Int32, _ parameters: sched_param) {
    let raised = sched_getscheduler(0)
    guard raised != policy else { return }
    var parameters = parameters
    for thread in threads where sched_getscheduler(thread) == raised {
      sched_setscheduler(thread, policy, &parameters)
    }
  }

  /// The numbers of this process's threads.
  static var threads: [pid_t] {
    let numbers = names(in: "/proc/self/task").compactMap { pid_t($0) }
    return numbers.isEmpty ? [0] : numbers
  }
}
