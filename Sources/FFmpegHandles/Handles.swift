package import CFFmpeg
import Synchronization

/// Owns an AVFrame.
package struct AVFrameHandle: ~Copyable {
  package let pointer: UnsafeMutablePointer<AVFrame>

  package init() throws(FFmpegError) {
    pointer = try check(av_frame_alloc(), "av_frame_alloc", "a frame")
  }

  /// Takes ownership of a frame that something else allocated.
  package init(owning pointer: UnsafeMutablePointer<AVFrame>) { self.pointer = pointer }

  deinit {
    var pointer: UnsafeMutablePointer<AVFrame>? = pointer
    av_frame_free(&pointer)
  }

  /// Releases the pixels, so that the struct can be filled again.
  package func clear() { av_frame_unref(pointer) }
}

/// Owns an AVPacket.
package struct AVPacketHandle: ~Copyable {
  package let pointer: UnsafeMutablePointer<AVPacket>

  package init() throws(FFmpegError) {
    pointer = try check(av_packet_alloc(), "av_packet_alloc", "a packet")
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVPacket>? = pointer
    av_packet_free(&pointer)
  }

  /// Releases the data, so that the struct can be filled again.
  package func clear() { av_packet_unref(pointer) }
}

/// Owns an AVCodecContext, open or not.
package struct AVCodecContextHandle: ~Copyable {
  package let pointer: UnsafeMutablePointer<AVCodecContext>
  /// The codec cannot be closed, so it stays open until the process ends.
  package var isLeftOpen = false

  package init(codec: UnsafePointer<AVCodec>) throws(FFmpegError) {
    pointer = try check(
      avcodec_alloc_context3(codec), "avcodec_alloc_context3", String(cString: codec.pointee.name))
  }

  deinit {
    guard !isLeftOpen else { return noteLeftOpen(pointer) }
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
package struct AVInputHandle: ~Copyable {
  package let pointer: UnsafeMutablePointer<AVFormatContext>

  /// Takes ownership of a context from `avformat_open_input`.
  package init(owning pointer: UnsafeMutablePointer<AVFormatContext>) { self.pointer = pointer }

  deinit {
    var pointer: UnsafeMutablePointer<AVFormatContext>? = pointer
    avformat_close_input(&pointer)
  }
}
