package import Frames
package import GPU
import Glibc
import Synchronization

/// Work that nothing can interrupt, such as that of the compiler in the GPU's driver: it runs on a
/// thread of its own, so that a recording that is stopped does not have to wait for it.
///
/// Work that is given up goes on until it ends by itself or with the program, and keeps what it uses.
package struct DriverWork: Sendable {
  /// How long one kernel may take to compile, in seconds; nil for as long as it takes.
  package var limit: Rational?
  /// Whether somebody wants the end; from any thread.
  package var isStopped: @Sendable () -> Bool

  /// Milliseconds from one look at the clock to the next.
  private static let interval: Int32 = 50
  /// How long it may still take once it is stopped, in seconds: most does not take that long.
  private static let patience = 1.0

  package init(limit: Rational?, isStopped: @escaping @Sendable () -> Bool = { false }) {
    (self.limit, self.isStopped) = (limit, isStopped)
  }

  private static let abandoned = Atomic<Int>(0)

  /// Work that was given up is still going on, in libraries that must not be torn down under it: the
  /// program is then to end by `_exit`.
  package static var isUnderWay: Bool { abandoned.load(ordering: .relaxed) > 0 }

  /// A frame was given up that the GPU may work on for ever.
  static func leaveFrame() { abandoned.add(1, ordering: .relaxed) }

  /// What a thread of its own has made; written by that thread, and read after `done` was raised.
  private final class Outcome<Value>: @unchecked Sendable {
    // @unchecked: `state` has a lock, and `result` is handed over once, behind `done`.
    enum State { case working, done, abandoned }
    let done = Interruption()
    let state = Mutex(State.working)
    var result: Result<Value, any Error>?
  }

  private struct Box<Value>: @unchecked Sendable {
    // @unchecked: handed over once; the caller waits, or lets go of all that the work uses.
    let work: () throws -> Value
  }

  /// Does the work.
  ///
  /// - Parameters:
  ///   - effects: The names of those that are compiled.
  ///   - device: The one that compiles, which tells of each kernel that is done; nil for none.
  ///   - work: Must not use what its caller goes on to use after this threw.
  /// - Returns: What the work gives.
  /// - Throws: What the work throws; `UnfinishedCompilation` where a kernel takes longer than the limit,
  ///   `StoppedWork` where it was stopped and does not end soon.
  package func run<Value>(
    effects: [String], device: Device?, _ work: @escaping () throws -> Value
  ) throws -> Value {
    let outcome = Outcome<Value>()
    let box = Box(work: work)
    let thread = ThreadHolder(
      try WorkerThread(.compile) {
        outcome.result = Result { try box.work() }
        let wasAbandoned = outcome.state.withLock { state in
          defer { state = .done }
          return state == .abandoned
        }
        guard !wasAbandoned else {
          outcome.result = nil
          Self.abandoned.subtract(1, ordering: .relaxed)
          return
        }
        outcome.done.interrupt()
      })
    var begin = MonotonicTime.now
    var kernels = device?.kernelCount
    var stop: MonotonicTime?
    while !outcome.done.isInterrupted {
      outcome.done.wait(milliseconds: Self.interval)
      guard !outcome.done.isInterrupted else { break }
      let now = MonotonicTime.now
      if kernels != device?.kernelCount { (kernels, begin) = (device?.kernelCount, now) }
      if isStopped(), stop == nil { stop = now }
      let error: (any Error)? =
        if let stop, now.seconds(since: stop) > Self.patience {
          StoppedWork(effects: effects)
        } else if let limit, now.seconds(since: begin) > limit.doubleValue {
          UnfinishedCompilation(effects: effects, limit: limit)
        } else {
          nil
        }
      guard let error else { continue }
      let isGivenUp = outcome.state.withLock { state in
        guard state == .working else { return false }
        state = .abandoned
        Self.abandoned.add(1, ordering: .relaxed)
        return true
      }
      guard isGivenUp else { continue }
      thread.detach()
      throw error
    }
    guard let result = outcome.result else {
      preconditionFailure("work that is done has a result")
    }
    return try result.get()
  }
}

/// Joins its thread when it is let go, unless that was detached.
private final class ThreadHolder {
  private var thread: WorkerThread?
  init(_ thread: consuming WorkerThread) { self.thread = consume thread }

  func detach() { thread.take()?.detach() }
}

/// An effect that the driver's compiler is not done with in time.
package struct UnfinishedCompilation: ExplainedError, Equatable {
  package let effects: [String]
  /// In seconds.
  package let limit: Rational

  package var isUsageError: Bool { false }

  package var description: String {
    """
    the compiler of the GPU's driver did not finish \(effectWords(effects)) within \
    \((limit.doubleValue * 1000).rounded() / 1000) s, and no frame was rendered with it; make the code \
    shorter, or allow more with --gpu-timeout
    """
  }
}

/// Work that was given up because somebody stopped the recording.
package struct StoppedWork: ExplainedError, Equatable {
  package let effects: [String]

  package var isUsageError: Bool { false }

  package var description: String { "stopped while \(effectWords(effects)) was compiled" }
}

private func effectWords(_ names: [String]) -> String {
  switch names.count {
  case 0: "the line without effects"
  case 1: "the effect \(names[0])"
  default: "one of the effects \(names.joined(separator: ", "))"
  }
}
