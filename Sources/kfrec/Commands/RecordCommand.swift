import Capture
import FFmpegHandles
import Frames
import GPU
import Recorder
import ShaderEffects
import Synchronization
import Window

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
      let window = words.preview || words.command == .preview ? window(control, reporter) : nil
      recording.view = window
      let timer = Mutex<StopTimer?>(nil)
      try SignalThread.start {
        timer.withLock { $0?.cancel() }
        control.stop()
        reporter.note("finishing the output; press Ctrl-C again to abort")
      } onPause: {
        reporter.note(
          control.togglePause() ? "paused; send SIGUSR2 again to resume" : "resumed")
      }
      if let time = words.stopTime {
        // A thread that starts now inherits the signals that are blocked.
        let made = try StopTimer(time) {
          control.stop()
          reporter.note("it is the time of --stop-at; finishing the output")
        }
        timer.withLock { $0 = made }
      }
      let steering = LiveControl(words, door: recording.door) { reporter.show(.notice($0)) }
      defer { steering.finish() }
      let hasFired = { timer.withLock { $0?.hasFired ?? false } }
      let end: RecordingResult
      do {
        end = try record(recording, control: control) { event in
          reporter.show(event)
          window?.show(event)
          steering.hear(event)
        }
      } catch let error as RecorderError where hasFired() && !error.isUsageError {
        reporter.note("\(error)")
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

extension RecordCommand {
  /// The window of the recording.
  private func window(
    _ control: RecordingControl, _ reporter: RecordingReporter
  ) -> WindowOutput {
    WindowOutput(
      title: "kfrec " + (words.inputs + words.effects.map(\.name)).joined(separator: " "),
      scale: words.scale ?? .fit,
      gpu: GPUWish(selector: words.gpu, requiresHardware: words.requireGPU),
      actions: WindowOutput.Actions(
        togglePause: { control.togglePause() },
        stop: { control.stop() },
        saveStill: { [gpu = words.gpu] frame in
          let still = StillImage(frame, gpu: GPUWish(selector: gpu))
          do {
            try WorkerThread(name: "kfrec-still") {
              do { reporter.note("saved \(try still.save())") } catch {
                reporter.note("the still was not saved: \(error)")
              }
            }.detach()
          } catch {
            reporter.note("the still was not saved: \(error)")
          }
        },
        say: { reporter.note($0) }))
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

extension WindowOutput {
  /// Shows the error of an effect that is being edited over the last good picture, until it is mended.
  fileprivate func show(_ event: RecordingEvent) {
    switch event {
    case .notice(let notice) where notice.id == .effectReload: message = notice.message
    case .reloaded: message = nil
    default: break
    }
  }
}
