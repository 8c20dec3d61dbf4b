import Glibc

/// What tells one version of a file from another without reading it: which file a path leads to, how
/// long it is and when it was written.
package struct FileStamp: Sendable, Equatable {
  private let device: UInt
  private let file: UInt
  private let byteCount: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// Nil where nothing can be told of the path, and for what is no regular file: a pipe's time
  /// changes with each write.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    (device, file) = (UInt(status.st_dev), UInt(status.st_ino))
    byteCount = Int(status.st_size)
    (seconds, nanoseconds) = (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
  }
}
