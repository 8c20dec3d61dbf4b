import Frames
import CFFmpeg
import CPosix
import FFmpegHandles
import Glibc

/// Reads the bytes of a pipe, FIFO or terminal for a demuxer; also of a file that is standard input.
///
/// FFmpeg's own protocols block in `read` until somebody writes; an interruption can end the waits of
/// this class. Used only by the reading thread.
final class PipeInput {
  private let descriptor: Int32
  private let interruption: Interruption
  private let handle: AVIOContextHandle
  private var context: UnsafeMutablePointer<AVIOContext> { handle.pointer }

  /// The last bytes that were read one after another: at least `tailLength`, where there were as many.
  private var tail: [UInt8] = []
  /// Where they end.
  private var position = 0

  private static let blockSize = 1 << 15
  private static let tailLength = 1 << 17
  /// Longest wait before the interruption is checked again, in milliseconds.
  private static let pollMilliseconds: Int32 = 50

  /// Opens a FIFO, or takes standard input if there is no path.
  init(path: String?, name: String, interruption: Interruption) throws(CaptureError) {
    // Without O_NONBLOCK, opening a FIFO waits for a writer and cannot be interrupted; with it, the
    // first read waits.
    descriptor =
      path.map { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) } ?? fcntl(0, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else {
      throw CaptureError("\(name) cannot be read: \(String(cString: strerror(errno)))")
    }
    self.interruption = interruption
    do throws(FFmpegError) {
      handle = try AVIOContextHandle(
        bufferSize: PipeInput.blockSize,
        read: { opaque, bytes, count in
          guard let opaque, let bytes else { return kf_averror(EINVAL) }
          return Unmanaged<PipeInput>.fromOpaque(opaque).takeUnretainedValue().read(bytes, count)
        },
        seek: { opaque, offset, whence in
          guard let opaque else { return Int64(kf_averror(EINVAL)) }
          return Unmanaged<PipeInput>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
        }, subject: name)
    } catch {
      close(descriptor)
      throw CaptureError("\(error)")
    }
    // Swift allows references to `self` only from here on.
    context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    let canSeek = lseek(descriptor, 0, SEEK_CUR) >= 0
    context.pointee.seekable = canSeek ? AVIO_SEEKABLE_NORMAL : 0
    if !canSeek { context.pointee.seek = nil }
  }

  deinit {
    close(descriptor)
  }

  /// Makes an unopened demuxer read from this pipe, which must outlive the demuxer.
  func attach(to demuxer: UnsafeMutablePointer<AVFormatContext>) { demuxer.pointee.pb = context }

  private func read(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int32) -> Int32 {
    while !interruption.isInterrupted {
      var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waited, 1, PipeInput.pollMilliseconds) != 0 else { continue }
      let got = Glibc.read(descriptor, bytes, Int(count))
      if got > 0 {
        note(UnsafeBufferPointer(start: bytes, count: got))
        return Int32(got)
      }
      if got == 0 { return kf_averror_eof() }
      if errno != EINTR, errno != EAGAIN { return kf_averror(errno) }
    }
    return kf_averror_exit()
  }

  private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    if whence & AVSEEK_SIZE != 0 {
      var status = stat()
      return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : Int64(kf_averror(errno))
    }
    let place = lseek(descriptor, Int(offset), whence & ~AVSEEK_FORCE)
    guard place >= 0 else { return Int64(kf_averror(errno)) }
    if place != position { (tail, position) = ([], place) }
    return Int64(place)
  }

  private func note(_ bytes: UnsafeBufferPointer<UInt8>) {
    if tail.count > 2 * PipeInput.tailLength {
      tail.removeFirst(tail.count - PipeInput.tailLength)
    }
    tail += bytes
    position += bytes.count
  }

  /// At most `length` of the last bytes, once all were read, from a place that depends on their number; nil if they are lost.
  func end(_ length: Int, from place: (Int) -> Int) -> (bytes: [UInt8], size: UInt64)? {
    let first = place(position) - (position - tail.count)
    guard tail.indices.contains(first) || first == tail.count else { return nil }
    return (Array(tail[first...].prefix(length)), UInt64(position))
  }
}
