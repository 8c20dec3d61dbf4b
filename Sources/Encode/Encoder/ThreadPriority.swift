import Frames
import Glibc
import Synchronization

/// Prevents a library from raising threads of this process above all others on the machine.
enum ThreadPriority {
  /// Runs `body`, then restores the scheduling that this thread had before, for it and for all
  /// threads that `body` started.
  ///
  /// If root runs SVT-AV1, it puts the thread that opens it into SCHED_FIFO with priority 99. This
  /// thread and every thread and process that it starts then keep all others from running,
  /// including kfrec's own (measured with 1.4.1: a program that the same thread started later made
  /// no progress for minutes).
  ///
  /// One at a time: another one would set this thread back, and what this one starts would stay raised.
  static func kept<Result, Failure: Error>(
    while body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try alone.withLock { _ throws(Failure) in
      let policy = sched_getscheduler(0)
      var parameters = sched_param()
      sched_getparam(0, &parameters)
      defer { restore(policy, parameters) }
      return try body()
    }
  }

  private static let alone = Mutex(())

  private static func restore(_ policy: Int32, _ parameters: sched_param) {
    let raised = sched_getscheduler(0)
    guard raised != policy else { return }
    var parameters = parameters
    // A thread that is raised may start another one, and end, while the threads are listed.
    var emptyLists = 0
    for _ in 0..<100 where emptyLists < 2 {
      let others = threads.filter { sched_getscheduler($0) == raised }
      emptyLists = others.isEmpty ? emptyLists + 1 : 0
      for thread in others { sched_setscheduler(thread, policy, &parameters) }
    }
  }

  /// The ids of this process's threads.
  static var threads: [pid_t] {
    let numbers = names(in: "/proc/self/task").compactMap { pid_t($0) }
    return numbers.isEmpty ? [0] : numbers
  }
}
