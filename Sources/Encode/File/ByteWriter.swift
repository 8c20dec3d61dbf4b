import CFFmpeg
import CPosix
import FFmpegHandles
import Frames
import Glibc

/// Writes a muxer's bytes into an open file or pipe, keeps the first error, and for a file reserves
/// disk space ahead of the written data.
///
/// FFmpeg's own file protocol does not report why a write failed, and with it a full disk loses the
/// whole video file: MOV's tables come last and find no space. Here space for them is reserved
/// together with the space for each packet, so that a video file can still be completed when the
/// disk is full.
///
/// The caller owns the file descriptor. Used by one thread at a time.
final class ByteWriter {
  /// For `AVFormatContext.pb`; lives as long as this object.
  var context: UnsafeMutablePointer<AVIOContext> { handle.pointer }
  private let handle: AVIOContextHandle
  /// Open for writing; a file also for reading.
  let file: Int32
  private let isSeekable: Bool
  /// Most bytes of one call.
  ///
  /// What blocks and is no file, such as a socket, takes so many at once when `poll` says that it is ready (PIPE_BUF),
  /// so that a reader that stops can be given up.
  private let largestPart: Int
  /// Whether a reader that takes nothing is waited for no longer.
  private let isStopped: @Sendable () -> Bool
  /// The first write error, as an errno value; 0 if there is none.
  private(set) var failure: Int32 = 0
  private var position: Int64 = 0
  /// Size of the written data in bytes.
  private(set) var end: Int64 = 0
  /// End of the reserved space in bytes; nil if the file system cannot reserve space.
  private var room: Int64? = 0
  /// Largest file size in bytes that the process may make (`ulimit -f`); no space is reserved
  /// beyond it.
  private let largestFile: Int64

  /// Size of FFmpeg's buffer in bytes, which is also the unit of writing to a file.
  private static let bufferSize = 256 << 10
  /// Bytes reserved ahead, so that not every packet needs a request.
  private static let roomStep: Int64 = 4 << 20

  /// Makes a writer; once `isStopped` returns true, the reader of a pipe that takes nothing has `patience` seconds.
  init(
    file: Int32, isSeekable: Bool, isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws(FFmpegError) {
    self.file = file
    self.isSeekable = isSeekable
    self.isStopped = isStopped
    var status = stat()
    let blocks =
      !isSeekable && fstat(file, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
      && fcntl(file, F_GETFL) & O_NONBLOCK == 0
    largestPart = blocks ? Int(PIPE_BUF) : Int.max
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
    // The object is complete only here; FFmpeg keeps a plain pointer, and the muxer does not
    // outlive the object.
    context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    context.pointee.seekable = isSeekable ? AVIO_SEEKABLE_NORMAL : 0
    // A muxer flushes after each packet once this many bytes are buffered: at once for a waiting
    // reader, rarely for a disk.
    context.pointee.min_packet_size = isSeekable ? Int32(ByteWriter.bufferSize) : 0
  }

  /// Reserves space for `count` bytes beyond the data that the muxer has received; returns false if
  /// the disk has too little, with the reason in `failure`.
  ///
  /// Returns true if the file system cannot tell.
  func takeRoom(for count: Int64) -> Bool {
    guard isSeekable, let room else { return true }
    let needed = max(end, position + buffered) + count
    guard needed <= largestFile else {
      failure = failure == 0 ? EFBIG : failure
      return false
    }
    guard needed > room else { return true }
    var code: Int32 = 0
    // The last megabytes of a disk are reserved in smaller steps.
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

  func flush() { avio_flush(context) }

  /// Releases the reserved space that was not needed; the file keeps its size.
  func releaseRoom() {
    guard isSeekable, room != nil else { return }
    // The size stays, and the space after it is freed. If this fails, the disk holds a little more.
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
    // A reader that was given up gets nothing more.
    let code =
      failure == ETIME
      ? ETIME
      : ByteWriter.write(
        bytes, count, to: file, inPartsOf: largestPart, until: isStopped, done: &done)
    // Bytes written before a failure are in the file too.
    position += Int64(done)
    end = max(end, position)
    guard code == 0 else {
      if failure == 0 { failure = code }
      return kf_averror(code)
    }
    return Int32(count)
  }

  /// Writes all bytes, in as many calls as needed; returns 0, or the error as an errno value.
  static func write(_ bytes: UnsafePointer<UInt8>, _ count: Int, to file: Int32) -> Int32 {
    var done = 0
    return write(bytes, count, to: file, inPartsOf: .max, until: { false }, done: &done)
  }

  /// Seconds for which the reader of a pipe may take nothing once the recording was stopped: its other outputs
  /// wait for it.
  private static let patience = 5.0

  /// Does the same in parts, of which each is waited for unless they are of any size; ETIME if a stop ended the wait for
  /// the reader.
  private static func write(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, to file: Int32, inPartsOf part: Int,
    until isStopped: () -> Bool, done: inout Int
  ) -> Int32 {
    var stalled: MonotonicTime?
    while done < count {
      var ready = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
      let mustWait = part < .max && poll(&ready, 1, 0) == 0
      if mustWait { errno = EAGAIN }
      let result = mustWait ? -1 : Glibc.write(file, bytes + done, min(count - done, part))
      if result > 0 {
        done += result
        stalled = nil
      } else if result < 0, errno == EAGAIN {
        // The pipe is full. (One that this program did not open may be made non-blocking by others.)
        guard poll(&ready, 1, 100) == 0, isStopped() else { continue }
        let since = stalled ?? .now
        stalled = since
        if MonotonicTime.now.seconds(since: since) > patience { return ETIME }
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
