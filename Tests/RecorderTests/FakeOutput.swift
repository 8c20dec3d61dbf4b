import Encode
import FFmpegHandles
import Frames
import Synchronization

@testable import Recorder

/// An output that records its frames, and waits or fails where the test wants it.
final class FakeOutput: MediaSink, Sendable {
  struct Failure: ExplainedError {
    let name: String
    var isUsageError: Bool { false }
    var description: String { "\(name) failed" }
  }

  private struct State {
    var times: [Rational] = []
    var buffers: [ObjectIdentifier] = []
    var isFinished = false
    var isAbandoned = false
  }

  let name: String
  /// The index of the frame at which it fails, from 0; nil for none.
  private let failure: Int?
  private let canFinish: Bool
  /// Called with the index of each frame before it is accepted, and with nil before the end.
  private let onWrite: @Sendable (Int?) -> Void
  private let state = Mutex(State())

  init(
    _ name: String, failsAt failure: Int? = nil, canFinish: Bool = true,
    onWrite: @escaping @Sendable (Int?) -> Void = { _ in }
  ) {
    self.name = name
    self.failure = failure
    self.canFinish = canFinish
    self.onWrite = onWrite
  }

  var encoderName: String? { nil }
  var times: [Rational] { state.withLock { $0.times } }
  /// The identities of the received pixel buffers.
  var buffers: [ObjectIdentifier] { state.withLock { $0.buffers } }
  var isFinished: Bool { state.withLock { $0.isFinished } }
  var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

  func write(_ frame: Frame) throws {
    let number = times.count
    onWrite(number)
    if number == failure { throw Failure(name: name) }
    state.withLock {
      $0.times.append(frame.time)
      $0.buffers.append(ObjectIdentifier(frame.pixels))
    }
  }

  func finish() throws -> SinkReport {
    onWrite(nil)
    guard canFinish else { throw Failure(name: "\(name) failed; kept as \(name).part: it") }
    return state.withLock {
      $0.isFinished = true
      return SinkReport(output: name, frames: $0.times.count, bytes: nil, duration: .zero)
    }
  }

  func abandon() { state.withLock { $0.isAbandoned = true } }

  /// Returns this output as the recorder opens it.
  func opened(isBestEffort: Bool = false) -> OpenOutput {
    var output = OpenOutput(name: name, sink: self)
    output.isBestEffort = isBestEffort
    return output
  }
}

/// A gate at which one thread waits until another opens it, once.
final class Gate: Sendable {
  private let queue = BoundedQueue<Bool>(capacity: 1)

  func wait() { _ = queue.receive() }
  func open() { queue.close() }
}
