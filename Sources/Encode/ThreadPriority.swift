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
    guard let folder = opendir("/proc/self/task") else { return [0] }
    defer { closedir(folder) }
    var numbers: [pid_t] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if let number = pid_t(name) { numbers.append(number) }
    }
    return numbers
  }
}
