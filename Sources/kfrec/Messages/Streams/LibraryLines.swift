import CPosix
import Frames
import Glibc
import Synchronization

/// What libraries write to standard error themselves, taken before anybody sees it.
///
/// Some quote the media that they read: libxml2, Fontconfig, drivers, encoders. Their lines are shown like any
/// text from outside, so none can steer a terminal or forge a message of kfrec. And no library waits for a reader
/// that has stopped: a thread takes its lines at once.
enum LibraryLines {
  private struct State {
    /// The end of the pipe that libraries write into; -1 before.
    var reader: Int32 = -1
    var rest: [UInt8] = []
    var count = 0
    var tell: (@Sendable (String) -> Void)?
  }

  private static let state = Mutex(State())
  private static let original = Atomic<Int32>(STDERR_FILENO)

  static var standardError: Int32 { original.load(ordering: .acquiring) }

  /// More lines than these in one run are left out: a file may cause any number.
  private static let most = 500
  /// A longer line is told in parts.
  private static let longest = 1000

  /// Puts a pipe into the place of standard error, unless a typed word names that as a file; what cannot be prepared leaves
  /// everything as it is.
  ///
  /// `tell` is called with each line, on any thread; nil drops them.
  static func capture(_ typed: [String], tell: (@Sendable (String) -> Void)?) {
    let isNamed = ["/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"].contains { name in
      typed.contains { $0 == name || $0.hasSuffix("=" + name) }
    }
    guard !isNamed else { return }
    var (reader, writer): (Int32, Int32) = (-1, -1)
    guard kf_open_pipe(&reader, &writer) == 0 else { return }
    defer { close(writer) }
    let copy = kf_duplicate(STDERR_FILENO)
    guard copy >= 0 else {
      close(reader)
      return
    }
    do throws(ThreadError) {
      try WorkerThread.deaf(.library) { [reader] in run(reader) }.detach()
    } catch {
      close(copy)
      close(reader)
      return
    }
    state.withLock { ($0.reader, $0.tell) = (reader, tell) }
    original.store(copy, ordering: .releasing)
    CrashLines.prepare(from: reader, to: copy)
    dup2(writer, STDERR_FILENO)
  }

  /// Gives lines to another receiver, such as one that spares a progress line.
  static func pass(to tell: @escaping @Sendable (String) -> Void) {
    state.withLock { if $0.tell != nil { $0.tell = tell } }
  }

  /// Tells what was written until now.
  static func drain(isOver: Bool = false) {
    state.withLock { state in
      guard state.reader >= 0 else { return }
      var block = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(state.reader, &block, block.count)
        guard count > 0 else { break }
        for byte in block[..<count] {
          if byte == UInt8(ascii: "\n") || state.rest.count >= longest { tellLine(&state) }
          if byte != UInt8(ascii: "\n") { state.rest.append(byte) }
        }
      }
      if isOver { tellLine(&state) }
    }
  }

  private static func tellLine(_ state: inout State) {
    let line = String(decoding: state.rest, as: UTF8.self)
    state.rest.removeAll(keepingCapacity: true)
    guard line.contains(where: { !$0.isWhitespace }) else { return }
    state.count += 1
    guard state.count <= most else { return }
    state.tell?("a library wrote: \(line)")
    if state.count == most { state.tell?("more that libraries write is left out") }
  }

  private static func run(_ reader: Int32) {
    while true {
      var waited = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
      poll(&waited, 1, -1)
      drain()
    }
  }
}

extension WorkerThread {
  /// Starts a thread that takes no signals, because it may run before `SignalThread` does.
  static func deaf(
    _ name: ThreadName, body: @escaping @Sendable () -> Void
  ) throws(ThreadError) -> WorkerThread {
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try WorkerThread(name, body: body)
  }
}
