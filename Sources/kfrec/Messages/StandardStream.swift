import CPosix
import Glibc

/// Standard input, output or standard error, written at once and without a buffer.
struct StandardStream: Sendable {
  private let descriptor: Int32

  static let input = StandardStream(descriptor: STDIN_FILENO)
  static let output = StandardStream(descriptor: STDOUT_FILENO)
  static let error = StandardStream(descriptor: STDERR_FILENO)

  /// Opens the descriptors of standard input, output and error if the caller has closed them, so that
  /// files opened later do not get them: text for a terminal would go into a video file.
  ///
  /// Each is opened with the wrong access mode, so that its use still fails.
  static func reserveClosed() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(descriptor, F_GETFD) == -1 {
      // `open` takes the lowest free number.
      _ = open("/dev/null", mode)
    }
  }

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// The terminal's width in characters, or 80 if it is unknown.
  var columns: Int {
    let columns = Int(kf_terminal_columns(descriptor))
    return columns > 0 ? columns : 80
  }

  /// The terminal's height in lines, or 24 if it is unknown.
  var rows: Int {
    let rows = Int(kf_terminal_rows(descriptor))
    return rows > 0 ? rows : 24
  }

  /// Writes the whole text; returns the `errno` of a failure, or nil.
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
          // The terminal is shared with a program that made it non-blocking.
          var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = Glibc.poll(&poll, 1, -1)
        } else if count < 0, errno != EINTR {
          return errno
        }
      }
      return nil
    }
  }

  /// Writes a listing; a reader that stops early (`kfrec effects | head -1`) is not an error.
  func print(_ text: String) throws(CommandLineError) {
    guard let code = write(text), code != EPIPE else { return }
    throw CommandLineError(
      "standard output cannot be written: \(String(cString: strerror(code)))",
      isUsageError: false)
  }
}
