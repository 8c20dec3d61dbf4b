import Capture
import Frames

/// Reads a source on its own thread, a few frames ahead.
///
/// Only one thread uses it, except for `interrupt`.
final class SourcePrefetcher: @unchecked Sendable {
  // @unchecked: only the thread that uses this object touches `thread`; the queue has a lock.
  private let queue: BoundedQueue<Result<MediaSample, any Error>>
  private var thread: WorkerThread?

  /// Number of frames read ahead; as many may wait for the GPU.
  private static let queuedFrames = 3
  /// Weight of a frame in the queue, many times a packet's weight.
  private static let frameWeight = 16

  /// Starts to read, with calls of `next` on the thread alone; of a live source, which cannot wait, the newest frames are kept.
  init(
    place: Int, isLive: Bool, next: @escaping @Sendable () throws -> MediaSample?
  ) throws(ThreadError) {
    let weight: @Sendable (Result<MediaSample, any Error>) -> Int = { result in
      if case .success(let sample) = result, !sample.isFrame {
        isLive ? 0 : 1
      } else {
        Self.frameWeight
      }
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

  /// Returns the next sample, with its source time; nil at the end.
  func next() throws -> MediaSample? { try queue.receive()?.get() }

  /// Returns the next sample if it is already available; nil otherwise.
  func nextIfReady() throws -> MediaSample? { try queue.receiveIfReady()?.get() }

  /// Makes a waiting `next`, and every later one, return nil soon; may be called from any thread.
  ///
  /// The source must be interrupted separately.
  func interrupt() { queue.cancel() }

  /// Stops reading, once the source is interrupted or has ended.
  func finish() {
    guard let thread = thread.take() else { return }
    interrupt()
    thread.join()
  }
}
