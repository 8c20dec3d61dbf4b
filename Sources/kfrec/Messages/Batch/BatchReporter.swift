import Batch
import Frames
import Glibc
import Recorder
import Settings
import Synchronization

/// Reports the progress of a batch to people (standard error) and to programs (standard output).
final class BatchReporter: Sendable {
  private struct State {
    var brokenNames: BrokenNames
    var plan: BatchPlan?
    var estimate = BatchEstimate(sizes: [], now: 0)
    /// The recordings that run, in the order in which they began.
    var running: [RunningItem] = []
    var finished = 0
    var failed = 0
    /// Items whose outputs are to be made.
    var pending = 0
    var lines: TerminalLines
    var lastShown = -Double.infinity
  }

  /// Seconds between two updates of the lines if nothing begins or ends.
  private static let interval = 0.2

  private let state: Mutex<State>
  private let showsLines: Bool
  private let showsObjects: Bool
  private let openJob: OpenJobLines?
  private let endProgram: EndProgram?
  private let isQuiet: Bool
  private let isVerbose: Bool
  private let isTrial: Bool
  private let start = MonotonicTime.now

  /// - Throws: A usage error if the program of `--on-end` cannot be started.
  init(_ words: Options) throws(CommandLineError) {
    endProgram = try EndProgram(words)
    let style = words.progress ?? .auto
    let isTerminal = StandardStream.error.isTerminal
    showsObjects = style == .json
    openJob = style == .openjd ? OpenJobLines(.output) : nil
    showsLines = !words.quiet && (style == .bar || style == .auto && isTerminal)
    let isPlain = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
    state = Mutex(
      State(
        brokenNames: words.brokenNames, lines: TerminalLines(hasSeveral: isTerminal && !isPlain)))
    (isQuiet, isVerbose, isTrial) = (words.quiet, words.verbose, words.dryRun)
    LibraryLines.pass { [weak self] in self?.note($0) }
  }

  func show(_ event: BatchEvent) {
    let now = now
    state.withLock { state in
      switch event {
      case .planned(let plan): planned(plan, &state, now)
      case .arrived(let item):
        state.brokenNames.add(item.input)
        state.brokenNames.add(item.output)
        guard item.reason != nil else { return }
        state.pending += 1
        state.estimate.add(bytes: item.inputBytes)
      case .begun(let item):
        // Another attempt takes the place of the one before.
        state.running.removeAll { $0.item.isSameOutput(as: item) }
        state.running.append(RunningItem(item: item))
        state.estimate.begin(item.output, bytes: item.inputBytes, now: now)
        tell(.batchItem("begun", item), state, isLasting: false)
        openJob?.status(
          "\(item.output) begun, \(state.finished) of \(state.pending) done", isLasting: false)
        if isVerbose { say("\(item.input): begun (\(item.reason ?? ""))", &state) }
      case .chunk(let item, let made, let all):
        tell(
          .batchItem("chunk", item, [("made", .int(made)), ("of", .int(all))]), state,
          isLasting: false)
        if isVerbose { say("\(item.output): \(made) of \(all) chunks", &state) }
      case .progress(let item, let progress, let ready):
        self.progress(item, progress, ready, &state, now)
        return
      case .done(let item, let made):
        end(item, isMade: true, &state, now)
        let frames = made.frames ?? 0
        tell(
          .batchItem(
            "done", item,
            [
              ("frames", .int(frames)), ("flaw", .optional(made.flaw) { .string($0.rawValue) }),
            ]), state)
        let flaw = made.flaw.map { ", \($0.rawValue)" } ?? ""
        if !isQuiet {
          say("\(item.output): \(frames) \(frames == 1 ? "frame" : "frames")\(flaw)", &state)
        }
      case .failed(let item, let reason):
        end(item, isMade: false, &state, now)
        state.failed += 1
        tell(.batchItem("failed", item, [("message", .string(reason))]), state)
        say("\(item.output): \(reason)", &state)
      case .notice(let item, let message):
        tell(.batchItem("warning", item, [("message", .string(message))]), state)
        if !isQuiet { say("warning: \(item.map { $0.output + ": " } ?? "")\(message)", &state) }
      }
      showProgress(&state, now)
    }
  }

