package import CFFmpeg

/// Owns an AVIOContext whose bytes come from, or go to, callbacks, and its buffer.
package struct AVIOContextHandle: ~Copyable {
  package let pointer: UnsafeMutablePointer<AVIOContext>

  /// FFmpeg's type of a reading or a writing callback; it gets `opaque`.
  package typealias Transfer =
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32
  /// FFmpeg's type of a seeking callback; it gets `opaque`.
  package typealias Seek = @convention(c) (UnsafeMutableRawPointer?, Int64, Int32) -> Int64

  /// Makes one that reads or writes.
  ///
  /// `opaque` is nil, to be set before the first use by an object that is complete only then; what it
  /// points to must outlive the handle's use.
  package init(
    bufferSize: Int, read: Transfer? = nil, write: Transfer? = nil, seek: Seek?, subject: String
  ) throws(FFmpegError) {
    let bytes = av_malloc(bufferSize)?.assumingMemoryBound(to: UInt8.self)
    let buffer = try check(bytes, "av_malloc", subject)
    let made = avio_alloc_context(
      buffer, Int32(bufferSize), write == nil ? 0 : 1, nil, read, write, seek)
    if made == nil { av_free(buffer) }
    pointer = try check(made, "avio_alloc_context", subject)
  }

  deinit {
    // FFmpeg may have put another buffer in the place of the first.
    av_freep(&pointer.pointee.buffer)
    var pointer: UnsafeMutablePointer<AVIOContext>? = pointer
    avio_context_free(&pointer)
  }
}
