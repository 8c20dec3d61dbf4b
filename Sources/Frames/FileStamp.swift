import Glibc

/// Which version of a file is at a path, known without reading it.
public struct FileStamp: Sendable, Equatable {
  public let size: Int64
  /// The time of the last change, in nanoseconds since 1970.
  public let time: Int64
  public let isRegular: Bool
  private let device: dev_t
  private let number: ino_t
  private let changed: timespec
  /// What changes the time of the last change and not the content: names, owner and permissions.
  private let attributes: [UInt64]
  private let hasOtherNames: Bool

  /// Nil if nothing is there.
  public init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    size = Int64(status.st_size)
    // A time beyond the year 2262 wraps, and still tells one version from another.
    time = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    isRegular = status.st_mode & S_IFMT == S_IFREG
    (device, number, changed) = (status.st_dev, status.st_ino, status.st_ctim)
    hasOtherNames = status.st_nlink > 1
    attributes = [
      UInt64(status.st_nlink), UInt64(status.st_mode), UInt64(status.st_uid), UInt64(status.st_gid),
    ]
  }

  /// Returns nil also if no regular file is there: the time of a pipe changes whenever somebody writes to it.
  public static func ofFile(_ path: String) -> FileStamp? {
    FileStamp(path).flatMap { $0.isRegular ? $0 : nil }
  }

  /// Whether both are the same file with the same size and time.
  public static func == (one: FileStamp, other: FileStamp) -> Bool {
    one.size == other.size && one.time == other.time && one.device == other.device
      && one.number == other.number
  }

  /// Whether a file cannot have been written between the two.
  ///
  /// A file that was changed and changed back has its old size and may have its old time, but not the time that only
  /// the system sets. A backup that makes hard links changes that too, and with it the number of names, or in a file
  /// with several names not even that.
  public func isUnchanged(since earlier: FileStamp) -> Bool {
    self == earlier
      && (changed.tv_sec == earlier.changed.tv_sec && changed.tv_nsec == earlier.changed.tv_nsec
        || attributes != earlier.attributes || hasOtherNames)
  }
}
