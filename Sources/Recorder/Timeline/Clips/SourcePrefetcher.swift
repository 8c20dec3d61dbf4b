import Capture
import Frames

/// Reads a source on its own thread, a few frames ahead.
final class SourcePrefetcher {
  private typealias Queue = BoundedQueue<Result<MediaSample, any Error>>
  private let queue: Queue
  private var thread: WorkerThread?

  /// Starts to read, with calls of `next` on the thread alone; of a live source, which cannot wait, the newest frames are kept.
  init(
    place: Int, isLive: Bool, next: @escaping @Sendable () throws -> MediaSample?
  ) throws(ThreadError) {
    let weight: @Sendable (Result<MediaSample, any Error>) -> Int = { result in
      if case .success(let sample) = result, !sample.isFrame {
        isLive ? 0 : 1
      } else {
        Queue.frameWeight
      }
    }
    // As many frames may wait for the GPU.
    let queue = Queue(
      capacity: RecordingRun.queuedFrames * Queue.frameWeight,
      whenFull: isLive ? .dropOldest : .wait, weight: weight)
    self.queue = queue
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

  func nextIfReady() throws -> MediaSample? { try queue.receiveIfReady()?.get() }

  /// Stops reading, once the source is interrupted or has ended.
  func finish() {
    queue.cancel()
    thread.take()?.join()
  }
}
