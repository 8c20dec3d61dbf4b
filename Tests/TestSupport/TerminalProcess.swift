import CPosix
import Glibc

/// A program in a terminal of its own; the test is the terminal: it types, reads, answers and resizes.
///
/// Used by one thread. What the program writes is read in `waitForOutput` and `wait`, and not between them. A
/// child that nobody waited for is killed with the last reference.
package final class TerminalProcess {
  package let id: Int32
  private var terminal: Int32
  private var status: Int32?
  /// All that the program has written and the test has read.
  package private(set) var output: [UInt8] = []

  /// Starts a program whose standard input, output and error are the terminal.
  ///
  /// The terminal tells it the size of a cell in pixels, unless that is nil.
  package init(
    _ program: String, _ words: [String], folder: String, environment: [String: String?] = [:],
    columns: Int = 80, rows: Int = 24, cell: (width: Int, height: Int)? = nil
  ) throws {
    let opened = kf_open_pseudoterminal()
    guard opened >= 0 else { throw TestSupportError("there is no pseudoterminal") }
    terminal = opened
    kf_resize_terminal(
      opened, Int32(columns), Int32(rows), Int32(columns * (cell?.width ?? 0)),
      Int32(rows * (cell?.height ?? 0)))
    var name = [CChar](repeating: 0, count: 256)
    kf_pseudoterminal_name(opened, &name, name.count)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addchdir_np(&actions, folder)
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
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
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | kf_spawn_session_flag())
    var child = pid_t()
    let code = try withCStrings([program] + words) { arguments in
      try withCStrings(childEnvironment(changes: environment)) { variables in
        posix_spawnp(&child, program, &actions, &attributes, arguments, variables)
      }
    }
    guard code == 0 else {
      close(opened)
      throw TestSupportError("\(program) does not start: \(String(cString: strerror(code)))")
    }
    id = child
  }

  deinit {
    if status == nil {
      kill(id, SIGKILL)
      var status: Int32 = 0
      waitpid(id, &status, 0)
    }
    if terminal >= 0 { close(terminal) }
  }

  /// Takes the terminal away, as a connection does that breaks.
  package func hangUp() {
    close(terminal)
    terminal = -1
  }

  package func send(_ signal: Int32) { kill(id, signal) }

  /// Types a text, or answers with one.
  package func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
  }

  package func resize(columns: Int, rows: Int) {
    kf_resize_terminal(terminal, Int32(columns), Int32(rows), 0, 0)
  }

  /// How the terminal treats keys: its local modes, input modes and special characters.
  package var modes: [UInt] {
    var modes = termios()
    tcgetattr(terminal, &modes)
    return [UInt(modes.c_lflag), UInt(modes.c_iflag)]
      + withUnsafeBytes(of: &modes.c_cc) { $0.map(UInt.init) }
  }

  /// What was written, as text; bytes that are no UTF-8 are replaced.
  package var text: String { String(decoding: output, as: UTF8.self) }

  /// Reads until a condition holds for what was written; returns false if the program ended, or its time was
  /// up, before.
  package func waitForOutput(seconds: Double = ChildProcess.limit, until condition: () -> Bool)
    -> Bool
  {
    let deadline = now() + seconds * ChildProcess.patience
    while !condition() {
      guard now() < deadline, status == nil else { return condition() }
      read()
      check()
    }
    return true
  }

  /// Waits until the program ends, and kills it at the time limit; returns the exit code, or the negative signal.
  ///
  /// Unless `isReading` the terminal takes nothing that the program writes.
  package func wait(seconds: Double = ChildProcess.limit, isReading: Bool = true) -> Int32 {
    let deadline = now() + seconds * ChildProcess.patience
    while status == nil {
      if now() >= deadline { kill(id, SIGKILL) }
      if isReading { read() } else { usleep(10_000) }
      check()
    }
    // What the program wrote last is still in the terminal.
    while readOnce() {}
    let status = status ?? 0
    return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
  }

  private func check() {
    var status: Int32 = 0
    if waitpid(id, &status, WNOHANG) == id { self.status = status }
  }

  private func read() {
    var waited = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    guard poll(&waited, 1, 10) > 0 else { return }
    // Where nobody has the terminal any more, `poll` does not wait.
    if !readOnce() { usleep(1000) }
  }

  private func readOnce() -> Bool {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(terminal, &block, block.count)
    if count > 0 { output += block[..<count] }
    return count > 0
  }
}
