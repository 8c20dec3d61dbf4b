import CPosix
import CFFmpeg
import Frames
import Glibc

/// An open output: a file that gets its final name when it is complete, or a pipe that bytes go
/// directly into.
final class OutputChannel {
  /// The name as typed by the user, for messages.
  let name: String
  let writer: ByteWriter
  /// The muxer can seek back and change written bytes.
  let isSeekable: Bool
  /// New name of the file that a killed run had left in the place of this one.
  let recovered: String?
  private var file: PartialFile?
  /// A descriptor that this object closes.
  private let pipe: Int32?
  private var holdsFootage = false

  /// Opens the destination; a FIFO waits for its reader, or until `isStopped` returns true.
  init(
    _ destination: Destination, name: String, isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws {
    self.name = name
    switch destination {
    case .file(let path):
      let made = try PartialFile(place: path, name: name)
      writer = try ByteWriter(file: made.descriptor, isSeekable: true)
      recovered = made.recovered
      file = consume made
      (pipe, isSeekable) = (nil, true)
      return
    case .stream(let path):
      let descriptor = OutputChannel.open(path, until: isStopped)
      guard descriptor >= 0 else { throw EncodeError.cannotMake(name, path, errno) }
      pipe = descriptor
    case .standardOutput: pipe = OutputChannel.openStandardOutput()
    }
    (isSeekable, recovered) = (false, nil)
    do {
      writer = try ByteWriter(
        file: pipe ?? STDOUT_FILENO, isSeekable: false, isStopped: isStopped)
    } catch {
      if let pipe { close(pipe) }
      throw error
    }
  }

  /// Opens the pipe of standard output once more, because the descriptor that other programs share must block; nil if it is
  /// no pipe.
  private static func openStandardOutput() -> Int32? {
    var status = stat()
    guard fstat(STDOUT_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return nil }
    let descriptor = Glibc.open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    return descriptor < 0 ? nil : descriptor
  }

  /// Opens a FIFO or device for writing; returns -1 and sets `errno` on failure or if stopped.
  ///
  /// A full FIFO then refuses bytes, so that a stop can end the wait for its reader.
  private static func open(_ path: String, until isStopped: () -> Bool) -> Int32 {
    while true {
      // A FIFO without a reader fails in this mode (ENXIO); a blocking open could not be stopped.
      let descriptor = Glibc.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      if descriptor >= 0 {
        var status = stat()
        let isPipe = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
        if !isPipe {
          _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        }
        return descriptor
      }
      let failure = errno
      var status = stat()
      let waits = failure == ENXIO && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
      guard waits || failure == EINTR, !isStopped() else {
        errno = failure
        return -1
      }
      usleep(waitForReader)
    }
  }

  /// Time between two attempts, in microseconds.
  private static let waitForReader: UInt32 = 10_000

  /// Messages for the user about a file that was found in the place of the output.
  var notices: [Notice] {
    [recovered].compactMap(\.self).map {
      Notice(
        .outputRecovered, name,
        "an earlier recording of \(name) was not completed; the recorded part is kept as \($0)")
    }
  }

  deinit {
    if let pipe { close(pipe) }
  }

  /// Throws the error of a failed write, even if FFmpeg ignored it.
  func checkWritten() throws(EncodeError) {
    if writer.failure != 0 { throw EncodeError.cannotWrite(name, writer.failure) }
    let code = writer.context.pointee.error
    if code < 0 { throw EncodeError.cannotWrite(name, -code) }
  }

  /// Gives the output its final name; returns its size in bytes.
  func complete(replacing: Bool) throws -> Int64 {
    writer.releaseRoom()
    if var file = file.take() {
      try file.commit(replacing: replacing)
    }
    return writer.end
  }

  /// Records that the written data contains a frame, so that it is not removed.
  func noteFootage() {
    holdsFootage = true
    file?.noteFootage()
  }

  /// Records that the frames in the written data are in another file too, so that it may be removed.
  func forgetFootage() {
    holdsFootage = false
    file?.noteEmpty()
  }

  /// Leaves the data under its partial name; adds that name to an error if the data contains a
  /// frame.
  func keepPartial(after error: any Error) -> any Error {
    guard holdsFootage else {
      abandon()
      return error
    }
    writer.releaseRoom()
    guard var file = file.take() else { return error }
    guard writer.end > 0 else {
      // The frame is still in the buffer.
      file.noteEmpty()
      return error
    }
    return EncodeError("\(error); \(file.keep())")
  }

  /// Releases the output; a file without a frame is removed.
  func abandon() {
    if holdsFootage { writer.releaseRoom() }
    _ = file.take()
  }
}
