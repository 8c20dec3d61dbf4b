import CPosix
import Frames
import Glibc

/// A folder that is open: what is in it is reached from its descriptor, and a link never counts as a folder or a file.
final class OwnFolder {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Opens a folder; nil, with `errno`, if there is none or if the path is a link.
  static func open(_ path: String) -> OwnFolder? { open(path, in: AT_FDCWD) }

  private static func open(_ name: String, in parent: Int32) -> OwnFolder? {
    let file = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    return file < 0 ? nil : OwnFolder(file)
  }

  deinit { close(descriptor) }

  /// Opens a folder in this one; nil, with `errno`, if there is none of the name, or if it is a link or on
  /// another disk.
  func folder(_ name: String) -> OwnFolder? {
    guard let inner = OwnFolder.open(name, in: descriptor) else { return nil }
    guard inner.device == device else {
      errno = EXDEV
      return nil
    }
    return inner
  }

  private var device: dev_t? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status.st_dev : nil
  }

  /// What is in the folder, sorted; empty if it cannot be read.
  var names: [String] { Frames.names(inFolder: descriptor) }

  /// Whether a name is that of a regular file, and not of a link to one.
  func holdsFile(_ name: String) -> Bool {
    var status = stat()
    return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      && status.st_mode & S_IFMT == S_IFREG
  }

  /// Makes an empty file; does nothing if the name is taken.
  func makeFile(_ name: String) {
    let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    if file >= 0 { close(file) }
  }

  /// Removes the regular files whose names fit; nothing else.
  func removeFiles(where isRemoved: (String) -> Bool = { _ in true }) {
    for name in names where isRemoved(name) && holdsFile(name) { unlinkat(descriptor, name, 0) }
  }

  /// Removes a folder in this one with its regular files; anything else in it stays, and then so does the folder.
  ///
  /// With `isEmpty` it is removed only if it is empty.
  func removeFolder(_ name: String, isEmpty: Bool = false) {
    if !isEmpty { folder(name)?.removeFiles() }
    unlinkat(descriptor, name, AT_REMOVEDIR)
  }
}
