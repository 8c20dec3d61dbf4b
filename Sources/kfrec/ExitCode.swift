import Batch
import Frames

/// The program's exit codes; the "Exit codes" part of `kfrec --help` is made from this.
enum ExitCode: Int32, CaseIterable {
  case done = 0
  case failed = 1
  case usageError = 2
  case incomplete = 3
  case stopped = 75
  case interrupted = 130

  init(_ error: any Error) {
    if (error as? BatchError)?.isTemporary == true {
      self = .stopped
      return
    }
    self = (error as? any ExplainedError)?.isUsageError == true ? .usageError : .failed
  }

  var meaning: String {
    switch self {
    case .done: "done"
    case .failed:
      "error: something could not be opened, read, compiled or written, or there is no device; an effect "
        + "failed its check or no longer matches its golden image"
    case .usageError: "usage error: an unknown option, effect or parameter, or a bad value"
    case .incomplete: "incomplete: the output is valid, but shorter than asked"
    case .stopped:
      "stopped early: a batch that was stopped or whose folder is in use, and the same command goes on; or a "
        + "recording at the time of --stop-at, whose output, if there was a frame, is complete up to there"
    case .interrupted: "aborted by a second Ctrl-C; OUTPUT.part is kept"
    }
  }
}
