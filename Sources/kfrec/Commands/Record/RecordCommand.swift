import Capture
import Control
import FFmpegHandles
import Frames
import Recorder
import Render
import Settings
import ShaderEffects
import Synchronization
import Terminal
import Window

/// `kfrec -i ... -o ...`: records, and reports the progress.
struct RecordCommand {
  let words: Options
  let start: MonotonicTime

  func run() -> ExitCode {
    let reporter = RecordingReporter(words)
    do {
      reporter.start(try EndProgram(words))
      if let preset = words.savedPreset {
        try words.savePreset(preset)
        reporter.note("the options are kept in \(preset)")
        if words.outputs.isEmpty { return .done }
      }
      try words.checkWrittenFiles()
      try words.checkFolders()
      var recording = try Recording(words.withSource())
      for sentence in words.advice { reporter.note(sentence) }
      recording.programStart = start
      let control = RecordingControl()
      let pickup = try MIDIPickup.named(in: words)
      var window: WindowOutput?
      if words.showsWindow {
        recording.openToTheWindow(of: words)
        window = WindowOutput(
          words, recording, togglePause: { control.togglePause() }, stop: { control.stop() },
          choice: EffectChoice(words, requests: recording.chainRequests),
          name: words.inputs.map { ShownAddress.of($0.name) }.joined(separator: " "),
          pickup: pickup, reporter: reporter)
        recording.view = window
      }
      var terminal: TerminalOutput?
      if case .terminal(let style) = words.preview, let window {
        try words.checkTerminal()
        terminal = TerminalOutput(window, style: style)
        recording.view = terminal
        reporter.use(terminal)
      }
      defer { terminal?.restore() }
      let page = ControlPage(words, &recording, movies: window?.movies, reporter: reporter)
      let timer = Mutex<StopTimer?>(nil)
      // The threads for signals keep the lock, and only a release of the timer waits for its thread.
      defer { _ = timer.withLock { $0.take() } }
      try SignalThread.start { hint in
        timer.withLock { $0?.cancel() }
        control.stop()
        reporter.note("finishing the output; \(hint)")
      } onPause: {
        reporter.note(
          control.togglePause() ? "paused; send SIGUSR2 again to resume" : "resumed")
      } onAbort: { [terminal] in
        terminal?.restore(writingKept: true)
        // The picture may have gone before.
        for text in terminal?.takeKept() ?? [] { StandardStream.error.write(text + "\n") }
      }
      if let time = words.stopTime {
        // A thread that starts now inherits the signals that are blocked.
        let made = try StopTimer(time) {
          control.stop()
          reporter.note("it is the time of --stop-at; finishing the output")
        }
        timer.withLock { $0 = made }
      }
      let steering = try LiveControl(words, pickup: pickup, inbox: recording.inbox, page: page) {
        reporter.show(.notice($0))
      }
      defer { steering.finish() }
      let hasFired = { timer.withLock { $0?.hasFired ?? false } }
      let end: RecordingResult
      do {
        end = try record(recording, control: control) { [window] event in
          reporter.show(event)
          window?.show(event)
          steering.hear(event)
        }
      } catch let error as any ExplainedError
        where !error.isUsageError && (error is RecorderError || error is StoppedWork)
        && (hasFired() || words.command == .preview && control.isStopped)
      {
        guard hasFired() else {
          // A preview has no output, so nothing is missing.
          reporter.note("\(error)")
          return .done
        }
        reporter.fail(error, exitCode: .stopped)
        return .stopped
      }
      steering.finish()
      let wasStopped = hasFired() && end.wasStopped
      let exitCode =
        end.incomplete != nil ? ExitCode.incomplete : wasStopped ? .stopped : .done
      reporter.finish(end, exitCode: exitCode)
      return exitCode
    } catch {
      let exitCode = ExitCode(error)
      reporter.fail(error, exitCode: exitCode)
      return exitCode
    }
  }
}

extension Options {
  /// The options with a blank source, if there is no input and the first effect is a generator.
  ///
  /// - Throws: If an effect does not exist, or its header is wrong.
  fileprivate func withSource() throws -> Options {
    guard inputs.isEmpty, let first = recording.effects.first else { return self }
    guard try effectLibrary.describe(first.name).role == .generator else { return self }
    var words = self
    words.inputs = [InputPart(name: SourceKind.blank.words)]
    return words
  }
}
