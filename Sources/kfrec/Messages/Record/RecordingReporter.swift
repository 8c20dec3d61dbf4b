import CPosix
import Encode
import Frames
import Glibc
import Recorder
import Settings
import Synchronization
import Terminal

extension Options {
  /// Whether an output takes standard output, so that messages for programs go to standard error.
  var writesToStandardOutput: Bool {
    recording.outputs.contains("-") || recording.outputs.contains("/dev/stdout")
  }
}

/// Reports the progress of a recording to people (standard error) and to programs (JSON).
///
/// The recording's threads and the signal thread call it; a lock keeps lines whole. No call waits for a reader:
/// a reader that is behind gets less progress, and everything else.
final class RecordingReporter: Sendable {
  private struct State {
    var brokenNames: BrokenNames
    var ready: RecordingReady?
    /// Started when the recording has ended.
    var endProgram: EndProgram?
    /// Characters of the progress line that the terminal shows.
    var shown = 0
    var lastShown = -Double.infinity
    /// Notices that were printed and need no repetition as the reason of an early end.
    var said: Set<Notice> = []
    /// Whether the warning about JSON objects that cannot be written was printed.
    var hasLostObjects = false
    /// A terminal that shows pictures, for which sentences and the progress line go through it.
    var screen: TerminalOutput?
  }

  /// Seconds between two progress lines or objects.
  private static let interval = 0.2

  private let state: Mutex<State>
  /// The stream for JSON objects; nil if none are requested.
  private let objects: StandardStream?
  private let openJob: OpenJobLines?
  private let showsLine: Bool
  private let isQuiet: Bool
  private let isVerbose: Bool
  private let hasStatistics: Bool
  /// Whether sentences are printed: they must not be mixed with objects on standard error.
  private let hasSentences: Bool
  private let command: Command
  private let begin = MonotonicTime.now

  init(_ words: Options) {
    let style = words.progress ?? .auto
    let writesToOutput = words.writesToStandardOutput
    objects = style == .json ? (writesToOutput ? .error : .output) : nil
    openJob = style == .openjd ? OpenJobLines(writesToOutput ? .error : .output) : nil
    hasSentences = !(style == .json && writesToOutput)
    showsLine =
      !words.quiet && (style == .bar || style == .auto && StandardStream.error.isTerminal)
    isQuiet = words.quiet
    isVerbose = words.verbose
    hasStatistics = words.stats
    command = words.command
    state = Mutex(State(brokenNames: words.brokenNames))
    LibraryLines.pass { [weak self] in self?.note($0) }
  }

  /// Hands sentences and the progress line to a terminal while it shows pictures.
  func use(_ screen: TerminalOutput?) { state.withLock { $0.screen = screen } }

  func show(_ event: RecordingEvent) {
    state.withLock { state in
      switch event {
      case .ready(let ready):
        state.ready = ready
        for name in [ready.input] + ready.outputs + ready.effects { state.brokenNames.add(name) }
        tell(JSONValue.ready(ready), &state)
        openJob?.status(
          state.brokenNames.withoutSecrets(
            "\(ready.input) to \(ready.outputs.joined(separator: " and "))"))
        if isVerbose {
          say(describe(ready), &state)
          for sentence in ready.plan { say(sentence, &state) }
        }
      case .progress(let progress):
        showProgress(progress, &state)
      case .notice(let notice):
        state.brokenNames.add(notice.subject)
        if notice.severity == .warning { tell(JSONValue.notice(notice), &state) }
        if !isQuiet {
          say((notice.severity == .warning ? "warning: " : "") + notice.message, &state)
          state.said.insert(notice)
        }
      case .reloaded(let names):
        tell(JSONValue.reloaded(names), &state, isLasting: false)
        if !isQuiet { say("reloaded \(names.joined(separator: ", "))", &state) }
      case .end:
        // `record` returns the same value; `finish` reports it, together with the exit code.
        break
      }
    }
  }

  /// Starts a program when the recording has ended.
  func start(_ program: EndProgram?) { state.withLock { $0.endProgram = program } }

  private func runEndProgram(_ result: JSONValue, _ exitCode: ExitCode) {
    let (program, text) = state.withLock { state in
      (state.endProgram, state.brokenNames.withoutSecrets(result).text)
    }
    guard let program else { return }
    // The outputs are finished: a signal ends the wait for the program.
    SignalThread.noteEnd(exitCode)
    guard let problem = program.run(text) else { return }
    state.withLock { if !isQuiet { say("warning: \(problem)", &$0) } }
  }

