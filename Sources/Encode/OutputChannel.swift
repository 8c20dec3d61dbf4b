import CFFmpeg
import Frames
import Glibc

/// An open output: a file that gets its name when it is whole, or a pipe that bytes go straight into.
final class OutputChannel {
  /// For messages, as typed.
  let name: String
  let writer: ByteWriter
  /// There is a way back in what was written.
  let isSeekable: Bool
  /// The name that was given to what a killed run had left at the place of this one.
  let recovered: String?
  private var file: PartialFile?
  private let pipe: Int32?
  private var holdsFootage = false

  /// Opens the destination; a FIFO waits for its reader, or until `isStopped`.
  init(
    _ destination: Destination, name: String, isStopped: @Sendable () -> Bool = { false }
  ) throws {
    self.name = name
    switch destination {
    case .file(let path):
      let made = try PartialFile(place: path, name: name)
      writer = try ByteWriter(file: made.descriptor, isSeekable: true)
      recovered = made.recovered
      file = consume made
      pipe = nil
      isSeekable = true
    case .stream(let path):
      let descriptor = OutputChannel.open(path, until: isStopped)
      guard descriptor >= 0 else { throw EncodeError.cannotMake(name, path, errno) }
      do {
        writer = try ByteWriter(file: descriptor, isSeekable: false)
      } catch {
        close(descriptor)
        throw error
      }
      pipe = descriptor
      isSeekable = false
      recovered = nil
    case .standardOutput:
      writer = try ByteWriter(file: STDOUT_FILENO, isSeekable: false)
      pipe = nil
      isSeekable = false
      recovered = nil
    }
  }

  /// Opens a FIFO or device for writing; -1 and `errno` where that fails or it was stopped.
  private static func open(_ path: String, until isStopped: () -> Bool) -> Int32 {
    while true {
      // A FIFO without a reader fails with it (ENXIO), and would wait without a way out else.
      let descriptor = Glibc.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      if descriptor >= 0 {
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK)
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

  /// In microseconds.
  private static let waitForReader: UInt32 = 10_000

  /// What the user should know of what was found at its place.
  var notices: [Notice] {
    recovered.map {
      [
        Notice(
          .outputRecovered, name,
          "an earlier recording of \(name) did not come to its end; what there is of it is kept as \($0)"
        )
      ]
    } ?? []
  }

  deinit {
    if let pipe { close(pipe) }
  }

  /// Throws what a write met, even where FFmpeg made nothing of it.
  func checkWritten() throws(EncodeError) {
    if writer.failure != 0 { throw EncodeError.cannotWrite(name, writer.failure) }
    let code = writer.context.pointee.error
    if code < 0 { throw EncodeError.cannotWrite(name, -code) }
  }

  /// Gives the output its name; the bytes that it holds are returned.
  func complete(replacing: Bool) throws -> Int64 {
    writer.releaseRoom()
    if var file = file.take() {
      try file.commit(replacing: replacing)
    }
    return writer.end
  }

  /// From now on there is a frame in what was written, which is not removed any more.
  func noteFootage() {
    holdsFootage = true
    file?.noteFootage()
  }

  /// Leaves what was written under its partial name; adds that to an error where there is a frame in it.
  func keepPartial(after error: any Error) -> any Error {
    guard holdsFootage else {
      abandon()
      return error
    }
    writer.releaseRoom()
    guard var file = file.take() else { return error }
    guard writer.end > 0 else {
      // The frame has not come out of the buffer.
      file.noteEmpty()
      return error
    }
    return EncodeError("\(error); \(file.keep())")
  }

  /// Lets go of the output, which is removed where it is a file without a frame.
  func abandon() {
    if holdsFootage { writer.releaseRoom() }
    _ = file.take()
  }
}
