import CFFmpeg
import Glibc

/// An open output: a file that gets its name when it is whole, or a pipe that bytes go straight into.
final class OutputChannel {
  /// For messages, as typed.
  let name: String
  let writer: ByteWriter
  /// There is a way back in what was written.
  let isSeekable: Bool
  /// The name of a movie that a killed run had left at the place of this one.
  let recovered: String?
  private var file: PartialFile?
  private let pipe: Int32?

  /// Opens the destination; a FIFO waits for its reader.
  init(_ destination: Destination, name: String) throws {
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
      var descriptor: Int32
      repeat {
        descriptor = open(path, O_WRONLY | O_CLOEXEC)
      } while descriptor < 0 && errno == EINTR
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

  /// Leaves what was written under its partial name, which is returned; nil for a pipe.
  func keepPartial() -> String? {
    writer.releaseRoom()
    guard var file = file.take() else { return nil }
    return file.keep()
  }

  /// Removes what was written, where that can be done.
  func abandon() { _ = file.take() }
}
