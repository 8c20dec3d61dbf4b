import Glibc

/// Identifies a version of a file without reading it: the file that a path leads to, its size and its
/// modification time.
public struct FileStamp: Sendable, Equatable {
  private let device: UInt
  private let file: UInt
  private let byteCount: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// Nil if the path cannot be examined or is not a regular file: a pipe's time changes with each
  /// write.
  public init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    (device, file) = (UInt(status.st_dev), UInt(status.st_ino))
    byteCount = Int(status.st_size)
    (seconds, nanoseconds) = (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
  }
}
