import CPosix
import Frames
import Glibc
import Synchronization

/// The folder of a cache's files: reads, replaces and removes them.
final class CacheFolder: Sendable {
  let path: String
  let byteLimit: Int
  /// Bytes that may be written before the folder is looked through again.
  ///
  /// At most a sixteenth of the limit, because other processes write, too.
  private let room = Atomic<Int>(0)

  /// The start of the name of a file that is still being written.
  private static let unfinished = ".new-"
  /// Age in seconds after which such a file counts as left by a dead process.
  private static let unfinishedLife = 3600

  init(path: String, byteLimit: Int) {
    (self.path, self.byteLimit) = (path, byteLimit)
  }

  /// Returns all bytes of a file, or nil if it is missing, too large, or another user may have
  /// written it.
  ///
  /// The cache's contents go to the GPU driver unchecked, so a file that other users can write to
  /// is rejected.
  func read(_ name: String) -> [UInt8]? {
    // Non-blocking, so that a FIFO with this name is rejected below and not waited for.
    let file = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_mode & 0o022 == 0,
      status.st_size <= DiskCache.entryLimit
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    return kf_read_all(file, &bytes, bytes.count) != 0 ? bytes : nil
  }

  /// Writes a whole file or nothing: writes under a temporary name, then renames.
  ///
  /// It does not call fsync: after a crash of the machine, a damaged file fails its checksum and is
  /// made again.
  func write(_ bytes: [UInt8], as name: String) {
    guard makeFolders() else { return }
    var temporary = Array("\(path)/\(Self.unfinished)XXXXXX".utf8CString)
    // Only the user may read and write it (mode 0600).
    let file = mkstemp(&temporary)
    guard file >= 0 else { return }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    let isWhole = kf_write_all(file, bytes, bytes.count) == 0
    // A full disk may be reported only by close.
    let isClosed = close(file) == 0
    guard isWhole, isClosed, rename(temporary, "\(path)/\(name)") == 0 else {
      unlink(temporary)
      return
    }
    // Not each time: it asks for the attributes of every file there.
    if room.subtract(bytes.count, ordering: .relaxed).newValue < 0 { clearOut() }
  }

  /// Makes the folder and its parent folders, each accessible only to the user.
  private func makeFolders() -> Bool {
    if access(path, W_OK) == 0 { return true }
    for end in path.indices.dropFirst() where path[end] == "/" {
      mkdir(String(path[..<end]), 0o700)
    }
    return mkdir(path, 0o700) == 0 || errno == EEXIST
  }

  private struct Item {
    let name: String
    let byteCount: Int
    let lastUse: Int
  }

  /// If all files exceed the limit, removes the least recently used until a quarter of it is free.
  private func clearOut() {
    let now = time(nil)
    let items = items()
    for item in items where item.name.hasPrefix(Self.unfinished) {
      if now - item.lastUse > Self.unfinishedLife { remove(item) }
    }
    var total = items.reduce(0) { $0 + $1.byteCount }
    if total > byteLimit {
      for item in items.sorted(by: { $0.lastUse < $1.lastUse }) where total > byteLimit / 4 * 3 {
        // The folder may be a link to one with files of others.
        if isEntry(item) { remove(item) }
        total -= item.byteCount
      }
    }
    room.store(min(byteLimit - total, byteLimit / 16), ordering: .relaxed)
  }

  /// Whether a file begins as entries do.
  private func isEntry(_ item: Item) -> Bool {
    let file = open("\(path)/\(item.name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var start = [UInt8](repeating: 0, count: CacheEntry.mark.count)
    return Glibc.read(file, &start, start.count) == start.count && start == CacheEntry.mark
  }

  private func remove(_ item: Item) { unlink("\(path)/\(item.name)") }

  private func items() -> [Item] {
    names(in: path).compactMap { name in
      var status = stat()
      guard lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        return nil
      }
      // Linux updates a file's access time about once a day, or never, depending on the mount
      // options.
      return Item(
        name: name, byteCount: Int(status.st_size),
        lastUse: max(status.st_atim.tv_sec, status.st_mtim.tv_sec))
    }
  }
}
