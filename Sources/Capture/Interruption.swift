import CFFmpeg
import Synchronization

/// A flag that makes a source's waits end, from any thread, while it is being opened too.
package final class Interruption: Sendable {
  private let isSet = Atomic<Bool>(false)

  package init() {}

  /// Every read returns soon from now on.
  package func interrupt() { isSet.store(true, ordering: .relaxed) }

  package var isInterrupted: Bool { isSet.load(ordering: .relaxed) }

  /// Makes the context's blocking calls ask this flag, which must outlive the context.
  func attach(to context: UnsafeMutablePointer<AVFormatContext>) {
    kf_set_interrupt(
      context,
      { flag in
        guard let flag else { return 0 }
        return Unmanaged<Interruption>.fromOpaque(flag).takeUnretainedValue().isInterrupted ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
