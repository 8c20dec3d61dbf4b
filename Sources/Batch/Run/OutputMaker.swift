import Capture
import Encode
import Frames
import Glibc
import Recorder
import Synchronization

/// Makes one output at a time: records it into the work folder, checks it, writes it into the journal, and
/// gives it its place.
struct OutputMaker: Sendable {
  let request: BatchRequest
  let plan: BatchPlan
  let journal: Journal
  let gpu: SharedGPU
  let events: @Sendable (BatchEvent) -> Void
  /// Cuts long inputs; nil if all stay whole.
  let chunks: ChunkedOutput?
  /// Whether each decoder has one thread, and each encoder that makes the same with one, because other recordings use the other processors.
  let isSingleThreaded: Bool

  /// Makes one output; its `place` in the plan names its folder in the work folder.
  ///
  /// - Throws: Why the output was not made; then its place is as it was before.
  func make(
    _ planned: BatchPlan.Item, _ place: Int, _ control: RecordingControl
  ) throws -> MadeOutput {
    var item = planned
    let read = plan.refresh(&item)
    let target = request.outputFolder + "/" + item.output
    let overwrite = (item.own?.recording ?? request.recording).overwrite
    let there = OutputFile(at: target)
    if there != nil, overwrite != .replace { try checkIsOwn(item, target) }
    try journal.append(
      Journal.Entry(
        event: .begun, time: Journal.now, output: item.output, fingerprint: item.fingerprint))
    events(.begun(item))
    let start = MonotonicTime.now
    let folder = try journal.workFolder.make(place)
    defer { journal.workFolder.remove(place) }
    let made = folder + "/" + (item.output.split(separator: "/").last.map(String.init) ?? "")
    let recording = recording(of: item, into: made)
    // An input with options of its own stays whole: they may cut it, or set a bit rate.
    let parts = item.own == nil ? chunks : nil
    let reported = Mutex<[String]>([])
    let warn: @Sendable (String) -> Void = { [events, item] message in
      let message = message.replacing(made, with: target)
      reported.withLock { $0.append(message) }
      events(.notice(item, message))
    }
    let report: SinkReport
    var flaw: OutputFlaw?
    do {
      if let joined = try parts?.record(item, recording, control, read, warn: warn) {
        report = joined
      } else {
        (report, flaw) = try record(item, recording, control, warn: warn)
      }
      try read.check()
      try OutputCheck(path: made, report: report, verification: request.verification).run()
    } catch {
      if let error = error as? BatchError, error.endsBatch { throw error }
      // The file in the work folder is removed; the user knows the output.
      let message = "\(error)".replacing("; " + EncodeError.kept(made + ".part"), with: "")
      throw BatchError(message.replacing(made, with: target))
    }
    var warnings = reported.withLock { $0 }
    // The sentence about the flaw came last.
    if flaw != nil, let reason = warnings.popLast() { warnings.insert(reason, at: 0) }
    try flush(made)
    guard let file = OutputFile(at: made) else { throw BatchError("\(made) is gone") }
    try makeFolders(folderName(of: target))
    // The line is on the disk before the output has its name: what has it, and is in the journal, is whole.
    try journal.append(
      Journal.Entry(
        event: .done, time: Journal.now, output: item.output, fingerprint: item.fingerprint,
        frames: report.frames, bytes: file.bytes, modified: file.modified,
        hash: InputFingerprint(path: made, isWhole: false, earlier: nil).hash,
        duration: report.duration.doubleValue, flaw: flaw,
        warnings: warnings.isEmpty ? nil : warnings), isFlushed: true)
    if overwrite != .replace, let there, OutputFile(at: target).map({ $0 != there }) == true {
      throw BatchError("\(target) was changed by another program; start again")
    }
    let mayReplace = there != nil || overwrite == .replace
    let code =
      mayReplace ? (rename(made, target) == 0 ? 0 : errno) : renameExclusively(made, target)
    guard code == 0 else {
      throw BatchError("\(target) cannot be made: \(String(cString: strerror(code)))")
    }
    chunks?.store.remove(item.output)
    return MadeOutput(
      frames: report.frames, bytes: file.bytes, duration: report.duration.doubleValue,
      flaw: flaw, warnings: warnings, fingerprint: item.fingerprint,
      elapsed: MonotonicTime.now.seconds(since: start))
  }

  /// Throws if what is in an output's place must not be replaced: nobody but a batch may have made it.
  private func checkIsOwn(_ item: BatchPlan.Item, _ target: String) throws(BatchError) {
    // The words of a task are those of its plan.
    guard let earlier = item.earlier else {
      throw BatchError(
        "\(target) exists and is not from this batch; "
          + (request.task == nil
            ? "add -y to replace it" : "move it away, and start the task again"))
    }
    guard request.redoesAll || earlier.isOwn(target) else {
      throw BatchError(
        "\(target) was changed since a batch made it; "
          + (request.task == nil
            ? "add --force to make it again" : "move it away, and start the task again"))
    }
  }

  private func recording(of item: BatchPlan.Item, into path: String) -> Recording {
    var recording = item.own?.recording ?? request.recording
    recording.source.input = item.input
    recording.source.interruption = Interruption()
    recording.outputs = [path]
    recording.overwrite = .replace
    if isSingleThreaded { (recording.source.decoderThreads, recording.encoderThreads) = (1, 1) }
    return recording
  }

  /// Makes a recording; returns what the encoder reported, and what is wrong with the output.
  private func record(
    _ item: BatchPlan.Item, _ recording: Recording, _ control: RecordingControl,
    warn: @escaping @Sendable (String) -> Void
  ) throws -> (SinkReport, OutputFlaw?) {
    let opened = Mutex<RecordingReady?>(nil)
    let end = try Recorder.record(recording, control: control, gpu: gpu) { [events] event in
      switch event {
      case .ready(let ready): opened.withLock { $0 = ready }
      case .progress(let progress):
        guard let ready = opened.withLock({ $0 }) else { break }
        events(.progress(item, progress, ready))
      case .notice(let notice) where notice.severity == .warning:
        warn(notice.message)
      case .notice, .reloaded, .end: break
      }
    }
    if let shortfall = end.shortfall { throw BatchError(shortfall) }
    guard !control.isStopped, let report = end.report else {
      throw BatchError("\(item.input) was stopped")
    }
    if end.flaw != nil, let reason = end.incomplete?.message { warn(reason) }
    return (report, end.flaw)
  }
}
