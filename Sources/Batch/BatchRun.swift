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
  // One sentence instead of one for each input.
  if request.recording.requiresGPU { try gpu.open(for: request.recording) }
  let files = try EffectFiles(request)
  let task = try request.task?.begin(inFolder: request.outputFolder)
  var plan = try BatchPlan(request, effectFiles: files, dealt: task?.items)
  if isTrial {
    let results = try Journal.results(inFolder: request.outputFolder)
    plan.compare(with: results)
    events(.planned(plan))
    return BatchResult(kept: plan.items.count - plan.pending)
  }
  try makeFolders(request.outputFolder)
  let journal = try task?.journal ?? Journal(folder: request.outputFolder)
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
  /// Indexes of the items that are to be made.
  private let pending: [Int]
  /// Raised when nothing is left to begin.
  private let changed = Interruption()
  private let control: BatchControl
  private let events: @Sendable (BatchEvent) -> Void
  private let state: Mutex<State>

  private struct State {
    /// Index of the next item in `pending`.
    var next = 0
    /// Threads that make outputs, and how many of them may go on.
    var running = 0
    var allowed = 1
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
    let events: @Sendable (BatchEvent) -> Void = { event in lock.withLock { _ in events(event) } }
    self.events = events
    let chunks = request.chunks.map { length in
      ChunkedOutput(
        request: request, length: length,
        store: ChunkStore(
          workFolder: journal.workFolder, journal: journal, plan: plan, redoesAll: request.redoesAll
        ),
        board: ChunkBoard(), gpu: gpu, control: control, events: events)
    }
    maker = OutputMaker(
      request: request, journal: journal, gpu: gpu, events: events, chunks: chunks)
    self.plan = plan
    pending = plan.items.indices.filter { plan.items[$0].reason != nil }
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
    ChunkStore.clean(maker.workFolder, keeping: maker.chunks?.store)
    defer { ChunkStore.clean(maker.workFolder, keeping: maker.chunks?.store) }
    try startAndWait()
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

  /// Starts as many recordings at the same time as the limit allows, and waits for all.
  private func startAndWait() throws {
    var use = MachineUse()
    var limit = JobLimit(
      fixed: request.jobs, processors: use.processors, memoryLimit: MachineUse.memoryLimit)
    var threads: [Holder] = []
    while true {
      let (running, isLate) = state.withLock { state in
        state.allowed = limit.jobs
        return (state.running, isOver(state))
      }
      if isLate, !threads.isEmpty || maker.chunks == nil { break }
      for _ in running..<max(running, limit.jobs) {
        state.withLock { $0.running += 1 }
        do {
          threads.append(
            Holder(try WorkerThread(.batch, place: threads.count) { self.work() }))
        } catch {
          state.withLock { $0.running -= 1 }
          // Fewer threads make the batch slower, not wrong.
          guard !threads.isEmpty else { throw error }
          break
        }
      }
      if !limit.measures, state.withLock({ $0.running }) >= limit.jobs { break }
      changed.wait(milliseconds: 1000)
      limit.measure(
        JobLimit.Use(
          busy: use.takeBusy(), memory: MachineUse.memory,
          running: state.withLock { $0.running }))
    }
  }

  private final class Holder {
    let thread: WorkerThread
    init(_ thread: consuming WorkerThread) { self.thread = thread }
  }

  /// Makes outputs until none is left, or until fewer recordings may run.
  private func work() {
    defer {
      let isLast = state.withLock { state in
        state.running -= 1
        return isOver(state)
      }
      if isLast { changed.interrupt() }
    }
    maker.chunks?.board.enter()
    makeOutputs()
    maker.chunks?.board.help()
  }

  private func makeOutputs() {
    while let place = takeNext() {
      let item = plan.items[place]
      for attempt in 0...request.retries {
        guard let recording = control.begin(place) else { return }
        defer { control.end(place) }
        do {
          let made = try maker.make(item, place, recording)
          state.withLock { $0.result.made += 1 }
          events(.done(item, made))
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
      guard state.running <= state.allowed, hasNext(state) else { return nil }
      defer { state.next += 1 }
      return pending[state.next]
    }
  }

  /// Whether no more threads are of use; those that run may go on.
  private func isOver(_ state: borrowing State) -> Bool {
    // Chunks wait for threads after the last input was begun.
    maker.chunks == nil ? !hasNext(state) : state.running == 0 && !hasNext(state)
  }

  /// Whether another output is to be made.
  private func hasNext(_ state: borrowing State) -> Bool {
    guard !control.isEnding, state.fatal == nil, state.next < pending.count else { return false }
    return !request.stopsAtFailure || state.failures.isEmpty
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
