import CPosix
import Glibc
import Synchronization

/// Writes what a library, or Swift's runtime, has said last, if a fault or an abort ends the program.
///
/// The handler calls nothing that a handler of signals may not call.
enum CrashLines {
  /// The pipe with what was written to standard error, and the real standard error.
  private static let reader = Atomic<Int32>(-1)
  private static let standardError = Atomic<Int32>(-1)

  /// What happened on the signals before, by their numbers.
  private nonisolated(unsafe) static let earlier = UnsafeMutablePointer<sigaction>.allocate(
    capacity: 32)

  private static let signals = [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP]
  /// A file that is mapped into memory has no other way to say that its disk is full: Mesa maps its cache,
  /// and its software driver from 25.0 on frames, for which a limit of `ulimit -f` counts.
  private static let full: StaticString = """
    kfrec: a file that is mapped into memory has no room on its disk; free some space where the graphics driver keeps \
    its cache (~/.cache, or MESA_SHADER_CACHE_DIR), or allow larger files (ulimit -f)

    """

  /// Takes the signals, for the time until the first of them comes.
  static func prepare(from reader: Int32, to standardError: Int32) {
    self.reader.store(reader, ordering: .releasing)
    self.standardError.store(standardError, ordering: .releasing)
    var action = sigaction()
    action.__sigaction_handler.sa_sigaction = { signal, facts, _ in
      CrashLines.write(signal: signal, isFault: facts.map { $0.pointee.si_code > 0 } ?? false)
    }
    // Swift's runtime may have given them a stack of their own.
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK
    for signal in signals { sigaction(signal, &action, earlier + Int(signal)) }
  }

  private static func write(signal: Int32, isFault: Bool) {
    let (from, to) = (
      reader.load(ordering: .acquiring), standardError.load(ordering: .acquiring)
    )
    // A reader that has stopped does not hold a process that ends.
    func hasRoom() -> Bool {
      var room = pollfd(fd: to, events: Int16(POLLOUT), revents: 0)
      return poll(&room, 1, 200) == 1
    }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) { bytes in
      while hasRoom() {
        let count = read(from, bytes.baseAddress, bytes.count)
        guard count > 0 else { break }
        for place in 0..<count where bytes[place] < 32 && bytes[place] != 10 || bytes[place] == 127
        {
          bytes[place] = UInt8(ascii: "?")
        }
        _ = Glibc.write(to, bytes.baseAddress, count)
      }
    }
    if signal == SIGBUS, isFault, hasRoom() {
      _ = Glibc.write(to, full.utf8Start, full.utf8CodeUnitCount)
    }
    // Whoever explains crashes, such as a sanitizer, comes now, and writes to the real standard error.
    dup2(to, STDERR_FILENO)
    sigaction(signal, earlier + Int(signal), nil)
    // A fault happens again when the handler returns, with its address.
    if !isFault || signal == SIGTRAP { raise(signal) }
  }
}
