import CPosix
import Frames
import Glibc
import Synchronization

/// The terminal of this process: an open file of its own, so that what other programs do with theirs is not
/// changed.
///
/// Any thread may restore it; one thread reads and writes, and writes nothing after that.
final class TerminalDevice: Sendable {
  /// For `poll`.
  let descriptor: Int32
  private let original: termios
  private let modes: termios
  private let state = Mutex(State())

  private struct State {
    /// Whether the terminal is the view's; false for good when it was restored.
    var isTaken = true
    /// Whether the picture hides what the shell shows.
    var isShown = false
    /// Whether it keeps images that must be deleted.
    var keepsImages = false
  }

  enum Reading {
    case bytes(ArraySlice<UInt8>)
    case nothing
    /// The terminal has gone away, as the end of a sentence.
    case gone(String)
  }

  /// The alternate screen, no cursor, an empty screen.
  private static let entry = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[0m\u{1b}[2J"
  /// Ends what was being written.
  private static let end = "\u{1b}\\\u{1b}[?2026l"
  private static let deletion = "\u{1b}_Ga=d,d=A,q=2\u{1b}\\"
  /// Undoes `entry`.
  private static let exit = "\u{1b}[0m\u{1b}[2J\u{1b}[?25h\u{1b}[?1049l"

  /// Opens the terminal that controls this process, or the one of standard output or error.
  ///
  /// It then gives keys one by one, and does not show them. Ctrl-C goes on to send its signal.
  ///
  /// - Throws: If there is none, or another program has it.
  init() throws(TerminalError) {
    guard !TerminalFacts.isDumb else {
      throw TerminalError(
        "the terminal cannot show pictures because TERM is not set or is dumb; set it, or use --preview=window"
      )
    }
    let mode = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
    var file = open("/dev/tty", mode)
    for standard in [STDOUT_FILENO, STDERR_FILENO] where file < 0 && isatty(standard) == 1 {
      file = open("/proc/self/fd/\(standard)", mode)
    }
    guard file >= 0 else {
      throw TerminalError(
        "there is no terminal to show pictures in; start kfrec in one (ssh -t), or leave out the preview"
      )
    }
    // The view of a program in the background would write into the shell.
    guard Self.isInForeground(file) else {
      close(file)
      throw TerminalError(
        "the terminal belongs to another program now; start kfrec in the foreground, or leave out the preview"
      )
    }
    // Should the program get into the background later, it goes on.
    signal(SIGTTOU, SIG_IGN)
    signal(SIGTTIN, SIG_IGN)
    var modes = termios()
    guard tcgetattr(file, &modes) == 0 else {
      let reason = String(cString: strerror(errno))
      close(file)
      throw TerminalError("the modes of the terminal cannot be read: \(reason)")
    }
    original = modes
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    modes.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
    withUnsafeMutableBytes(of: &modes.c_cc) { keys in
      // Neither of these keys may stop the recording.
      keys[Int(VSUSP)] = 0
      keys[Int(VQUIT)] = 0
      // The shell may have set others: a reading takes what there is.
      keys[Int(VMIN)] = 1
      keys[Int(VTIME)] = 0
    }
    tcsetattr(file, TCSANOW, &modes)
    self.modes = modes
    descriptor = file
  }

  deinit {
    restore()
    close(descriptor)
  }

  /// The size in cells, and that of a cell in pixels if the terminal tells it.
  var size: TerminalSize {
    TerminalSize(
      reported: (Int(kf_terminal_columns(descriptor)), Int(kf_terminal_rows(descriptor))),
      pixels: (Int(kf_terminal_width(descriptor)), Int(kf_terminal_height(descriptor))))
  }

  /// Whether the terminal is this program's now; otherwise the shell has it.
  var isInForeground: Bool { Self.isInForeground(descriptor) }

  private static func isInForeground(_ file: Int32) -> Bool {
    let owner = tcgetpgrp(file)
    // A terminal that does not control this process has no such owner.
    return owner < 0 || owner == getpgrp()
  }

  /// Sets the modes of the view, and shows an empty screen, which hides what the shell shows.
  func showScreen(for style: TerminalStyle) {
    state.withLock { state in
      guard state.isTaken else { return }
      (state.isShown, state.keepsImages) = (true, style == .kitty)
      var modes = modes
      tcsetattr(descriptor, TCSANOW, &modes)
      send(Self.entry)
    }
  }

  /// Reads what was typed or answered.
  func read() -> Reading {
    var block = [UInt8](repeating: 0, count: 1024)
    let count = Glibc.read(descriptor, &block, block.count)
    if count > 0 { return .bytes(block[..<count]) }
    if count < 0, [EAGAIN, EINTR].contains(errno) { return .nothing }
    // A program in the background may not read.
    if count < 0, errno == EIO, tcgetpgrp(descriptor) != getpgrp() { return .nothing }
    return .gone(count < 0 ? String(cString: strerror(errno)) : "it has hung up")
  }

  /// Writes what the terminal takes now; returns the number of bytes, or nil if the terminal is gone.
  ///
  /// What comes after the terminal was restored is dropped.
  func write(_ bytes: ArraySlice<UInt8>) -> Int? {
    state.withLock { $0.isTaken ? put(bytes) : bytes.count }
  }

  private func put(_ bytes: ArraySlice<UInt8>) -> Int? {
    let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count >= 0 { return count }
    return [EAGAIN, EINTR].contains(errno) ? 0 : nil
  }

  /// Writes a whole text, but waits for a terminal that does not read for a tenth of a second at most.
  private func send(_ text: String) {
    var rest = Array(text.utf8)[...]
    let begin = MonotonicTime.now
    while !rest.isEmpty, MonotonicTime.now.seconds(since: begin) < 0.1 {
      guard let count = put(rest) else { return }
      rest = rest.dropFirst(count)
      var waited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      if !rest.isEmpty { poll(&waited, 1, 10) }
    }
  }

  /// Makes the terminal what it was, and then writes the text; only the first call does something.
  ///
  /// What was not sent yet is dropped, so that a terminal that does not read can be restored too.
  func restore(andWrite text: String = "") {
    state.withLock { state in
      guard state.isTaken else { return }
      state.isTaken = false
      // In the background the modes are those of the shell, and what is typed is for it.
      let isInForeground = isInForeground
      if isInForeground { tcflush(descriptor, TCIOFLUSH) }
      if state.isShown {
        send(Self.end + (state.keepsImages ? Self.deletion : "") + Self.exit)
      }
      var modes = original
      if isInForeground { tcsetattr(descriptor, TCSANOW, &modes) }
      send(text)
    }
  }
}

struct TerminalSize: Equatable {
  var columns: Int
  var rows: Int
  /// The size of a cell in pixels; that of most terminals if it is not known.
  var cell: (width: Int, height: Int) = (8, 16)

  /// More cells are not drawn, and a larger size of a cell is not believed: a terminal may report anything.
  private static let (most, largestCell) = ((columns: 1000, rows: 500), 512)

  /// - Parameters:
  ///   - cells: The columns and rows that a terminal tells, or 0.
  ///   - pixels: Its width and height, or 0.
  init(reported cells: (columns: Int, rows: Int), pixels: (width: Int, height: Int)) {
    let isKnown = cells.columns > 0 && cells.rows > 0
    columns = cells.columns > 0 ? min(cells.columns, Self.most.columns) : 80
    rows = cells.rows > 0 ? min(cells.rows, Self.most.rows) : 24
    guard isKnown else { return }
    let (width, height) = (pixels.width / cells.columns, pixels.height / cells.rows)
    let usual = 1...Self.largestCell
    if usual.contains(width), usual.contains(height) { cell = (width, height) }
  }

  static func == (a: Self, b: Self) -> Bool {
    (a.columns, a.rows) == (b.columns, b.rows) && a.cell == b.cell
  }
}
