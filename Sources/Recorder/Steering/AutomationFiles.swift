import Capture
import Encode
import Frames
import Glibc
import ShaderEffects

extension Recording {
  /// Reads the automation to replay; nil if there is none.
  func readAutomation(for effects: [EffectInstance]) throws -> Automation? {
    guard let path = automationIn else { return nil }
    // A FIFO would wait for a writer, and can be read only once.
    guard FileIdentity(behind: path)?.isRegular != false else {
      throw RecorderError("--automation-in \(path) is no regular file", isUsageError: true)
    }
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0, let bytes = bytes(of: file) else {
      let reason = String(cString: strerror(errno))
      if file >= 0 { close(file) }
      throw RecorderError("the automation \(path) cannot be read: \(reason)")
    }
    close(file)
    return try Automation(parsing: bytes, name: path, effects: effects)
  }

  /// Checks the place for the changes of parameters; returns whether they are written.
  func writesAutomation(_ outputs: OutputSet, notify: (Notice) -> Void) throws -> Bool {
    guard let path = automation else { return false }
    let file = SideFile(path, option: "--automation", content: "the automation")
    let isKept = overwrite == .skip && file.exists
    try outputs.checkPlace(
      of: file, inputs: ([source] + following).map(\.input) + [automationIn].compactMap(\.self),
      others: [frameHashes].compactMap(\.self), mayReplace: overwrite == .replace || isKept)
    if isKept {
      notify(Notice(.outputExists, path, "\(path) exists already and was left as it is (-n)"))
    }
    return !isKept
  }
}

extension OpenedRecording {
  /// Makes the file for the changes of parameters, with its first line; nil if they are not kept.
  func openAutomationLog() throws -> sending LineFile? {
    guard opening.writesAutomation, let path = opening.recording.automation else { return nil }
    return try LineFile(
      path, of: "the changes of the automation", head: Automation.head(effects.effects))
  }
}
