import CPosix
import Glibc
package import Testing

/// A program that runs in parallel with the test; it makes progress only in `wait`, `waitForError` and
/// `waitForOutput`, which feed its input and collect its output.
///
/// Used by one thread. A child that nobody waited for is killed with the last reference.
package final class ChildProcess {
  package enum Input {
    case nothing
    /// Bytes through a pipe, in which the child cannot seek.
    case bytes([UInt8])
    /// A pipe that stays open, empty or with bytes from `feed`, until the child ends or `feed` closes it.
    case silence
  }

  package let id: Int32
  private var toChild: Int32
  private var fromOutput: Int32
  private var fromError: Int32
  private var unsent: ArraySlice<UInt8>
  private var isFedLater = false
  private var output: [UInt8] = []
  private var errors: [UInt8] = []
  private var status: Int32?

  /// Starts `program` (searched in PATH if it has no slash); `environment` changes the inherited
  /// variables, and nil removes one.
  package init(
    _ program: String, _ words: [String], folder: String? = nil,
    environment: [String: String?] = [:], input: Input = .nothing
  ) throws {
    // A write to a child that has ended is then an error here, and does not end the test.
    signal(SIGPIPE, SIG_IGN)
    let (inPipe, outPipe, errorPipe) = (try Pipe(), try Pipe(), try Pipe())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
    if case .nothing = input {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    } else {
      posix_spawn_file_actions_adddup2(&actions, inPipe.reader, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, outPipe.writer, 1)
    posix_spawn_file_actions_adddup2(&actions, errorPipe.writer, 2)

    // The child starts with no signal blocked or ignored, whatever the test runner does with them.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))

    var child = pid_t()
    let code = try withCStrings([program] + words) { arguments in
      try withCStrings(childEnvironment(changes: environment)) { variables in
        posix_spawnp(&child, program, &actions, &attributes, arguments, variables)
      }
    }
    for descriptor in [inPipe.reader, outPipe.writer, errorPipe.writer] { close(descriptor) }
    guard code == 0 else {
      for descriptor in [inPipe.writer, outPipe.reader, errorPipe.reader] { close(descriptor) }
      throw TestSupportError("\(program) does not start: \(String(cString: strerror(code)))")
    }
    id = child
    (toChild, fromOutput, fromError) = (inPipe.writer, outPipe.reader, errorPipe.reader)
    for descriptor in [toChild, fromOutput, fromError] {
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }
    switch input {
    case .nothing:
      unsent = []
      closeInput()
    case .silence:
      unsent = []
      isFedLater = true
    case .bytes(let bytes):
      unsent = bytes[...]
      if bytes.isEmpty { closeInput() }
    }
  }

  deinit {
    if status == nil {
      kill(id, SIGKILL)
      var status: Int32 = 0
      waitpid(id, &status, 0)
    }
    for descriptor in [toChild, fromOutput, fromError] where descriptor >= 0 { close(descriptor) }
  }

  /// Whether the child has taken all bytes of `feed`.
  package var hasTakenAll: Bool { unsent.isEmpty }

  /// Appends bytes to an input that is `silence`; nil closes it after the bytes before.
  package func feed(_ bytes: [UInt8]?) {
    guard let bytes else {
      isFedLater = false
      if unsent.isEmpty { closeInput() }
      return
    }
    unsent += bytes
  }

  package func send(_ signal: Int32) { kill(id, signal) }

  /// Waits until the child waits for signals: one that comes sooner ends it without a word.
  package func waitUntilItHearsSignals() {
    waitUntil(self) {
      guard let text = try? readFile("/proc/\(id)/status") else { return false }
      let line = String(decoding: text, as: UTF8.self).split(separator: "\n")
        .first { $0.hasPrefix("SigBlk:") }
      let blocked = line.flatMap { UInt64($0.suffix(16), radix: 16) } ?? 0
      return blocked & 1 << UInt64(SIGINT - 1) != 0
    }
  }

  /// The factor on a child's time limits, larger under a sanitizer, which sets KFREC_TEST_PATIENCE.
  package static let patience =
    getenv("KFREC_TEST_PATIENCE").flatMap { Double(String(cString: $0)) } ?? 1

  /// The seconds after which a test takes something for hung: no measurement, because other programs may
  /// have the processors for a while.
  package static let limit = 600.0

  /// Waits until the child has written `text` to standard error; returns false if it ended, or its time
  /// was up, before.
  package func waitForError(_ text: String, seconds: Double = limit) -> Bool {
    let deadline = now() + seconds * ChildProcess.patience
    while !String(decoding: errors, as: UTF8.self).contains(text) {
      guard now() < deadline, status == nil else { return false }
      pump()
    }
    return true
  }

  /// Waits until `condition` holds for the child's standard output; returns false if it ended, or its
  /// time was up, before.
  package func waitForOutput(
    seconds: Double = limit, until condition: (String) -> Bool
  ) -> Bool {
    let deadline = now() + seconds * ChildProcess.patience
    while !condition(String(decoding: output, as: UTF8.self)) {
      guard now() < deadline, status == nil else { return false }
      pump()
    }
    return true
  }

  /// The child's resident memory in bytes, without files; nil after its end.
  package var residentMemory: Int? {
    guard let text = try? readFile("/proc/\(id)/status") else { return nil }
    let line = String(decoding: text, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("RssAnon:") }
    return line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first
      .flatMap { Int($0) }.map { $0 * 1024 }
  }

  /// The number of descriptors that the child has open; 0 after its end.
  package var openDescriptors: Int { namesInFolder("/proc/\(id)/fd").count }

  /// Waits until the child ends, and kills it at the time limit.
  package func wait(seconds: Double = limit) -> ChildResult {
    let deadline = now() + seconds * ChildProcess.patience
    var timedOut = false
    while status == nil {
      if !timedOut, now() >= deadline {
        timedOut = true
        kill(id, SIGKILL)
      }
      pump()
    }
    return ChildResult(
      status: status ?? 0, timedOut: timedOut, output: output,
      errors: String(decoding: errors, as: UTF8.self))
  }

  /// Moves bytes in all pipes, waits for them briefly, and checks whether the child has ended.
  private func pump() {
    var polled = [
      pollfd(fd: fromOutput, events: Int16(POLLIN), revents: 0),
      pollfd(fd: fromError, events: Int16(POLLIN), revents: 0),
      pollfd(fd: unsent.isEmpty ? -1 : toChild, events: Int16(POLLOUT), revents: 0),
    ]
    poll(&polled, nfds_t(polled.count), 10)
    feed()
    drain(&fromOutput, into: &output)
    drain(&fromError, into: &errors)
    var status: Int32 = 0
    guard waitpid(id, &status, WNOHANG) == id else { return }
    drain(&fromOutput, into: &output)
    drain(&fromError, into: &errors)
    closeInput()
    self.status = status
  }

  private func feed() {
    guard !unsent.isEmpty, toChild >= 0 else { return }
    let count = unsent.withUnsafeBytes { write(toChild, $0.baseAddress, $0.count) }
    if count > 0 { unsent = unsent.dropFirst(count) }
    let isBroken = count < 0 && errno != EAGAIN && errno != EINTR
    if isBroken || (unsent.isEmpty && !isFedLater) { closeInput() }
  }

  private func closeInput() {
    if toChild >= 0 { close(toChild) }
    toChild = -1
    unsent = []
  }

  private func drain(_ descriptor: inout Int32, into bytes: inout [UInt8]) {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while descriptor >= 0 {
      let count = read(descriptor, &block, block.count)
      if count > 0 {
        bytes += block[..<count]
      } else if count == 0 {
        close(descriptor)
        descriptor = -1
      } else if errno != EINTR {
        return
      }
    }
  }
}

/// The result of a child.
package struct ChildResult: CustomStringConvertible {
  /// The exit code; nil if a signal ended the child.
  package let exitCode: Int32?
  package let signal: Int32?
  /// Whether the child was killed at its time limit.
  package let timedOut: Bool
  package let output: [UInt8]
  package let errors: String
  package var text: String { String(decoding: output, as: UTF8.self) }

  /// The largest memory use, in bytes, of a kfrec with `--stats --progress json`; nil for others.
  package var peakMemory: Int? {
    text.firstRange(of: "\"peakMemory\":").flatMap {
      Int(text[$0.upperBound...].prefix(while: \.isNumber))
    }
  }

  init(status: Int32, timedOut: Bool, output: [UInt8], errors: String) {
    // WIFEXITED, WEXITSTATUS and WTERMSIG are macros.
    exitCode = status & 0x7f == 0 ? status >> 8 & 0xff : nil
    signal = status & 0x7f == 0 ? nil : status & 0x7f
    self.timedOut = timedOut
    self.output = output
    self.errors = errors
  }

  package var description: String {
    let end = exitCode.map { "exit code \($0)" } ?? "signal \(signal ?? 0)"
    return "\(end)\(timedOut ? " (time was up)" : ""), standard error: \(errors)"
  }
}

private struct Pipe {
  let reader: Int32
  let writer: Int32

  init() throws {
    // Closed on exec: suites run in parallel, and another suite's child that inherited an end would
    // prevent this child's end of file.
    var ends: [Int32] = [0, 0]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { throw TestSupportError("no pipe: \(errorText())") }
    (reader, writer) = (ends[0], ends[1])
  }
}

func withCStrings<Result>(
  _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
) rethrows -> Result {
  let pointers = texts.map { strdup($0) }
  defer { pointers.forEach { free($0) } }
  return try body(pointers + [nil])
}

/// Returns the test runner's environment with changes.
func childEnvironment(changes: [String: String?]) throws -> [String] {
  let inherited = try readFile("/proc/self/environ").split(separator: 0)
    .map { String(decoding: $0, as: UTF8.self) }
  let kept = inherited.filter { variable in
    !changes.keys.contains { variable.hasPrefix($0 + "=") }
  }
  return kept + changes.compactMap { name, value in value.map { "\(name)=\($0)" } }
}

/// Checks a condition every few milliseconds until it holds; returns false at the limit, which is an issue of the test,
/// or if `child`, whose pipes are served meanwhile, ends without it.
@discardableResult
package func waitUntil(
  _ child: ChildProcess? = nil, every seconds: Double = 0.02,
  sourceLocation: SourceLocation = #_sourceLocation, _ condition: () throws -> Bool
) rethrows -> Bool {
  let deadline = now() + ChildProcess.limit * ChildProcess.patience
  while try !condition() {
    guard now() < deadline else {
      Issue.record("what is waited for does not come", sourceLocation: sourceLocation)
      return false
    }
    guard let child else {
      usleep(useconds_t(seconds * 1e6))
      continue
    }
    let pauseEnd = now() + seconds
    if !child.waitForOutput(until: { _ in now() >= pauseEnd }) { return try condition() }
  }
  return true
}

func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
