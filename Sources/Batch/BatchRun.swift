import CPosix
import Capture
import Encode
import Frames
import Glibc
import Recorder
import ShaderEffects
import Synchronization

/// Stops a batch from any thread; the running recordings end, and their outputs are made again next time.
package final class BatchControl: Sendable {
  private struct State {
    var isStopped = false
    var running: [Int: RecordingControl] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  package var isStopped: Bool { state.withLock { $0.isStopped } }

  package func stop() {
    let running = state.withLock { state in
      state.isStopped = true
      return state.running.values.map(\.self)
    }
    for control in running { control.stop() }
  }

  /// Returns the control of a recording that begins; nil if the batch was stopped.
  func begin(_ item: Int) -> RecordingControl? {
    state.withLock { state in
      guard !state.isStopped else { return nil }
      let control = RecordingControl()
      state.running[item] = control
      return control
    }
  }

  func end(_ item: Int) { state.withLock { $0.running[item] = nil } }
}

/// An event of a running batch; events come one at a time.
package enum BatchEvent: Sendable {
  case planned(BatchPlan)
  case begun(BatchPlan.Item)
  case done(BatchPlan.Item, frames: Int)
  case failed(BatchPlan.Item, String)
  /// A message about one item, or about the whole batch.
  case notice(BatchPlan.Item?, String)
}

/// How a batch ended.
package struct BatchResult: Sendable {
  /// Outputs that were done before, and outputs that this run made.
  package var kept = 0
  package var made = 0
  /// Items that failed, with the reason, in the order of the plan.
  package var failures: [(item: BatchPlan.Item, reason: String)] = []
  /// Whether the batch was stopped, or ended at the first failure.
  package var isIncomplete = false
}

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
    self.plan = plan
    state = Mutex(State())
  }

  /// The folder for outputs that are not complete, inside the output folder.
  ///
  /// They are renders of files that can be read again, so what a killed run left here is removed.
  private var workFolder: String { request.outputFolder + "/" + Journal.workFolder }

  func run() throws -> BatchResult {
    if journal.damagedLines > 0 {
      events(
        .notice(
          nil,
          "\(journal.damagedLines) lines of the journal in \(request.outputFolder) are damaged; their "
            + "outputs are made again"))
    }
    events(.planned(plan))
    removeTree(workFolder)
    defer { removeTree(workFolder) }
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
          let frames = try make(item, place, recording)
          state.withLock { $0.result.made += 1 }
          events(.done(item, frames: frames))
          break
        } catch {
          guard !control.isStopped else { return }
          // It may have left the GPU busy.
          gpu.forget()
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

  /// Makes one output, checks it, and gives it its place; returns its number of frames.
  private func make(
    _ item: BatchPlan.Item, _ place: Int, _ control: RecordingControl
  ) throws -> Int {
    let target = request.outputFolder + "/" + item.output
    // Nothing is replaced that a batch did not make.
    if let there = OutputFile(at: target), there != item.replaced,
      request.recording.overwrite != .replace
    {
      throw BatchError("\(target) exists and is not from this batch; add -y to replace it")
    }
    try journal.append(
      Journal.Entry(
        event: .begun, time: Journal.now, output: item.output, fingerprint: item.fingerprint))
    events(.begun(item))
    let folder = "\(workFolder)/\(place)"
    try makeFolders(folder)
    defer { removeTree(folder) }
    let made = folder + "/" + (item.output.split(separator: "/").last.map(String.init) ?? "")
    var recording = request.recording
    recording.source.input = item.input
    recording.source.interruption = Interruption()
    recording.outputs = [made]
    recording.overwrite = .replace
    let end = try record(recording, control: control, gpu: gpu) { [events] event in
      if case .notice(let notice) = event, notice.severity == .warning {
        events(.notice(item, notice.message))
      }
    }
    if let incomplete = end.incomplete { throw BatchError(incomplete.message) }
    guard !control.isStopped, let report = end.report else {
      throw BatchError("\(item.input) was stopped")
    }
    try OutputCheck(path: made, report: report, verification: request.verification).run()
    try flush(made)
    guard let file = OutputFile(at: made) else { throw BatchError("\(made) is gone") }
    try makeFolders(folderName(of: target))
    do {
      // The line is on the disk before the output has its name: what has it, and is in the journal, is whole.
      try journal.append(
        Journal.Entry(
          event: .done, time: Journal.now, output: item.output, fingerprint: item.fingerprint,
          frames: report.frames, bytes: file.bytes, modified: file.modified), isFlushed: true)
    } catch {
      state.withLock { $0.fatal = $0.fatal ?? error }
      throw error
    }
    let mayReplace = item.replaced != nil || request.recording.overwrite == .replace
    let code =
      mayReplace ? (rename(made, target) == 0 ? 0 : errno) : kf_rename_exclusively(made, target)
    guard code == 0 else {
      throw BatchError("\(target) cannot be made: \(String(cString: strerror(code)))")
    }
    return report.frames
  }
}

/// The files that the effects of a recording read; compiling them finds their mistakes before anything runs.
private func effectFiles(of recording: Recording) throws -> [String] {
  guard !recording.effects.isEmpty else { return [] }
  return try filesOfEffects(recording)
}

/// Waits until a file is on the disk, so that it is whole after a power cut.
private func flush(_ path: String) throws(BatchError) {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { throw BatchError("\(path): \(String(cString: strerror(errno)))") }
  defer { close(file) }
  guard fsync(file) == 0 || errno == EINVAL else {
    throw BatchError("\(path) cannot be written: \(String(cString: strerror(errno)))")
  }
}

/// Makes a folder and those above it.
private func makeFolders(_ path: String) throws(BatchError) {
  if mkdir(path, 0o777) == 0 || FileIdentity.folder(path) != nil { return }
  if errno == ENOENT, path != folderName(of: path) {
    try makeFolders(folderName(of: path))
    if mkdir(path, 0o777) == 0 || FileIdentity.folder(path) != nil { return }
  }
  throw BatchError("cannot make the folder \(path): \(String(cString: strerror(errno)))")
}

private func folderName(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Removes a folder with all in it; links are removed, not followed.
private func removeTree(_ path: String) {
  for name in names(in: path) {
    let inner = path + "/" + name
    var status = stat()
    guard lstat(inner, &status) == 0 else { continue }
    if status.st_mode & S_IFMT == S_IFDIR { removeTree(inner) } else { unlink(inner) }
  }
  rmdir(path)
}
