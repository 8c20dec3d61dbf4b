import Frames
import Synchronization

/// The chunks that wait for a thread, of all inputs.
///
/// A thread that cuts an input posts its chunks and renders too. A thread that finds no more inputs helps.
final class ChunkBoard: Sendable {
  typealias Task = @Sendable () -> Void

  private let tasks = BoundedQueue<Task>(capacity: 1, weight: { _ in 0 })
  /// Number of threads that may still post.
  private let posting = Mutex(0)

  func enter() { posting.withLock { $0 += 1 } }

  /// Runs all tasks, each of which ends with a call that sends into `outcomes`; returns when as many outcomes
  /// have come.
  func run<Outcome: Sendable>(
    _ work: [Task], collecting outcomes: BoundedQueue<Outcome>
  ) -> [Outcome] {
    for task in work where !tasks.send(task) { task() }
    var ends: [Outcome] = []
    while ends.count < work.count {
      if let end = outcomes.receiveIfReady() {
        ends.append(end)
      } else if let task = tasks.receiveIfReady() {
        task()
      } else if let end = outcomes.receive() {
        ends.append(end)
      }
    }
    return ends
  }

  /// Runs tasks until no thread can post more; the caller posts none.
  func help() {
    let isLast = posting.withLock { count in
      count -= 1
      return count == 0
    }
    if isLast { tasks.close() }
    while let task = tasks.receive() { task() }
  }
}
