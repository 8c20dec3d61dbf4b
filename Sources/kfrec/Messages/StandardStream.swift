import CPosix
import Glibc

/// Standard output or standard error, written at once and without a buffer of ours.
struct StandardStream: Sendable {
  private let descriptor: Int32

  static let output = StandardStream(descriptor: STDOUT_FILENO)
  static let error = StandardStream(descriptor: STDERR_FILENO)

  /// Keeps the numbers of standard input, output and error from files that are opened later, where
  /// the caller has closed them: what is written to a terminal would be written into a movie.
  ///
  /// Each is then opened the wrong way round, so that its use fails as it did.
  static func reserveClosed() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest number that is free.
      _ = open("/dev/null", mode)
    }
  }

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// The terminal's width in characters, or 80 where it is not known.
  var columns: Int {
    let columns = Int(kf_terminal_columns(descriptor))
    return columns > 0 ? columns : 80
  }

  /// Writes all of a text; the `errno` of the failure, if there was one.
  @discardableResult
  func write(_ text: String) -> Int32? {
    var text = text
    return text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count {
        let count = Glibc.write(
          descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
        if count > 0 {
          done += count
        } else if count < 0, errno == EAGAIN {
          // A terminal shared with a program that made it non-blocking.
          var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = Glibc.poll(&poll, 1, -1)
        } else if count < 0, errno != EINTR {
          return errno
        }
      }
      return nil
    }
  }

  /// Writes a listing; a reader that has had enough (`kfrec effects | head -1`) is no failure.
  func print(_ text: String) throws(CommandLineError) {
    guard let code = write(text), code != EPIPE else { return }
    throw CommandLineError(
      "standard output cannot be written: \(String(cString: strerror(code)))",
      isUsageError: false)
  }
}
