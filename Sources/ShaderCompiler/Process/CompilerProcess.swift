import CPosix
import Glibc

/// Owns a compiler process; its release ends the process.
final class CompilerProcess {
  private let child: pid_t
  /// A socket to the process.
  private let socket: Int32
  /// Seconds that a text may still take when the caller wants to stop; most take less.
  private static let patience = 0.5
  /// Whether it has answered before.
  private(set) var isUsed = false
  private var isReaped = false

  /// Why there was no answer.
  enum Failure: Error {
    /// The caller stopped the wait.
    case stopped
    /// The time limit passed.
    case late
    /// The process ended, by this signal, or 0.
    case ended(signal: Int32)
  }

  /// Starts this program as a compiler process; nil if the system gives none.
  init?() {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    defer { close(ends[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
    for output in [Int32(1), 2] {
      posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
    }
    // Nothing that is open here, such as a camera, stays open there.
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    var words: [UnsafeMutablePointer<CChar>?] = [
      strdup("kfrec"), strdup(CompilerService.word), nil,
    ]
    var variables = Self.environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var pid = pid_t()
    let code = posix_spawn(&pid, "/proc/self/exe", &actions, nil, &words, &variables)
    guard code == 0 else {
      close(ends[0])
      return nil
    }
    (child, socket) = (pid, ends[0])
  }

  /// The environment of the process: folders of libraries, and no report of a crash, because kfrec reports it.
  private static var environment: [String] {
    let names: [String] = ["LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS"]
    let given = names.compactMap { (name: String) -> String? in
      getenv(name).map { "\(name)=\(String(cString: $0))" }
    }
    return given + ["SWIFT_BACKTRACE=enable=no"]
  }

  deinit {
    close(socket)
    guard !isReaped else { return }
    kill(child, SIGKILL)
    _ = reap()
  }

  /// Sends a request, and waits for the answer, without its head.
  ///
  /// After an error the process is of no more use.
  func answer(
    to request: [UInt8], seconds: Double, isStopped: () -> Bool
  ) throws(Failure) -> [UInt8] {
    let end = Self.now + seconds
    var stop: Double?
    var rest = request[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 || errno == EINTR else { throw .ended(signal: reap()) }
      rest = rest.dropFirst(max(count, 0))
    }
    func receive(_ count: Int) throws(Failure) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: count)
      var done = 0
      while done < count {
        var waited = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        let ready = poll(&waited, 1, 20)
        if ready <= 0 {
          let now = Self.now
          if isStopped() { stop = stop ?? now + Self.patience }
          if let stop, now > stop { throw .stopped }
          if now > end { throw .late }
          continue
        }
        let got = bytes.withUnsafeMutableBytes {
          recv(socket, $0.baseAddress.map { $0 + done }, count - done, 0)
        }
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { throw .ended(signal: reap()) }
        done += got
      }
      return bytes
    }
    let head = try receive(CompilerMessage.headLength)
    guard let length = CompilerMessage.length(head) else { throw .ended(signal: 0) }
    let body = try receive(length)
    isUsed = true
    return body
  }

  /// Waits for the end of the process, which has closed its socket; returns the signal that ended it, or 0.
  private func reap() -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    isReaped = true
    return status & 0x7f
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
