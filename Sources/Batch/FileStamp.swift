import Glibc

/// Which file is at a path, and when it was changed last.
struct FileStamp: Sendable {
  let size: Int64
  /// Nanoseconds since 1970.
  let time: Int64
  let isRegular: Bool
  private let device: dev_t
  private let number: ino_t
  private let changed: timespec
  /// What changes the time of the last change and not the content: names, owner and permissions.
  private let attributes: [UInt64]

  private let hasOtherNames: Bool

  /// Nil if nothing is there.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    size = Int64(status.st_size)
    time = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    isRegular = status.st_mode & S_IFMT == S_IFREG
    (device, number, changed) = (status.st_dev, status.st_ino, status.st_ctim)
    hasOtherNames = status.st_nlink > 1
    attributes = [
      UInt64(status.st_nlink), UInt64(status.st_mode), UInt64(status.st_uid), UInt64(status.st_gid),
    ]
  }

  /// Whether a file cannot have been written between the two.
  ///
  /// A file that was changed and changed back has its old size and may have its old time, but not the time that only
  /// the system sets. A backup that makes hard links changes that too, and with it the number of names, or in a file
  /// with several names not even that.
  func isUnchanged(since earlier: FileStamp) -> Bool {
    guard size == earlier.size, time == earlier.time, device == earlier.device,
      number == earlier.number
    else { return false }
    return changed.tv_sec == earlier.changed.tv_sec && changed.tv_nsec == earlier.changed.tv_nsec
      || attributes != earlier.attributes || hasOtherNames
  }
}

/// The files that a recording reads, as they were before it began.
struct ReadFiles: Sendable {
  private let stamps: [String: FileStamp]

  init(_ paths: [String]) {
    var stamps: [String: FileStamp] = [:]
    for path in paths { stamps[path] = FileStamp(path) }
    self.stamps = stamps
  }

  /// Throws if a file was changed since: then nobody knows which version was read.
  func check() throws(BatchError) {
    let changed = stamps.filter { path, stamp in
      FileStamp(path).map { !$0.isUnchanged(since: stamp) } ?? true
    }
    guard let path = changed.keys.min() else { return }
    throw BatchError(
      "\(path) was changed while it was read; the same command again makes the output")
  }
}