  /// Reports the end: how much was made, and what failed.
  func finish(_ result: BatchResult, exitCode: ExitCode) {
    defer { if !isTrial { runEndProgram(Self.end(result, exitCode), exitCode) } }
    state.withLock { state in
      guard !isTrial else { return }
      tell(Self.end(result, exitCode), state)
      clearLines(&state)
      var parts = ["\(result.made) made", "\(result.kept) done before"]
      if !result.failures.isEmpty { parts.append("\(result.failures.count) failed") }
      for flaw in [OutputFlaw.damaged, .short] {
        let count = result.flaws.count { $0.flaw == flaw }
        if count > 0 { parts.append("\(count) of them \(flaw.rawValue)") }
      }
      if exitCode == .stopped { parts.append("stopped: run the same command again to go on") }
      let summary = parts.joined(separator: ", ")
      if !isQuiet { say(summary, &state) }
      if let failure = result.failures.first, exitCode != .stopped {
        openJob?.fail(
          state.brokenNames.withoutSecrets(
            "\(summary); \(failure.item.input): \(failure.reason)"))
      } else if let flaw = result.flaws.first, exitCode == .incomplete {
        openJob?.fail(
          state.brokenNames.withoutSecrets("\(summary); \(flaw.item.input): \(flaw.reason)"))
      } else {
        if exitCode == .done { openJob?.progress(1, now: now) }
        openJob?.status(summary)
      }
      if !result.flaws.isEmpty {
        say("what is there and not whole:", &state)
        for (item, _, reason) in result.flaws { say("  \(item.output): \(reason)", &state) }
      }
      // With many inputs the lines above have long gone.
      guard !result.failures.isEmpty, (state.plan?.items.count ?? 0) > 1 else { return }
      say("what failed:", &state)
      for (item, reason) in result.failures {
        say(
          "  " + (reason.hasPrefix(item.input) ? reason : "\(item.input): \(reason)"), &state)
      }
    }
  }

  /// Tells programs of an error that ends the batch, and removes the lines for people: its caller prints it.
  func fail(_ error: any Error) {
    let end = JSONValue.error("\(error)", exitCode: ExitCode(error))
    defer { if !isTrial { runEndProgram(end, ExitCode(error)) } }
    state.withLock { state in
      tell(end, state)
      openJob?.fail(state.brokenNames.withoutSecrets("\(error)"))
      clearLines(&state)
    }
  }

  private static func end(_ result: BatchResult, _ exitCode: ExitCode) -> JSONValue {
    .object([
      ("type", .string("end")), ("made", .int(result.made)), ("kept", .int(result.kept)),
      ("failed", .int(result.failures.count)), ("flawed", .int(result.flaws.count)),
      ("exitCode", .int(Int64(exitCode.rawValue))),
    ])
  }

  private func runEndProgram(_ result: JSONValue, _ exitCode: ExitCode) {
    guard let endProgram else { return }
    let text = state.withLock { $0.brokenNames.withoutSecrets(result).text }
    // The outputs are finished: a signal ends the wait for the program.
    SignalThread.noteEnd(exitCode)
    guard let problem = endProgram.run(text) else { return }
    note("warning: \(problem)")
  }

  /// Prints a warning, also with --quiet.
  func warn(_ sentence: String) { state.withLock { say("warning: \(sentence)", &$0) } }

  func note(_ sentence: String) {
    state.withLock { state in if !isQuiet { say(sentence, &state) } }
  }

