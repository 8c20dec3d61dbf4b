public import CFFmpeg

/// Owns an AVIOContext, which reads or writes bytes through callbacks, and its buffer.
public struct AVIOContextHandle: ~Copyable {
  public let pointer: UnsafeMutablePointer<AVIOContext>

  /// FFmpeg's type of a read or write callback, which receives `opaque`.
  public typealias Transfer =
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32
  /// FFmpeg's type of a seek callback, which receives `opaque`.
  public typealias Seek = @convention(c) (UnsafeMutableRawPointer?, Int64, Int32) -> Int64

  /// Makes a context that reads or writes.
  ///
  /// `opaque` is nil; the owning object sets it before the first use, when the object is complete.
  /// What it points to must outlive the handle's use.
  public init(
    bufferSize: Int, read: Transfer? = nil, write: Transfer? = nil, seek: Seek?, subject: String
  ) throws(FFmpegError) {
    let bytes = av_malloc(bufferSize)?.assumingMemoryBound(to: UInt8.self)
    let buffer = try check(bytes, "av_malloc", subject)
    let made = kf_avio_context(buffer, Int32(bufferSize), read, write, seek)
    if made == nil { av_free(buffer) }
    pointer = try check(made, "avio_alloc_context", subject)
  }

  deinit {
    // FFmpeg may have replaced the first buffer.
    av_freep(&pointer.pointee.buffer)
    var pointer: UnsafeMutablePointer<AVIOContext>? = pointer
    avio_context_free(&pointer)
  }
}
