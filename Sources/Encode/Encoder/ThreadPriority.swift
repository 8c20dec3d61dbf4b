import CPosix
import Glibc
import Synchronization

/// Prevents a library from raising threads of this process above all others on the machine.
enum ThreadPriority {
  /// Runs `body`, in which neither this thread nor those that it starts can be raised.
  ///
  /// If root runs SVT-AV1, it puts the thread that opens it into SCHED_FIFO with priority 99. This
  /// thread and every thread and process that it starts then keep all others from running,
  /// including kfrec's own (measured with 1.4.1: a program that the same thread started later made
  /// no progress for minutes). To set them back afterwards does not do: a thread that is just being started has the
  /// priority already, and is in no list yet. So the right to raise is taken away before: root's capability, which is this
  /// thread's alone, and the limit of the process. SVT-AV1 does not mind.
  static func kept<Result, Failure: Error>(
    while body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // One at a time: the limit is the process's.
    try alone.withLock { _ throws(Failure) in
      let isTaken = kf_set_raising(0) != 0
      var limit = rlimit()
      let kind = __rlimit_resource_t(__RLIMIT_RTPRIO.rawValue)
      getrlimit(kind, &limit)
      var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
      setrlimit(kind, &none)
      defer {
        setrlimit(kind, &limit)
        if isTaken { _ = kf_set_raising(1) }
      }
      return try body()
    }
  }

  private static let alone = Mutex(())
}
