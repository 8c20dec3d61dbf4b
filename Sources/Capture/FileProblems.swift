import Glibc

/// What can be said against a path before a demuxer sees it, in better words than a demuxer has.
enum FileProblems {
  /// Throws if the path cannot be a readable media file; a URL or FIFO passes.
  static func check(_ path: String) throws(CaptureError) {
    guard !path.contains("://"), path != "pipe:0" else { return }
    var status = stat()
    guard stat(path, &status) == 0 else {
      switch errno {
      case ENOENT, ENOTDIR:
        throw CaptureError("\(path) does not exist; check the name")
      case EACCES: throw forbidden(path)
      default: throw CaptureError("\(path) cannot be read: \(String(cString: strerror(errno)))")
      }
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      throw CaptureError("\(path) is a directory; name a file in it")
    case S_IFREG where status.st_size == 0:
      throw CaptureError("\(path) is empty (0 bytes); there is nothing to read")
    default: break
    }
    if access(path, R_OK) != 0 { throw forbidden(path) }
  }

  private static func forbidden(_ path: String) -> CaptureError {
    CaptureError("\(path) may not be read by this user; change its permissions")
  }
}
