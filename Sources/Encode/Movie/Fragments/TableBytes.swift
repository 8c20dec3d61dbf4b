import CFFmpeg
import FFmpegHandles
import Glibc

/// The destination of a muxer whose bytes are already in a file: it discards bytes, but keeps those
/// after a given position in memory.
///
/// Used by one thread at a time.
final class TableBytes {
  /// For `AVFormatContext.pb`; lives as long as this object.
  var context: UnsafeMutablePointer<AVIOContext> { handle.pointer }
  private let handle: AVIOContextHandle
  /// The bytes that were written from the position given to `keepBytes` on.
  private(set) var kept: [UInt8] = []
  private var start = Int64.max
  private var position: Int64 = 0
  private var end: Int64 = 0

  private static let bufferSize = 32 << 10

  init() throws(FFmpegError) {
    handle = try AVIOContextHandle(
      bufferSize: TableBytes.bufferSize,
      write: { writer, bytes, count in
        guard let writer, let bytes else { return kf_averror(EINVAL) }
        return Unmanaged<TableBytes>.fromOpaque(writer).takeUnretainedValue()
          .write(UnsafeBufferPointer(start: bytes, count: Int(count)))
      },
      seek: { writer, offset, whence in
        guard let writer else { return Int64(kf_averror(EINVAL)) }
        return Unmanaged<TableBytes>.fromOpaque(writer).takeUnretainedValue()
          .seek(offset, whence & ~AVSEEK_FORCE)
      }, subject: "a movie's tables")
    context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    context.pointee.seekable = AVIO_SEEKABLE_NORMAL
  }

  /// Starts to keep the bytes that are written at or after a position.
  func keepBytes(from start: Int64) {
    avio_flush(context)
    self.start = start
  }

  private func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    if position >= start {
      let place = Int(position - start)
      let overwritten = max(min(kept.count - place, bytes.count), 0)
      kept.replaceSubrange(place..<place + overwritten, with: bytes)
    }
    position += Int64(bytes.count)
    end = max(end, position)
    return Int32(bytes.count)
  }

  private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    if whence == AVSEEK_SIZE { return end }
    guard whence == SEEK_SET, offset >= 0 else { return Int64(kf_averror(EINVAL)) }
    position = offset
    return position
  }
}
