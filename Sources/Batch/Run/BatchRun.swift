import Frames
import Glibc
import Recorder
import Synchronization

/// Makes the outputs of a batch that are not done yet; a trial only plans them.
///
/// The events come one call at a time, on any thread.
///
/// - Throws: An error with a message for the user, before anything is made.
package func runBatch(
  _ request: BatchRequest, isTrial: Bool = false, control: BatchControl = BatchControl(),
  events: @escaping @Sendable (BatchEvent) -> Void
) throws -> BatchResult {
  let gpu = SharedGPU()
  // One sentence instead of one for each input.
  if request.recording.requiresGPU { try gpu.open(for: request.recording) }
  let task = try request.task?.begin(inFolder: request.outputFolder)
  var request = request
  for (place, item) in (task?.items ?? []).enumerated() {
    guard let line = item.line else { continue }
    request.listed[place] = ListedInput(
      line: "the plan, for \(item.input)", settings: try request.readLine(line))
  }
  let files = try EffectFiles(request)
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
  private let control: BatchControl
  private let events: @Sendable (BatchEvent) -> Void
  private let queue: BatchQueue
  /// Inputs that arrive while the batch runs; nil if no folder is watched.
  private let watch: WatchQueue?
  /// Raised when no more threads are of use.
  private let ended = Interruption()
  private let threads = Mutex(Threads())

  private struct Threads {
    /// Threads that make outputs, and how many of them may go on.
    var running = 0
    var allowed = 1
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
          journal: journal, plan: plan,
          redoesAll: request.redoesAll),
        board: ChunkBoard(), gpu: gpu, control: control, events: events)
    }
    maker = OutputMaker(
      request: request, plan: plan, journal: journal, gpu: gpu, events: events, chunks: chunks,
      isSingleThreaded: BatchRun.isSingleThreaded(plan, request))
    self.plan = plan
    watch =
      request.watched.isEmpty
      ? nil : WatchQueue(plan, results: journal.results, outputFolder: request.outputFolder)
    queue = BatchQueue(
      plan, watch: watch, stopsAtFailure: request.stopsAtFailure, control: control, events: events)
  }

  /// Whether there are so many inputs that recordings side by side keep the processors busy to the end.
  ///
  /// Threads of one decoder wait for each other. Encoders whose result depends on the number of their threads keep that number.
  private static func isSingleThreaded(_ plan: BatchPlan, _ request: BatchRequest) -> Bool {
    request.jobs != 1 && request.task == nil && request.watched.isEmpty
      && plan.items.count >= 8 * MachineUse().processors
  }

  func run() throws -> BatchResult {
    if journal.damagedLines > 0 {
      events(
        .notice(
          nil,
          "\(journal.damagedLines) lines of the journal in \(request.outputFolder) are damaged; their "
            + "outputs are made again, and with -y also in the place of files that the journal does not know any more"
        ))
    }
    events(.planned(plan))
    clean()
    defer { clean() }
    let watching = try startWatching()
    // The thread that watches ends with the batch, also if that ends by an error.
    defer { withExtendedLifetime(watching) { control.interruption.interrupt() } }
    try makeAll()
    return try queue.result()
  }

  /// Removes what a killed run, or this one, left in the work folder.
  ///
  /// It is made of files that can be read again; only chunks that are known stay.
  private func clean() {
    journal.workFolder.clean(keeping: maker.chunks?.store.names ?? [:])
  }

  /// Starts the thread that watches folders; it ends with the batch.
  private func startWatching() throws -> Holder? {
    guard let watch else { return nil }
    return Holder(
      try WorkerThread(.watch) { [request, control, events] in
        var arrivals = FolderArrivals(
          request, arrived: { watch.add($0) }, notice: { events(.notice(nil, $0)) })
        arrivals.run(request.watched, until: control.interruption)
      })
  }

  /// Starts as many recordings at the same time as the limit allows, and waits for all.
  private func makeAll() throws {
    var use = MachineUse()
    var limit = JobLimit(
      fixed: request.jobs, processors: use.processors, memoryLimit: MachineUse.memoryLimit)
    var started: [Holder] = []
    while true {
      let running = threads.withLock { threads in
        threads.allowed = limit.jobs
        return threads.running
      }
      if isOver(running), !started.isEmpty || !queue.hasMore { break }
      for _ in running..<max(running, limit.jobs) {
        threads.withLock { $0.running += 1 }
        do {
          started.append(Holder(try WorkerThread(.batch, place: started.count) { self.work() }))
        } catch {
          threads.withLock { $0.running -= 1 }
          // Fewer threads make the batch slower, not wrong.
          guard !started.isEmpty else { throw error }
          break
        }
      }
      if !limit.measures { break }
      ended.wait(milliseconds: 1000)
      limit.measure(
        JobLimit.Use(
          busy: use.takeBusy(), memory: MachineUse.memory, running: control.runningCount))
    }
  }

  /// Whether no more threads are of use; those that run may go on.
  private func isOver(_ running: Int) -> Bool {
    // Chunks wait for threads after the last input was begun.
    !queue.hasMore && (maker.chunks == nil || running == 0)
  }

  private final class Holder {
    let thread: WorkerThread
    init(_ thread: consuming WorkerThread) { self.thread = thread }
  }

  /// Makes outputs until none is left, or until fewer recordings may run.
  private func work() {
    maker.chunks?.board.enter()
    while threads.withLock({ $0.running <= $0.allowed }), let turn = queue.next() { make(turn) }
    maker.chunks?.board.help()
    let running = threads.withLock { threads in
      threads.running -= 1
      return threads.running
    }
    if isOver(running) { ended.interrupt() }
  }

  private func make(_ turn: BatchQueue.Turn) {
    if let refusal = turn.refusal { return fail(turn, BatchError(refusal)) }
    for attempt in 0...request.retries {
      guard let recording = control.begin(turn.place) else { return }
      defer { control.end(turn.place) }
      do {
        let made = try maker.make(turn.item, turn.place, recording)
        queue.end(turn, made)
        return events(.done(turn.item, made))
      } catch {
        guard !control.isStopped else { return }
        // It may have left the GPU busy.
        gpu.forget()
        if let error = error as? BatchError, error.endsBatch { return queue.stop(because: error) }
        if attempt == request.retries { fail(turn, error) }
      }
    }
  }

  private func fail(_ turn: BatchQueue.Turn, _ error: any Error) {
    queue.fail(turn, "\(error)")
    do {
      try journal.append(
        Journal.Entry(
          event: .failed, time: Journal.now, output: turn.item.output,
          fingerprint: turn.item.fingerprint, error: "\(error)"))
    } catch {
      queue.stop(because: error)
    }
    events(.failed(turn.item, "\(error)"))
  }
}
