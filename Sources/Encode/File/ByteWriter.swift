import CFFmpeg
import CPosix
import FFmpegHandles
import Glibc

/// The far end of a muxer: puts bytes into an open file or pipe, remembers what went wrong, and for a
/// file keeps room on the disk ahead of what is written.
///
/// FFmpeg's own file protocol does not tell the reason of a failed write, and with it a full disk
/// takes the whole movie: MOV's tables come last and find no room. Here room for them is taken with
/// the room for each packet, so that a movie that hits the end of the disk can still be completed.
///
/// The file descriptor is the caller's. Used by one thread at a time.
final class ByteWriter {
  /// For `AVFormatContext.pb`; lives as long as this object.
  var context: UnsafeMutablePointer<AVIOContext> { handle.pointer }
  private let handle: AVIOContextHandle
  /// Open for writing; a file for reading too.
  let file: Int32
  private let isSeekable: Bool
  /// The first error of a write, as in errno; 0 while there is none.
  private(set) var failure: Int32 = 0
  private var position: Int64 = 0
  /// The size of what was written.
  private(set) var end: Int64 = 0
  /// Room is taken up to here; nil where the file system has no means to.
  private var room: Int64? = 0
  /// The size that the process may give a file (`ulimit -f`), which room does not ask for.
  private let largestFile: Int64

  /// The size of FFmpeg's buffer, which is also the unit of writing to a file.
  private static let bufferSize = 256 << 10
  /// How far ahead room is taken, so that it is not asked for with every packet.
  private static let roomStep: Int64 = 4 << 20

  init(file: Int32, isSeekable: Bool) throws(FFmpegError) {
    self.file = file
    self.isSeekable = isSeekable
    largestFile = ByteWriter.fileSizeLimit
    handle = try AVIOContextHandle(
      bufferSize: ByteWriter.bufferSize,
      write: { writer, bytes, count in
        guard let writer, let bytes else { return kf_averror(EINVAL) }
        return Unmanaged<ByteWriter>.fromOpaque(writer).takeUnretainedValue()
          .write(bytes, Int(count))
      },
      seek: { writer, offset, whence in
        guard let writer else { return Int64(kf_averror(EINVAL)) }
        return Unmanaged<ByteWriter>.fromOpaque(writer).takeUnretainedValue()
          .seek(offset, whence)
      }, subject: "an output")
    // The object is complete only now; FFmpeg keeps a plain pointer, which the muxer outlives not.
    context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    context.pointee.seekable = isSeekable ? AVIO_SEEKABLE_NORMAL : 0
    // A muxer flushes after each packet once this much is there: at once to a reader that waits,
    // seldom to a disk.
    context.pointee.min_packet_size = isSeekable ? Int32(ByteWriter.bufferSize) : 0
  }

  /// Takes room for `count` bytes beyond what the muxer has been given; false when the disk has not
  /// that much, and `failure` tells why.
  ///
  /// True where the file system cannot say.
  func takeRoom(for count: Int64) -> Bool {
    guard isSeekable, let room else { return true }
    let needed = max(end, position + buffered) + count
    guard needed <= largestFile else {
      failure = failure == 0 ? EFBIG : failure
      return false
    }
    guard needed > room else { return true }
    var code: Int32 = 0
    // The last megabytes of a disk are taken in smaller steps.
    for extra in [ByteWriter.roomStep, ByteWriter.roomStep / 16, 0] {
      repeat { code = kf_keep_room(file, room, needed + extra) } while code == EINTR
      if code == 0 {
        self.room = needed + extra
        return true
      }
      guard code == ENOSPC || code == EDQUOT || code == EFBIG else { break }
    }
    if code == ENOSPC || code == EDQUOT || code == EFBIG {
      failure = failure == 0 ? code : failure
      return false
    }
    self.room = nil
    return true
  }

  /// Sends what is buffered on its way.
  func flush() { avio_flush(context) }

  /// Gives back the room that was not needed; the file keeps its size.
  func releaseRoom() {
    guard isSeekable, room != nil else { return }
    // The size stays, and what lies behind it is freed. If it fails, the disk holds a little more.
    _ = ftruncate(file, off_t(end))
  }

  private static var fileSizeLimit: Int64 {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
      return Int64.max
    }
    return Int64(clamping: limit.rlim_cur)
  }

  private var buffered: Int64 {
    Int64(context.pointee.buf_ptr - context.pointee.buffer)
  }

  private func write(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int32 {
    var done = 0
    let code = ByteWriter.write(bytes, count, to: file, done: &done)
    // What went out before a failure is in the file too.
    position += Int64(done)
    end = max(end, position)
    guard code == 0 else {
      if failure == 0 { failure = code }
      return kf_averror(code)
    }
    return Int32(count)
  }

  /// Writes all of the bytes, however many calls that takes; 0, or the error as in errno.
  static func write(_ bytes: UnsafePointer<UInt8>, _ count: Int, to file: Int32) -> Int32 {
    var done = 0
    return write(bytes, count, to: file, done: &done)
  }

  /// The same; `done` is how many have gone.
  private static func write(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, to file: Int32, done: inout Int
  ) -> Int32 {
    while done < count {
      let result = Glibc.write(file, bytes + done, count - done)
      if result > 0 {
        done += result
      } else if result < 0, errno == EAGAIN {
        // Someone else made the pipe non-blocking: it is shared with them.
        var ready = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        _ = poll(&ready, 1, -1)
      } else if result < 0, errno != EINTR {
        return errno
      }
    }
    return 0
  }

  private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    guard isSeekable else { return Int64(kf_averror(ESPIPE)) }
    if whence == AVSEEK_SIZE { return end }
    let result = lseek(file, off_t(offset), whence & ~AVSEEK_FORCE)
    guard result >= 0 else { return Int64(kf_averror(errno)) }
    position = Int64(result)
    return position
  }
}
