import Capture
import Encode
import Frames
import Glibc
import Recorder

/// Makes one output at a time: records it into the work folder, checks it, writes it into the journal, and
/// gives it its place.
struct OutputMaker: Sendable {
  let request: BatchRequest
  let journal: Journal
  let gpu: SharedGPU
  let events: @Sendable (BatchEvent) -> Void

  /// The folder for outputs that are not complete, inside the output folder.
  ///
  /// They are renders of files that can be read again, so what a killed run left here is removed.
  var workFolder: String { journal.workFolder }

  /// Makes one output.
  ///
  /// - Parameters:
  ///   - item: The item of the plan.
  ///   - place: Its index in the plan, which names its folder in the work folder.
  ///   - control: Ends the recording early.
  /// - Returns: The number of frames of the output.
  /// - Throws: Why the output was not made; then its place is as it was before.
  func make(
    _ item: BatchPlan.Item, _ place: Int, _ control: RecordingControl
  ) throws -> Int {
    let target = request.outputFolder + "/" + item.output
    let overwrite = (item.own?.recording ?? request.recording).overwrite
    // Nothing is replaced that a batch did not make.
    if let there = OutputFile(at: target), there != item.replaced,
      overwrite != .replace
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
    let report = try record(item, into: made, control)
    try OutputCheck(path: made, report: report, verification: request.verification).run()
    try flush(made)
    guard let file = OutputFile(at: made) else { throw BatchError("\(made) is gone") }
    try makeFolders(folderName(of: target))
    // The line is on the disk before the output has its name: what has it, and is in the journal, is whole.
    try journal.append(
      Journal.Entry(
        event: .done, time: Journal.now, output: item.output, fingerprint: item.fingerprint,
        frames: report.frames, bytes: file.bytes, modified: file.modified), isFlushed: true)
    let mayReplace = item.replaced != nil || overwrite == .replace
    let code =
      mayReplace ? (rename(made, target) == 0 ? 0 : errno) : renameExclusively(made, target)
    guard code == 0 else {
      throw BatchError("\(target) cannot be made: \(String(cString: strerror(code)))")
    }
    return report.frames
  }

  /// Records an item's input into a file; returns what the encoder reported.
  private func record(
    _ item: BatchPlan.Item, into path: String, _ control: RecordingControl
  ) throws -> SinkReport {
    var recording = item.own?.recording ?? request.recording
    recording.source.input = item.input
    recording.source.interruption = Interruption()
    recording.outputs = [path]
    recording.overwrite = .replace
    let end = try Recorder.record(recording, control: control, gpu: gpu) { [events] event in
      if case .notice(let notice) = event, notice.severity == .warning {
        events(.notice(item, notice.message))
      }
    }
    if let incomplete = end.incomplete { throw BatchError(incomplete.message) }
    guard !control.isStopped, let report = end.report else {
      throw BatchError("\(item.input) was stopped")
    }
    return report
  }
}
