package import Frames

/// An open window with its thread, in which frames are shown until it is closed.
package final class WindowThread: @unchecked Sendable {
  // @unchecked: `thread` is taken by the one call of `close`; the feed is shared with the thread by design.
  let feed: ViewFeed
  private var thread: WorkerThread?

  /// Opens the window.
  ///
  /// - Parameters:
  ///   - output: What the window shows and does.
  ///   - format: The format of the first frames.
  ///   - onShown: Called on the window's thread with each frame that the window system has taken, and when.
  /// - Throws: If there is no display, or its driver cannot draw.
  package init(
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
    feed = try result.get()
    self.thread = consume thread
  }

  /// Shows a frame as soon as possible, instead of one that was not shown yet.
  ///
  /// - Throws: Why the window has closed by itself.
  package func put(_ frame: Frame) throws { try feed.put(frame) }

  /// Closes the window, and waits for its thread.
  package func close() {
    feed.end()
    thread.take()?.join()
  }
}
