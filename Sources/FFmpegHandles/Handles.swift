public import CFFmpeg
import Synchronization

/// Owns an AVFrame.
public struct AVFrameHandle: ~Copyable {
  public let pointer: UnsafeMutablePointer<AVFrame>

  public init() throws(FFmpegError) {
    pointer = try check(av_frame_alloc(), "av_frame_alloc", "a frame")
  }

  /// Takes ownership of a frame that something else allocated.
  public init(owning pointer: UnsafeMutablePointer<AVFrame>) { self.pointer = pointer }

  deinit {
    var pointer: UnsafeMutablePointer<AVFrame>? = pointer
    av_frame_free(&pointer)
  }

  /// Releases the pixels, so that the struct can be filled again.
  public func clear() { av_frame_unref(pointer) }
}

/// Owns an AVPacket.
public struct AVPacketHandle: ~Copyable {
  public let pointer: UnsafeMutablePointer<AVPacket>

  public init() throws(FFmpegError) {
    pointer = try check(av_packet_alloc(), "av_packet_alloc", "a packet")
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVPacket>? = pointer
    av_packet_free(&pointer)
  }

  /// Releases the data, so that the struct can be filled again.
  public func clear() { av_packet_unref(pointer) }
}

/// Owns an AVCodecContext, open or not.
public struct AVCodecContextHandle: ~Copyable {
  public let pointer: UnsafeMutablePointer<AVCodecContext>
  /// The codec cannot be closed, so it stays open until the process ends.
  public var isLeftOpen = false
  /// Errors that it logs; nil if they are not counted.
  public private(set) var loggedErrors: LoggedErrors?

  /// Counts the errors that it logs; only before it is opened.
  public mutating func countErrors() {
    let errors = LoggedErrors()
    pointer.pointee.opaque = UnsafeMutableRawPointer(errors.place)
    loggedErrors = errors
  }

  public init(codec: UnsafePointer<AVCodec>) throws(FFmpegError) {
    pointer = try check(
      avcodec_alloc_context3(codec), "avcodec_alloc_context3", String(cString: codec.pointee.name))
  }

  deinit {
    guard !isLeftOpen else {
      pointer.pointee.opaque = nil
      return noteLeftOpen(pointer)
    }
    var pointer: UnsafeMutablePointer<AVCodecContext>? = pointer
    avcodec_free_context(&pointer)
  }
}

/// Addresses of the codecs that were left open, so that leak checkers do not report them.
private let leftOpen = Mutex<[UInt]>([])

private func noteLeftOpen(_ context: UnsafeMutablePointer<AVCodecContext>) {
  leftOpen.withLock { $0.append(UInt(bitPattern: context)) }
}

/// Owns an AVFormatContext that was opened for reading.
public struct AVInputHandle: ~Copyable {
  public let pointer: UnsafeMutablePointer<AVFormatContext>
  /// Errors that it has logged.
  public let loggedErrors: LoggedErrors

  /// Takes ownership of a context from `avformat_open_input`, whose `opaque` may have been set to `loggedErrors` before.
  public init(
    owning pointer: UnsafeMutablePointer<AVFormatContext>,
    loggedErrors: LoggedErrors = LoggedErrors()
  ) {
    (self.pointer, self.loggedErrors) = (pointer, loggedErrors)
    pointer.pointee.opaque = UnsafeMutableRawPointer(loggedErrors.place)
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVFormatContext>? = pointer
    avformat_close_input(&pointer)
  }
}
