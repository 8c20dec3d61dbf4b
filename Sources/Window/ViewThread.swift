package import Encode
package import Frames
import Synchronization

/// An open view with its thread, in which frames are shown until it is closed.
package final class ViewThread: Sendable {
  package let feed: ViewFeed
  private let thread: Mutex<WorkerThread?>

  /// - Parameters:
  ///   - feed: What the thread shows; it ends with the feed.
  ///   - thread: The thread.
  package init(_ feed: ViewFeed, _ thread: consuming WorkerThread) {
    self.feed = feed
    self.thread = Mutex(thread)
  }

  /// Opens a window for frames of this format; `onShown` is called on its thread with each frame that the window system has
  /// taken, and when.
  ///
  /// - Throws: If there is no display, or its driver cannot draw.
  package convenience init(
    _ output: WindowOutput, format: FrameFormat,
    onShown: (@Sendable (Frame, MonotonicTime) -> Void)? = nil
  ) throws {
    let opened = BoundedQueue<Result<ViewFeed, any Error>>(capacity: 1)
    let thread = try WorkerThread(.window) {
      WindowLoop.run(output, format: format, onShown: onShown) { opened.send($0) }
    }
    guard let result = opened.receive() else {
      preconditionFailure("the window's thread always reports")
    }
    self.init(try result.get(), thread)
  }

  /// Shows a frame as soon as possible, instead of one that was not shown yet.
  ///
  /// - Throws: Why the view has closed by itself.
  package func put(_ frame: Frame) throws { try feed.put(frame) }

  /// Closes the view, and waits for its thread.
  package func close() {
    feed.end()
    thread.withLock { $0.take() }?.join()
  }
}

/// Hands finished frames to the thread of a view.
package final class ViewSink: MediaSink {
  private let name: String
  private let view: ViewThread
  private var extent: FrameExtent

  package init(_ name: String, _ view: ViewThread, frameRate: Rational) {
    (self.name, self.view) = (name, view)
    extent = FrameExtent(frameRate: frameRate)
  }

  package var encoderName: String? { nil }

  package func write(_ frame: Frame) throws {
    try view.put(frame)
    extent.note(frame)
  }

  package func finish() throws -> SinkReport {
    view.close()
    try view.feed.checkEnd()
    let (shown, latency) = view.feed.result
    return SinkReport(
      output: name, frames: shown, bytes: nil, duration: extent.time, latency: latency)
  }

  package func abandon() { view.close() }
}
