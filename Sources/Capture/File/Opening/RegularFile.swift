import CPosix
import Glibc

/// A regular file that is read without a demuxer, closed when its owner releases it.
struct RegularFile: ~Copyable {
  let descriptor: Int32
  /// In bytes.
  let size: Int

  /// Opens a file; nil for anything else: opening a FIFO a second time would wait for another writer.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    (descriptor, size) = (file, Int(status.st_size))
  }

  deinit { close(descriptor) }

  /// Reads bytes from a place on into the start of a buffer; returns how many, or -1.
  func read(into buffer: inout [UInt8], count: Int, at place: Int) -> Int {
    pread(descriptor, &buffer, count, off_t(place))
  }
}
