public import Frames
public import GPU
import Glibc
import Synchronization

/// Runs work that cannot be interrupted, such as the GPU driver's compiler, on its own thread.
///
/// So a recording that is stopped does not have to wait for it. Abandoned work continues until it
/// ends by itself or with the program, and keeps the objects that it uses.
public struct DriverWork: Sendable {
  /// Seconds of a processor that compiling one kernel may take; nil for no limit.
  ///
  /// A driver that waits, and does not compute, has `waitFactor` times as long.
  public var limit: Rational?
  /// Returns whether the work should stop; may be called from any thread.
  public var isStopped: @Sendable () -> Bool

  /// Milliseconds between two checks of the clock.
  private static let interval: Int32 = 50
  /// How much longer than its processor time a kernel may take: the machine may have other work.
  private static let waitFactor = 4.0
  /// Seconds that stopped work may still take; most work ends sooner.
  private static let patience = 1.0

  public init(limit: Rational?, isStopped: @escaping @Sendable () -> Bool = { false }) {
    (self.limit, self.isStopped) = (limit, isStopped)
  }

  /// A moment on the clock, and on that of the processor time of the process: a driver may compile on threads of its own.
  private struct Moment {
    private let time = MonotonicTime.now
    private let processor = Self.processor

    private static var processor: Double {
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    func hasPassed(_ limit: Double) -> Bool {
      let elapsed = MonotonicTime.now.seconds(since: time)
      return elapsed > limit
        && (Self.processor - processor > limit || elapsed > limit * DriverWork.waitFactor)
    }
  }

  private static let abandoned = Atomic<Bool>(false)

  /// Whether any work was abandoned; the program must then end with `_exit`.
  ///
  /// Its thread may still be in the driver, or unload it, and the exit handlers of a driver that goes away
  /// meanwhile crash (measured). No thread can tell that it has released all that it used, so this
  /// never becomes false again.
  public static var wasAbandoned: Bool { abandoned.load(ordering: .acquiring) }

  /// Notes that work was abandoned, or a frame, which the GPU may never finish.
  static func noteAbandoned() { abandoned.store(true, ordering: .releasing) }

  /// Result of the work; its thread writes it, and the caller reads it after `done` was raised.
  private final class Outcome<Value>: @unchecked Sendable {
    // @unchecked: `state` is a mutex, and `result` is handed over once, after `done` was raised.
    enum State { case working, done, abandoned }
    let done = Interruption()
    let state = Mutex(State.working)
    var result: Result<Value, any Error>?
  }

  private struct Box<Value>: @unchecked Sendable {
    // @unchecked: handed over once; the caller waits, or releases all that the work uses.
    let work: () throws -> Value
  }

  /// Runs the work on a new thread and waits for it.
  ///
  /// The work must not use objects that the caller still uses after this function throws. `effects` are the names of those
  /// that are compiled; the device counts the finished kernels.
  ///
  /// - Throws: Errors of the work; `UnfinishedCompilation` if a kernel takes longer than the limit;
  ///   `StoppedWork` if the work was stopped and does not end soon.
  public func run<Value>(
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
        if wasAbandoned { outcome.result = nil } else { outcome.done.interrupt() }
      })
    var begin = Moment()
    var kernels = device?.kernelCount
    var stop: MonotonicTime?
    while !outcome.done.isInterrupted {
      outcome.done.wait(milliseconds: Self.interval)
      guard !outcome.done.isInterrupted else { break }
      let now = MonotonicTime.now
      if kernels != device?.kernelCount { (kernels, begin) = (device?.kernelCount, Moment()) }
      if isStopped(), stop == nil { stop = now }
      let error: (any Error)? =
        if let stop, now.seconds(since: stop) > Self.patience {
          StoppedWork(effects: effects)
        } else if let limit, begin.hasPassed(limit.doubleValue) {
          UnfinishedCompilation(effects: effects, limit: limit)
        } else {
          nil
        }
      guard let error else { continue }
      let isGivenUp = outcome.state.withLock { state in
        guard state == .working else { return false }
        state = .abandoned
        Self.noteAbandoned()
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

/// Joins its thread when it is released, unless the thread was detached.
private final class ThreadHolder {
  private var thread: WorkerThread?
  init(_ thread: consuming WorkerThread) { self.thread = consume thread }

  func detach() { thread.take()?.detach() }
}

/// Error: the driver's compiler did not finish an effect in time.
public struct UnfinishedCompilation: ExplainedError, Equatable {
  public let effects: [String]
  /// Time limit in seconds.
  public let limit: Rational

  public var description: String {
    """
    the compiler of the GPU's driver did not finish \(effectWords(effects)) within \
    \((limit.doubleValue * 1000).rounded() / 1000) s, and no frame was rendered with it; make the code \
    shorter, or allow more with --gpu-timeout
    """
  }
}

/// Error: the work was abandoned because the recording was stopped.
public struct StoppedWork: ExplainedError, Equatable {
  public let effects: [String]

  public var description: String { "stopped while \(effectWords(effects)) was compiled" }
}

private func effectWords(_ names: [String]) -> String {
  switch names.count {
  case 0: "the line without effects"
  case 1: "the effect \(names[0])"
  default: "one of the effects \(names.joined(separator: ", "))"
  }
}
