import Glibc

/// Reports when files in some folders may have been written or replaced.
///
/// The kernel's inotify reports changes at once. It does not see some changes, such as those that
/// another machine makes in a network folder; for these, `wait` returns once a second and the caller
/// checks. One thread waits; any may end its wait.
final class FolderWatch: Sendable {
  /// Milliseconds between two checks if inotify reports nothing.
  private static let interval: Int32 = 1000
  /// Milliseconds without a change that end a series of changes: an editor makes several.
  private static let quiet: Int32 = 50

  private let notifier: Int32
  private let stopReader: Int32
  private let stopWriter: Int32

  init() throws(RecorderError) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Self.error("pipe", errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let notifier = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard notifier >= 0 else {
      let code = errno
      for end in ends { close(end) }
      throw Self.error("inotify_init1", code)
    }
    (stopReader, stopWriter, self.notifier) = (ends[0], ends[1], notifier)
  }

  deinit {
    for descriptor in [notifier, stopReader, stopWriter] { close(descriptor) }
  }

  /// Also watches these folders; folders that do not exist or cannot be watched are only covered by the
  /// check once a second.
  func add(_ folders: Set<String>) {
    // Written, renamed into place, linked; a file that is still being written is ignored.
    let mask = UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_CREATE)
    for folder in folders { _ = inotify_add_watch(notifier, folder, mask) }
  }

  /// Waits for a series of changes to end (returns true) or for one second (returns false); nil when
  /// stopped.
  func wait() -> Bool? {
    var patience = Self.interval
    // A folder that changes all the time is still checked.
    for _ in 0..<20 {
      var waited = [
        pollfd(fd: notifier, events: Int16(POLLIN), revents: 0),
        pollfd(fd: stopReader, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&waited, 2, patience)
      if count < 0, errno == EINTR { continue }
      if waited[1].revents != 0 {
        var byte: UInt8 = 0
        // The end of the pipe, or an error, is a stop too.
        return read(stopReader, &byte, 1) == 1 && byte == Self.woken ? true : nil
      }
      guard count > 0 else { return patience == Self.quiet }
      drain()
      patience = Self.quiet
    }
    return true
  }

  /// Ends the watching: the current wait or the next one returns nil; may be called from any thread.
  func stop() { send(Self.stopped) }

  /// Ends the current wait or the next one, as a change would; may be called from any thread.
  func wake() { send(Self.woken) }

  private static let (stopped, woken): (UInt8, UInt8) = (1, 2)

  private func send(_ byte: UInt8) {
    var byte = byte
    _ = write(stopWriter, &byte, 1)
  }

  private func drain() {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { bytes in
      while read(notifier, bytes.baseAddress, bytes.count) > 0 {}
    }
  }

  private static func error(_ call: String, _ code: Int32) -> RecorderError {
    RecorderError(
      "effects cannot be watched: \(call): \(String(cString: strerror(code))); leave out --reload")
  }
}