  /// Reports a recording that ended by itself or was stopped.
  func finish(_ end: RecordingResult, exitCode: ExitCode) {
    defer { runEndProgram(.end(end, exitCode: exitCode, hasStatistics: hasStatistics), exitCode) }
    state.withLock { state in
      sayKept(&state)
      if let incomplete = end.incomplete {
        openJob?.fail(state.brokenNames.withoutSecrets(incomplete.message))
        tell(JSONValue.error(incomplete.message, exitCode: exitCode), &state)
        for notice in [incomplete] + end.outputs.compactMap(\.incomplete)
        where state.said.insert(notice).inserted {
          say(notice.message, &state)
        }
      }
      tell(JSONValue.end(end, exitCode: exitCode, hasStatistics: hasStatistics), &state)
      if exitCode == .done { openJob?.progress(1, now: seconds) }
      if end.incomplete == nil {
        openJob?.status(
          state.brokenNames.withoutSecrets(ProgressLine.summary(end).joined(separator: "; ")))
      }
      if objects == nil, !isQuiet {
        for line in ProgressLine.summary(end, isLive: state.ready?.isLive ?? false) {
          say(line, &state)
        }
        if let audio = end.microphone { say(MicrophoneText.summary(audio), &state) }
      }
      clearLine(&state)
      if hasStatistics, hasSentences, let statistics = end.statistics {
        let table = StatisticsTable(
          statistics: statistics, outputs: end.outputs, microphone: end.microphone)
        StandardStream.error.write(table.text)
      }
    }
    // Whether the last object finds room on a disk.
    guard let objects, objects.isFile else { return }
    objects.flush()
    state.withLock { sayLost(&$0) }
  }

  /// Reports an error after which there is no output.
  func fail(_ error: any Error, exitCode: ExitCode) {
    defer { runEndProgram(.error("\(error)", exitCode: exitCode), exitCode) }
    state.withLock { state in
      tell(JSONValue.error("\(error)", exitCode: exitCode), &state)
      openJob?.fail(state.brokenNames.withoutSecrets("\(error)"))
      say("\(error)", &state)
    }
  }

  /// Prints a sentence that is neither a warning nor an error; an address of kfrec's own in it is shown whole.
  func note(_ sentence: String, showing address: String? = nil) {
    state.withLock { state in
      if let address { state.brokenNames.show(address: address) }
      if !isQuiet { say(sentence, &state) }
    }
  }

  private func showProgress(_ progress: RecordingProgress, _ state: inout State) {
    guard objects != nil || openJob != nil || showsLine else { return }
    let now = seconds
    guard now - state.lastShown >= Self.interval else { return }
    let line = ProgressLine(
      progress: progress, frameCount: state.ready?.frameCount, duration: state.ready?.duration)
    state.lastShown = now
    // The next one says more than one that would wait.
    if let objects, !objects.isBehind { tell(JSONValue.progress(line), &state) }
    if let fraction = line.fraction { openJob?.progress(fraction, now: now) }
    guard showsLine else { return }
    let text = line.text(columns: StandardStream.error.columns)
    if let screen = state.screen, screen.show(progress: text) { return }
    guard !StandardStream.error.isBehind else { return }
    // Spaces instead of an escape sequence, which a simple terminal would print.
    let rest = String(repeating: " ", count: max(0, state.shown - text.count))
    StandardStream.error.write("\r" + text + rest)
    state.shown = text.count
  }

  /// Writes an object for programs; a reader that has closed the pipe is not an error.
  private func tell(
    _ object: @autoclosure () -> JSONValue, _ state: inout State, isLasting: Bool = true
  ) {
    guard let objects else { return }
    objects.write(
      state.brokenNames.withoutSecrets(object()).text + "\n", isLasting: isLasting)
    sayLost(&state)
  }

  /// Says once that objects cannot be written.
  private func sayLost(_ state: inout State) {
    guard let code = objects?.failure, code != EPIPE, !state.hasLostObjects else { return }
    state.hasLostObjects = true
    say(
      "warning: the progress cannot be written (\(String(cString: strerror(code)))); "
        + "the recording goes on without it", &state)
  }

  private func say(_ sentence: String, _ state: inout State) {
    guard hasSentences else { return }
    let text = "kfrec: " + state.brokenNames.message(command.completing(sentence))
    if let screen = state.screen {
      if screen.tell(text, keeping: StandardStream.error.isTerminal) { return }
      sayKept(&state)
    }
    clearLine(&state)
    StandardStream.error.write(text + "\n")
  }

  /// Prints the sentences that a picture in the terminal covered.
  private func sayKept(_ state: inout State) {
    for text in state.screen?.takeKept() ?? [] {
      clearLine(&state)
      StandardStream.error.write(text + "\n")
    }
  }

  private var seconds: Double { MonotonicTime.now.seconds(since: begin) }

  private func clearLine(_ state: inout State) {
    guard state.shown > 0 else { return }
    StandardStream.error.write("\r" + String(repeating: " ", count: state.shown) + "\r")
    state.shown = 0
  }

  private func describe(_ ready: RecordingReady) -> String {
    let effects = ready.effects.isEmpty ? "no effect" : ready.effects.joined(separator: ", ")
    return
      "\(ready.input) to \(ready.outputs.joined(separator: " and ")), \(ready.width)x\(ready.height) at "
      + "\(ready.frameRate) frames per second, \(effects), "
      + (ready.gpu.map { "on \($0)" } ?? "without the GPU, which has nothing to do")
  }
}
