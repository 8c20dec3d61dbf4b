import CPosix
import Glibc

/// Checks a path before a demuxer opens it, because a demuxer's messages are less clear.
enum FileProblems {
  /// What a path leads to.
  enum Kind { case file, pipe }

  /// Returns whether a path is read as a file or as a pipe; fails if it cannot be a readable media file.
  static func check(_ path: String) throws(CaptureError) -> Kind {
    var status = stat()
    guard stat(path, &status) == 0 else {
      switch errno {
      case ENOENT, ENOTDIR:
        throw CaptureError("\(path) does not exist; check the name")
      case EACCES: throw forbidden(path)
      default: throw CaptureError("\(path) cannot be read: \(String(cString: strerror(errno)))")
      }
    }
    let kind = status.st_mode & S_IFMT
    switch kind {
    case S_IFDIR:
      throw CaptureError("\(path) is a directory; name a file in it")
    case S_IFREG where status.st_size == 0:
      throw CaptureError("\(path) is empty (0 bytes); there is nothing to read")
    default: break
    }
    if access(path, R_OK) != 0 { throw forbidden(path) }
    return isPipe(kind) ? .pipe : .file
  }

  /// Returns whether a path leads to a FIFO or a character device, whose bytes come at unknown times.
  static func isPipe(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && isPipe(status.st_mode & S_IFMT)
  }

  private static func isPipe(_ kind: mode_t) -> Bool { kind == S_IFIFO || kind == S_IFCHR }

  private static func forbidden(_ path: String) -> CaptureError {
    CaptureError("\(path) may not be read by this user; change its permissions")
  }
}
