import CPosix
import Glibc
import Window

/// What the thread of an output and the thread of its terminal share, and a flag for `poll`.
final class TerminalFeed: Sendable {
  /// A number of a file that becomes readable when something has changed.
  private final class Flag: Sendable {
    /// -1 if the system has no file left.
    let number = kf_open_flag()
    deinit { if number >= 0 { close(number) } }
  }

  let view: ViewFeed
  private let raised: Flag

  init() {
    let raised = Flag()
    self.raised = raised
    view = ViewFeed(wake: { kf_raise_flag(raised.number) })
  }

  var flag: Int32 { raised.number }
}
