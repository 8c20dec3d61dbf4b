import CFFmpeg
import FFmpegHandles
import Synchronization

/// Lets FFmpeg open one file, and none that it names: a playlist is known by its content, whatever the file is called, and
/// its entries may lie anywhere.
///
/// It must outlive the context that it is attached to.
final class OnlyFile: Sendable {
  /// Options of the demuxer: one that opens a container of its own gives it this list, which holds no protocol, and not the
  /// callback.
  static let options = [("protocol_whitelist", "none")]

  private let url: String
  private let hasRefused = Mutex(false)

  /// - Parameter url: The file for libavformat.
  init(url: String) { self.url = url }

  func attach(to context: UnsafeMutablePointer<AVFormatContext>) {
    context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    context.pointee.io_open = { context, file, url, flags, options in
      // A demuxer may give the callback to a context of its own, and not what belongs to it.
      guard let context, let object = context.pointee.opaque, let url else {
        return kf_averror(EACCES)
      }
      let only = Unmanaged<OnlyFile>.fromOpaque(object).takeUnretainedValue()
      guard String(cString: url) == only.url else {
        only.hasRefused.withLock { $0 = true }
        return kf_averror(EACCES)
      }
      return avio_open2(file, url, flags, &context.pointee.interrupt_callback, options)
    }
  }

  /// Throws a sentence if the file named another one.
  func check(_ name: String) throws(CaptureError) {
    guard hasRefused.withLock({ $0 }) else { return }
    throw CaptureError(
      "\(name) names other files, as playlists do, and only one file is read here; use the picture or the video itself"
    )
  }
}