  private func planned(_ plan: BatchPlan, _ state: inout State, _ now: Double) {
    state.plan = plan
    for item in plan.items {
      state.brokenNames.add(item.input)
      state.brokenNames.add(item.output)
    }
    for file in plan.skipped { state.brokenNames.add(file.path) }
    state.pending = plan.pending
    state.estimate = BatchEstimate(
      sizes: plan.items.lazy.filter { $0.reason != nil }.map(\.inputBytes), now: now)
    tell(
      .object([
        ("type", .string("planned")), ("inputs", .int(plan.items.count)),
        ("pending", .int(plan.pending)), ("skipped", .int(plan.skipped.count)),
      ]), state)
    if !isQuiet {
      for file in plan.skipped { say("\(file.path): skipped: \(file.reason)", &state) }
    }
    guard isTrial else { return }
    for item in plan.items {
      let line = "\(item.input) -> \(item.output): \(item.reason ?? "done already")"
      StandardStream.output.write(visibleName(state.brokenNames.withoutSecrets(line)) + "\n")
    }
    // A listing waits for its reader.
    StandardStream.output.flush(patience: .infinity)
  }

  private func progress(
    _ item: BatchPlan.Item, _ progress: RecordingProgress, _ ready: RecordingReady,
    _ state: inout State, _ now: Double
  ) {
    guard let place = state.running.firstIndex(where: { $0.item.isSameOutput(as: item) }) else {
      return
    }
    let line = ProgressLine(
      progress: progress, frameCount: ready.frameCount, duration: ready.duration)
    state.running[place].line = line
    state.estimate.progress(item.output, fraction: line.fraction)
    if showsObjects, now - state.running[place].lastObject >= 1, !StandardStream.output.isBehind {
      state.running[place].lastObject = now
      tell(
        .batchProgress(
          item, line, part: state.estimate.fraction(now: now),
          remaining: state.estimate.remaining(now: now)), state)
    }
    guard now - state.lastShown >= BatchReporter.interval else { return }
    showProgress(&state, now)
  }

  private func end(
    _ item: BatchPlan.Item, isMade: Bool, _ state: inout State, _ now: Double
  ) {
    state.running.removeAll { $0.item.isSameOutput(as: item) }
    state.estimate.end(item.output, bytes: item.inputBytes, isMade: isMade, now: now)
    state.finished += 1
  }

  private func tell(
    _ object: @autoclosure () -> JSONValue, _ state: State, isLasting: Bool = true
  ) {
    guard showsObjects else { return }
    let text = state.brokenNames.withoutSecrets(object()).text
    StandardStream.output.write(text + "\n", isLasting: isLasting)
  }

  private func showProgress(_ state: inout State, _ now: Double) {
    guard state.pending > 0, !isTrial else { return }
    openJob?.progress(state.estimate.fraction(now: now), now: now)
    guard showsLines, !StandardStream.error.isBehind else { return }
    state.lastShown = now
    let size = (columns: StandardStream.error.columns, rows: StandardStream.error.rows)
    let all = BatchLines(
      running: state.running, finished: state.finished, failed: state.failed,
      pending: state.pending, fraction: state.estimate.fraction(now: now),
      remaining: state.estimate.remaining(now: now))
    StandardStream.error.write(state.lines.show(all.text(columns: size.columns), size: size))
  }

  private func say(_ sentence: String, _ state: inout State) {
    clearLines(&state)
    StandardStream.error.write(
      "kfrec: " + state.brokenNames.message(Command.batch.completing(sentence)) + "\n")
  }

  private func clearLines(_ state: inout State) {
    let text = state.lines.clear()
    if !text.isEmpty { StandardStream.error.write(text) }
  }

  private var now: Double { MonotonicTime.now.seconds(since: start) }
}

/// A recording of a batch that runs.
struct RunningItem {
  let item: BatchPlan.Item
  /// Nil before its first frame.
  var line: ProgressLine?
  /// When its progress was last written as a JSON object, in seconds.
  var lastObject = -Double.infinity
}
