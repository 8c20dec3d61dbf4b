import Capture
import Frames

/// Reads the frames of a source on a thread of its own, a few ahead.
///
/// Used by one thread, but for `interrupt`.
final class FramePrefetcher: @unchecked Sendable {
  // @unchecked: only the thread that uses it touches `thread`; the queue has a lock.
  private let queue: BoundedQueue<Result<Frame, any Error>>
  private var thread: WorkerThread?

  /// As many as wait before the GPU.
  private static let queuedFrames = 3

  /// Starts to read.
  ///
  /// - Parameters:
  ///   - place: Tells the threads of several apart.
  ///   - isLive: The source cannot wait: where nobody takes its frames the newest are kept.
  ///   - next: Gives the next frame, nil at the end; called by the thread alone.
  /// - Throws: Where no thread is to be had.
  init(
    place: Int, isLive: Bool, next: @escaping @Sendable () throws -> Frame?
  ) throws(ThreadError) {
    queue = BoundedQueue(
      capacity: Self.queuedFrames, whenFull: isLive ? .dropOldest : .wait)
    let queue = queue
    thread = try WorkerThread(.prefetch, place: place) {
      do {
        while let frame = try next() {
          guard queue.send(.success(frame)) else { return }
        }
      } catch {
        queue.send(.failure(error))
      }
      queue.close()
    }
  }

  deinit { finish() }

  /// The next frame, with the source's own time; nil at the end.
  func next() throws -> Frame? { try queue.receive()?.get() }

  /// The next frame if one is there already; nil for none.
  func nextIfReady() throws -> Frame? { try queue.receiveIfReady()?.get() }

  /// Makes a `next` that waits, and every later one, return nil soon; from any thread. The source
  /// has to be interrupted besides.
  func interrupt() { queue.cancel() }

  /// Reads no further, once the source is interrupted or has ended.
  func finish() {
    guard let thread = thread.take() else { return }
    interrupt()
    thread.join()
  }
}
