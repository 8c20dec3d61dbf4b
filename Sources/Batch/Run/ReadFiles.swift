import Frames

/// The files that a recording reads, as they were before it began.
struct ReadFiles: Sendable {
  private let stamps: [ExactPath: FileStamp]

  init(_ paths: [String]) {
    var stamps: [ExactPath: FileStamp] = [:]
    for path in paths { stamps[path] = FileStamp(path) }
    self.stamps = stamps
  }

  /// Throws if a file was changed since: then nobody knows which version was read.
  func check() throws(BatchError) {
    let changed = stamps.filter { path, stamp in
      FileStamp(path.text).map { !$0.isUnchanged(since: stamp) } ?? true
    }
    guard let path = changed.keys.map(\.text).min() else { return }
    throw BatchError(
      FileStamp(path) == nil
        ? "\(path) was moved or deleted while it was read; put it back, and the same command makes the output"
        : "\(path) was changed while it was read; the same command again makes the output")
  }
}
