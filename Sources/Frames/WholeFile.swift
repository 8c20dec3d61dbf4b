import CPosix
import Glibc

/// A small file of kfrec's own that is written whole: a preset, a report, a map, a page, a script.
///
/// It is written in the same folder under a name that is free, and then renamed. A link at its path is neither
/// followed nor replaced, and a file that is there is replaced only if the caller's rule says so.
package struct WholeFile: Sendable {
  /// What may be replaced.
  package enum Rule: Sendable {
    case nothing
    /// A regular file that begins as files of kfrec's own do; gets its first bytes.
    case own(@Sendable (ArraySlice<UInt8>) -> Bool)
    /// Any regular file.
    case file
  }

  /// Why the file cannot be written.
  package enum Failure: Error, Equatable {
    /// A file is there that the rule does not let be replaced.
    case exists
    /// What is there is no regular file: "a folder".
    case isOther(String)
    /// The number of the error that a call gave.
    case system(Int32)

    /// The end of a sentence that begins with the file's name.
    package var words: String {
      switch self {
      case .exists: "exists, and is not of kfrec"
      case .isOther(let kind): "is \(kind); name a regular file"
      case .system(let code): "cannot be written: \(String(cString: strerror(code)))"
      }
    }
  }

  /// How much of a file a rule sees, in bytes.
  private static let start = 4096
  /// How many names are tried beside the place.
  private static let names = 1000

  package let path: String
  private let rule: Rule

  package init(_ path: String, replacing rule: Rule) {
    (self.path, self.rule) = (path, rule)
  }

  /// Whether something is at the path, a link without a target too.
  package var exists: Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Throws if what is at the path must not be replaced.
  package func check() throws(Failure) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw .system(errno)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFLNK: throw .isOther("a symbolic link")
    case S_IFDIR: throw .isOther("a folder")
    case S_IFIFO: throw .isOther("a FIFO")
    default: throw .isOther("a device or a socket")
    }
    switch rule {
    case .nothing: throw .exists
    case .file: return
    case .own(let isOwn):
      let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard file >= 0 else { throw .system(errno) }
      defer { close(file) }
      var bytes = [UInt8](repeating: 0, count: WholeFile.start)
      let count = read(file, &bytes, bytes.count)
      guard count >= 0 else { throw .system(errno) }
      guard isOwn(bytes[..<count]) else { throw .exists }
    }
  }

  /// Writes the file, which is on the disk when this returns; after an error what was there is as it was.
  package func write(_ bytes: some Sequence<UInt8>, isPrivate: Bool = false) throws(Failure) {
    try check()
    let replaces = exists
    let (file, temporary) = openBeside(isPrivate ? 0o600 : 0o666)
    guard file >= 0 else { throw .system(errno) }
    let bytes = Array(bytes)
    var code = kf_write_all(file, bytes, bytes.count)
    if code == 0, fsync(file) != 0, errno != EINVAL, errno != EROFS { code = errno }
    if close(file) != 0, code == 0 { code = errno }
    if code == 0 {
      code = replaces ? (rename(temporary, path) == 0 ? 0 : errno) : renameToFreeName(temporary)
    }
    guard code != 0 else { return }
    unlink(temporary)
    throw code == EEXIST ? .exists : .system(code)
  }

  private func openBeside(_ mode: mode_t) -> (file: Int32, path: String) {
    for number in 1...WholeFile.names {
      let name = "\(path).\(number).part"
      let file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
      if file >= 0 || errno != EEXIST { return (file, name) }
    }
    return (-1, path)
  }

  private func renameToFreeName(_ temporary: String) -> Int32 {
    let code = kf_rename_exclusively(temporary, path)
    guard code == EINVAL || code == ENOSYS else { return code }
    // The file system cannot rename so; most have hard links.
    if link(temporary, path) == 0 { return unlink(temporary) == 0 ? 0 : errno }
    if errno == EEXIST { return EEXIST }
    return exists ? EEXIST : rename(temporary, path) == 0 ? 0 : errno
  }
}
