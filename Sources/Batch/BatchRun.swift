import Frames
import Glibc
import Recorder
import Synchronization

/// Makes the outputs of a batch that are not done yet.
///
/// - Parameters:
///   - request: What was asked for.
///   - isTrial: Whether only the plan is made.
///   - control: Stops the batch.
///   - events: Called with each event, one call at a time, on any thread.
/// - Returns: How the batch ended.
/// - Throws: An error with a message for the user, before anything is made.
package func runBatch(
  _ request: BatchRequest, isTrial: Bool = false, control: BatchControl = BatchControl(),
  events: @escaping @Sendable (BatchEvent) -> Void
) throws -> BatchResult {
  let gpu = SharedGPU()
  let files = try effectFiles(of: request.recording)
  var plan = try BatchPlan(request, effectFiles: files)
  if isTrial {
    let results = try Journal.results(inFolder: request.outputFolder)
    plan.compare(with: results)
    events(.planned(plan))
    return BatchResult(kept: plan.items.count - plan.pending)
  }
  try makeFolders(request.outputFolder)
  let journal = try Journal(folder: request.outputFolder)
  plan.compare(with: journal.results)
  return try BatchRun(plan, request, journal, gpu, control, events).run()
}

/// One run of a batch on an output folder that it has to itself.
private final class BatchRun: Sendable {
  private let request: BatchRequest
  private let journal: Journal
  private let gpu: SharedGPU
  private let maker: OutputMaker
  private let plan: BatchPlan
  private let control: BatchControl
  private let events: @Sendable (BatchEvent) -> Void
  private let state: Mutex<State>

  private struct State {
    /// Index of the next item.
    var next = 0
    var result = BatchResult()
    /// Reasons by the items' indexes.
    var failures: [Int: String] = [:]
    /// A failure that concerns all items, such as a journal that cannot be written.
    var fatal: (any Error)?
  }

  init(
    _ plan: BatchPlan, _ request: BatchRequest, _ journal: Journal, _ gpu: SharedGPU,
    _ control: BatchControl, _ events: @escaping @Sendable (BatchEvent) -> Void
  ) {
    let lock = Mutex(())
    (self.request, self.journal, self.gpu, self.control) = (request, journal, gpu, control)
    self.events = { event in lock.withLock { _ in events(event) } }
    maker = OutputMaker(request: request, journal: journal, gpu: gpu, events: self.events)
    self.plan = plan
    state = Mutex(State())
  }

  func run() throws -> BatchResult {
    if journal.damagedLines > 0 {
      events(
        .notice(
          nil,
          "\(journal.damagedLines) lines of the journal in \(request.outputFolder) are damaged; their "
            + "outputs are made again"))
    }
    events(.planned(plan))
    removeTree(maker.workFolder)
    defer { removeTree(maker.workFolder) }
    let wanted = max(1, min(request.jobs ?? BatchRun.usualJobs, plan.pending))
    var threads: [Holder] = []
    for place in 1..<wanted {
      // Fewer threads make the batch slower, not wrong.
      guard let thread = try? WorkerThread(.batch, place: place, body: { self.work() }) else {
        break
      }
      threads.append(Holder(thread))
    }
    work()
    threads = []
    return try state.withLock { state in
      if let fatal = state.fatal { throw fatal }
      state.result.kept = plan.items.count - plan.pending
      state.result.failures = state.failures.keys.sorted().map {
        (plan.items[$0], state.failures[$0] ?? "")
      }
      state.result.isIncomplete =
        state.result.made + state.result.failures.count < plan.pending
      return state.result
    }
  }

  /// Recordings at the same time, if no number is given: the decoder and the encoder of one recording keep
  /// about four cores busy.
  private static var usualJobs: Int { max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)) / 4) }

  private final class Holder {
    let thread: WorkerThread
    init(_ thread: consuming WorkerThread) { self.thread = thread }
  }

  /// Makes outputs until none is left.
  private func work() {
    while let place = takeNext() {
      let item = plan.items[place]
      for attempt in 0...request.retries {
        guard let recording = control.begin(place) else { return }
        defer { control.end(place) }
        do {
          let frames = try maker.make(item, place, recording)
          state.withLock { $0.result.made += 1 }
          events(.done(item, frames: frames))
          break
        } catch {
          guard !control.isStopped else { return }
          // It may have left the GPU busy.
          gpu.forget()
          if let error = error as? BatchError, error.endsBatch {
            return state.withLock { $0.fatal = $0.fatal ?? error }
          }
          guard attempt == request.retries else { continue }
          fail(item, place, error)
        }
      }
    }
  }

  private func takeNext() -> Int? {
    state.withLock { state in
      guard !control.isStopped, state.fatal == nil else { return nil }
      if request.stopsAtFailure, !state.failures.isEmpty { return nil }
      while state.next < plan.items.count {
        defer { state.next += 1 }
        if plan.items[state.next].reason != nil { return state.next }
      }
      return nil
    }
  }

  private func fail(_ item: BatchPlan.Item, _ place: Int, _ error: any Error) {
    state.withLock { $0.failures[place] = "\(error)" }
    do {
      try journal.append(
        Journal.Entry(
          event: .failed, time: Journal.now, output: item.output,
          fingerprint: item.fingerprint, error: "\(error)"))
    } catch {
      state.withLock { $0.fatal = $0.fatal ?? error }
    }
    events(.failed(item, "\(error)"))
  }
}

/// The files that the effects of a recording read; compiling them finds their mistakes before anything runs.
private func effectFiles(of recording: Recording) throws -> [String] {
  guard !recording.effects.isEmpty else { return [] }
  return try filesOfEffects(recording)
}
