import CPosix
import Frames
import Glibc
import Settings

/// Standard input, output or standard error.
///
/// Messages are written by a thread, so that nobody who has something to say ever waits for the reader: neither
/// the stages of a recording nor the thread of the signals.
struct StandardStream: Sendable {
  private let number: Int32
  private let writer: MessageWriter

  static let input = StandardStream(number: STDIN_FILENO, writer: MessageWriter())
  static let output = StandardStream(number: STDOUT_FILENO, writer: MessageWriter())
  /// Has the writer of standard output if both lead to the same place, so that the order stays.
  static let error = StandardStream(
    number: STDERR_FILENO,
    writer: leadToOnePlace(STDOUT_FILENO, LibraryLines.standardError)
      ? output.writer : MessageWriter())

  /// Standard error is behind a descriptor of its own while its number belongs to what libraries write.
  private var descriptor: Int32 { number == STDERR_FILENO ? LibraryLines.standardError : number }

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

  private static func leadToOnePlace(_ first: Int32, _ second: Int32) -> Bool {
    FileIdentity(of: first).map { $0 == FileIdentity(of: second) } ?? false
  }

  /// Whether it leads to a file, whose writing waits for no reader.
  var isFile: Bool { FileIdentity(of: descriptor)?.isRegular ?? false }

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

  /// Gives a message with its end of line to the thread that writes; returns at once.
  ///
  /// A lasting one is written however much waits before it. Others are left out, the oldest first, when a reader is far
  /// behind.
  func write(_ text: String, isLasting: Bool = true) {
    writer.send(text, to: descriptor, isLasting: isLasting)
  }

  /// Whether something waits for the reader; what a later message says better is then better not said.
  var isBehind: Bool { writer.isBehind }

  /// The first `errno` of this stream's writing until now, or nil.
  var failure: Int32? { writer.failure(of: descriptor) }

  /// Waits until everything is written, or the reader takes nothing for some seconds.
  ///
  /// - Parameter patience: Seconds for which the reader may take nothing.
  /// - Returns: The first `errno` of this stream's writing, or nil.
  @discardableResult
  func flush(patience: Double = patience) -> Int32? {
    writer.flush(patience: patience)
    return failure
  }

  /// Waits as `flush` does for both streams, before the program ends.
  static func flush(patience: Double = patience) {
    LibraryLines.drain(isOver: true)
    output.flush(patience: patience)
    error.flush(patience: patience)
  }

  /// Seconds for which a reader may take nothing at the end.
  private static let patience = 5.0

  /// Writes a listing, for as long as its reader takes; a reader that stops early (`kfrec effects | head -1`) is
  /// not an error.
  func print(_ text: String) throws(CommandLineError) {
    writer.flush(patience: .infinity)
    guard let code = MessageWriter.put(text, to: descriptor), code != EPIPE else { return }
    throw CommandLineError(
      "standard output cannot be written: \(String(cString: strerror(code)))",
      isUsageError: false)
  }
}
