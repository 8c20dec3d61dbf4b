import Frames

/// What the program tells the shell; the "Exit codes" part of `kfrec --help` is made from this.
enum ExitCode: Int32, CaseIterable {
  case done = 0
  case failed = 1
  case wrongWords = 2
  case incomplete = 3
  case interrupted = 130

  init(_ error: any Error) {
    self = (error as? any ExplainedError)?.isUsageError == true ? .wrongWords : .failed
  }

  var meaning: String {
    switch self {
    case .done: "done"
    case .failed:
      "something could not be opened, read, compiled or written, or there is no device"
        + "; an effect failed its check or renders other pictures"
    case .wrongWords: "wrong words: an unknown option, effect or parameter, or a bad value"
    case .incomplete: "finished, but not complete: the output is valid as far as it goes"
    case .interrupted: "a second Ctrl-C: given up at once, OUTPUT.part is kept"
    }
  }
}
