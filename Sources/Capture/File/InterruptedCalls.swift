import CFFmpeg
import Frames

extension Interruption {
  /// Makes the context's blocking calls check this flag, which must outlive the context.
  func attach(to context: UnsafeMutablePointer<AVFormatContext>) {
    kf_set_interrupt(
      context,
      { flag in
        guard let flag else { return 0 }
        return Unmanaged<Interruption>.fromOpaque(flag).takeUnretainedValue().isInterrupted ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
