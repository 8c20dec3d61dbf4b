import Frames
import Glibc

/// The folder that a cache's files lie in: reading, replacing and clearing out.
struct CacheFolder: Sendable {
  let path: String
  let byteLimit: Int

  /// What begins the name of a file that is still being written.
  private static let unfinished = ".new-"
  /// Seconds after which such a file is taken for one whose writer has died.
  private static let unfinishedLife = 3600

  /// All bytes of a file; nil if there is none, or it may be someone else's work.
  ///
  /// What is in the cache goes to the GPU's driver unchecked, so a file that others can write to is
  /// not taken.
  func read(_ name: String) -> [UInt8]? {
    // Not blocking, so that a pipe by that name is refused below instead of waited for.
    let file = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_mode & 0o022 == 0,
      status.st_size <= DiskCache.entryLimit
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let isWhole = bytes.withUnsafeMutableBytes { memory in
      forAll(of: memory.count) { Glibc.read(file, memory.baseAddress?.advanced(by: $0), $1) }
    }
    return isWhole ? bytes : nil
  }

  /// Writes a file whole or not at all: under a name of its own first, then renamed.
  ///
  /// Without fsync: what a crash of the machine leaves fails its checksum and is made anew.
  func write(_ bytes: [UInt8], as name: String) {
    guard makeFolders() else { return }
    var temporary = Array("\(path)/\(Self.unfinished)XXXXXX".utf8CString)
    // For the user alone (mode 0600).
    let file = mkstemp(&temporary)
    guard file >= 0 else { return }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    let isWhole = bytes.withUnsafeBytes { memory in
      forAll(of: memory.count) { Glibc.write(file, memory.baseAddress?.advanced(by: $0), $1) }
    }
    // A full disk may be told by close only.
    let isClosed = close(file) == 0
    guard isWhole, isClosed, rename(temporary, "\(path)/\(name)") == 0 else {
      unlink(temporary)
      return
    }
    clearOut()
  }

  /// Makes the folder and those above it, each for the user alone.
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

  /// Removes what was unused longest until a quarter of the limit is free, if it is passed.
  private func clearOut() {
    let now = time(nil)
    let items = items()
    for item in items where item.name.hasPrefix(Self.unfinished) {
      if now - item.lastUse > Self.unfinishedLife { remove(item) }
    }
    var total = items.reduce(0) { $0 + $1.byteCount }
    guard total > byteLimit else { return }
    for item in items.sorted(by: { $0.lastUse < $1.lastUse }) where total > byteLimit / 4 * 3 {
      remove(item)
      total -= item.byteCount
    }
  }

  private func remove(_ item: Item) { unlink("\(path)/\(item.name)") }

  private func items() -> [Item] {
    names(in: path).compactMap { name in
      var status = stat()
      guard lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        return nil
      }
      // Linux notes a file's last reading about once a day, if the file system is told to at all.
      return Item(
        name: name, byteCount: Int(status.st_size),
        lastUse: max(status.st_atim.tv_sec, status.st_mtim.tv_sec))
    }
  }
}

/// Repeats a call that moves some bytes from an offset on, as `read` and `write` do, until all are
/// moved; false if it fails or ends early.
private func forAll(of count: Int, _ move: (_ offset: Int, _ count: Int) -> Int) -> Bool {
  var done = 0
  while done < count {
    let moved = move(done, count - done)
    if moved < 0, errno == EINTR { continue }
    guard moved > 0 else { return false }
    done += moved
  }
  return true
}
