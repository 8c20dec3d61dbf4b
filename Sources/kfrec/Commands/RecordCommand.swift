import Capture
import FFmpegHandles
import Frames
import Recorder
import ShaderEffects

/// `kfrec -i ... -o ...`: records, and reports the progress.
struct RecordCommand {
  let words: Options
  /// When the program started.
  let start: MonotonicTime

  func run() -> ExitCode {
    let reporter = RecordingReporter(words)
    do {
      var recording = try Recording(words.withSource())
      recording.programStart = start
      let control = RecordingControl()
      try SignalThread.start {
        control.stop()
        reporter.note("finishing the output; press Ctrl-C again to abort")
      } onPause: {
        reporter.note(
          control.togglePause() ? "paused; send SIGUSR2 again to resume" : "resumed")
      }
      let end = try record(recording, control: control) { reporter.show($0) }
      let exitCode = end.incomplete == nil ? ExitCode.done : .incomplete
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
    guard inputs.isEmpty, let first = effects.first else { return self }
    let effect = try EffectLibrary(folders: effectFolders).describe(first.name)
    guard effect.role == .generator else { return self }
    var words = self
    words.inputs = [SourceKind.blank.words]
    return words
  }
}
