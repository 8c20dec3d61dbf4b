import Capture
import Frames

/// Reads the second of two sources on a thread of its own, a few frames ahead; its sound is left out.
///
/// Used by one thread.
final class SecondReader: @unchecked Sendable {
  // @unchecked: only the thread that reads uses it; its own thread has the source and the queue.
  private let source: any MediaSource
  private let queue = BoundedQueue<Result<Frame, CaptureError>>(
    capacity: SecondReader.queuedFrames)
  private var thread: WorkerThread?

  /// As many as wait before the GPU.
  private static let queuedFrames = 3

  /// Starts to read what comes after the first frame.
  init(_ source: any MediaSource) throws(ThreadError) {
    self.source = source
    let queue = queue
    thread = try WorkerThread(.secondCapture) {
      do throws(CaptureError) {
        while let sample = try source.next() {
          guard case .frame(let frame) = sample else { continue }
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

  /// Makes a `next` that waits, and every later one, return nil soon; from any thread.
  func interrupt() {
    source.interrupt()
    queue.cancel()
  }

  /// Reads no further; the source's report is complete then.
  func finish() {
    guard let thread = thread.take() else { return }
    interrupt()
    thread.join()
  }
}
