import Batch
import Frames
import Synchronization

/// Reports the progress of a batch to people (standard error) and to programs (JSON on standard output).
final class BatchReporter: Sendable {
  private struct State {
    var plan: BatchPlan?
    var running = 0
    var finished = 0
    var failed = 0
    /// Characters of the status line that the terminal shows.
    var shown = 0
    var start = MonotonicTime.now
  }

  private let state = Mutex(State())
  private let showsLine: Bool
  private let showsObjects: Bool
  private let isQuiet: Bool
  private let isVerbose: Bool
  private let isTrial: Bool
  private let brokenNames: BrokenNames

  init(_ words: Options) {
    let style = words.progress ?? .auto
    showsObjects = style == .json
    showsLine = !words.quiet && (style == .bar || style == .auto && StandardStream.error.isTerminal)
    (isQuiet, isVerbose, isTrial) = (words.quiet, words.verbose, words.dryRun)
    brokenNames = words.brokenNames
  }

  func show(_ event: BatchEvent) {
    state.withLock { state in
      switch event {
      case .planned(let plan): planned(plan, &state)
      case .begun(let item):
        state.running += 1
        tell("begun", item)
        if isVerbose { say("\(item.input): begun (\(item.reason ?? ""))", &state) }
      case .done(let item, let frames):
        (state.running, state.finished) = (state.running - 1, state.finished + 1)
        tell("done", item, [("frames", .int(frames))])
        if !isQuiet { say("\(item.output): \(frames) \(frames == 1 ? "frame" : "frames")", &state) }
      case .failed(let item, let reason):
        (state.running, state.finished) = (max(0, state.running - 1), state.finished + 1)
        state.failed += 1
        tell("failed", item, [("message", .string(reason))])
        say("\(item.output): \(reason)", &state)
      case .notice(let item, let message):
        tell("warning", item, [("message", .string(message))])
        if !isQuiet { say("warning: \(item.map { $0.output + ": " } ?? "")\(message)", &state) }
      }
      showLine(&state)
    }
  }

  /// Reports the end: how much was made, and what failed.
  func finish(_ result: BatchResult, exitCode: ExitCode) {
    state.withLock { state in
      guard !isTrial else { return }
      if showsObjects {
        write([
          ("type", .string("end")), ("made", .int(result.made)), ("kept", .int(result.kept)),
          ("failed", .int(result.failures.count)), ("exitCode", .int(Int64(exitCode.rawValue))),
        ])
      }
      clearLine(&state)
      if !isQuiet {
        var parts = ["\(result.made) made", "\(result.kept) done before"]
        if !result.failures.isEmpty { parts.append("\(result.failures.count) failed") }
        if exitCode == .stopped { parts.append("stopped: run the same command again to go on") }
        say(parts.joined(separator: ", "), &state)
      }
      // With many inputs the lines above have long gone.
      guard !result.failures.isEmpty, (state.plan?.items.count ?? 0) > 1 else { return }
      say("what failed:", &state)
      for (item, reason) in result.failures { say("  \(item.input): \(reason)", &state) }
    }
  }

  /// Prints a sentence that is no error.
  func note(_ sentence: String) {
    state.withLock { state in if !isQuiet { say(sentence, &state) } }
  }

  private func planned(_ plan: BatchPlan, _ state: inout State) {
    state.plan = plan
    if showsObjects {
      write([
        ("type", .string("planned")), ("inputs", .int(plan.items.count)),
        ("pending", .int(plan.pending)), ("skipped", .int(plan.skipped.count)),
      ])
    }
    if !isQuiet {
      for file in plan.skipped { say("\(file.path): skipped: \(file.reason)", &state) }
    }
    guard isTrial else { return }
    for item in plan.items {
      let line = "\(item.input) -> \(item.output): \(item.reason ?? "done already")\n"
      StandardStream.output.write(brokenNames.visible(line))
    }
  }

  private func tell(
    _ type: String, _ item: BatchPlan.Item?, _ members: [(String, JSONValue)] = []
  ) {
    guard showsObjects else { return }
    write(
      [
        ("type", .string(type)), ("input", .optional(item?.input, JSONValue.string)),
        ("output", .optional(item?.output, JSONValue.string)),
      ] + members)
  }

  private func write(_ members: [(String, JSONValue)]) {
    StandardStream.output.write(JSONValue.object(members).text + "\n")
  }

  private func showLine(_ state: inout State) {
    guard showsLine, let plan = state.plan, plan.pending > 0, !isTrial else { return }
    var text = "\(state.finished) of \(plan.pending), \(state.running) running"
    if state.failed > 0 { text += ", \(state.failed) failed" }
    if state.finished > 0 {
      let each = MonotonicTime.now.seconds(since: state.start) / Double(state.finished)
      let left = Int((each * Double(plan.pending - state.finished)).rounded())
      text += ", about \(left / 60) min \(left % 60) s left"
    }
    text = String(text.prefix(StandardStream.error.columns - 1))
    let rest = String(repeating: " ", count: max(0, state.shown - text.count))
    StandardStream.error.write("\r" + text + rest)
    state.shown = text.count
  }

  private func say(_ sentence: String, _ state: inout State) {
    clearLine(&state)
    StandardStream.error.write("kfrec: " + brokenNames.visible(sentence) + "\n")
  }

  private func clearLine(_ state: inout State) {
    guard state.shown > 0 else { return }
    StandardStream.error.write("\r" + String(repeating: " ", count: state.shown) + "\r")
    state.shown = 0
  }
}
