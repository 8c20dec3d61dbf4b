import Capture
import Frames

/// Reads a source on a thread of its own, a few frames ahead.
///
/// Used by one thread, but for `interrupt`.
final class SourcePrefetcher: @unchecked Sendable {
  // @unchecked: only the thread that uses it touches `thread`; the queue has a lock.
  private let queue: BoundedQueue<Result<MediaSample, any Error>>
  private var thread: WorkerThread?

  /// As many as wait before the GPU.
  private static let queuedFrames = 3
  /// A frame's share of the queue is many times a packet's.
  private static let frameWeight = 16

  /// Starts to read.
  ///
  /// - Parameters:
  ///   - place: Tells the threads of several apart.
  ///   - isLive: The source cannot wait: where nobody takes its frames the newest are kept.
  ///   - next: Gives the next sample, nil at the end; called by the thread alone.
  /// - Throws: Where no thread is to be had.
  init(
    place: Int, isLive: Bool, next: @escaping @Sendable () throws -> MediaSample?
  ) throws(ThreadError) {
    let weight: @Sendable (Result<MediaSample, any Error>) -> Int = { result in
      if case .success(.sound) = result { isLive ? 0 : 1 } else { Self.frameWeight }
    }
    queue = BoundedQueue(
      capacity: Self.queuedFrames * Self.frameWeight, whenFull: isLive ? .dropOldest : .wait,
      weight: weight)
    let queue = queue
    thread = try WorkerThread(.prefetch, place: place) {
      do {
        while let sample = try next() {
          guard queue.send(.success(sample)) else { return }
        }
      } catch {
        queue.send(.failure(error))
      }
      queue.close()
    }
  }

  deinit { finish() }

  /// The next sample, with the source's own time; nil at the end.
  func next() throws -> MediaSample? { try queue.receive()?.get() }

  /// The next sample if one is there already; nil for none.
  func nextIfReady() throws -> MediaSample? { try queue.receiveIfReady()?.get() }

  /// Makes a `next` that waits, and every later one, return nil soon; from any thread.
  ///
  /// The source has to be interrupted besides.
  func interrupt() { queue.cancel() }

  /// Reads no further, once the source is interrupted or has ended.
  func finish() {
    guard let thread = thread.take() else { return }
    interrupt()
    thread.join()
  }
}
