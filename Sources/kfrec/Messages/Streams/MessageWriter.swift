import Frames
import Glibc
import Synchronization

/// Writes messages in their order on a thread of its own, which alone waits for their reader.
///
/// Any thread may call it.
final class MessageWriter: Sendable {
  private struct Message: Sendable {
    let text: String
    let descriptor: Int32
    let isLasting: Bool
  }

  private enum Hand {
    case none
    case thread
    /// The system gives no thread: each message is written by its giver.
    case giver
  }

  private struct State {
    var hand = Hand.none
    /// The first `errno` of each descriptor.
    var failures: [Int32: Int32] = [:]
    /// Messages that were given, and those that were written.
    var given = 0
    var written = 0
    /// Whether a flush gave the reader up.
    var isGivenUp = false
  }

  /// Bytes of messages that may be left out, which wait at most.
  private static let room = 1 << 18
  /// Bytes of one call: a pipe that polls as writable takes this many, so a slow reader is known to read.
  private static let step = 4096

  private let queue = BoundedQueue<Message>(capacity: room, whenFull: .dropOldest) {
    $0.isLasting ? 0 : $0.text.utf8.count
  }
  private let state = Mutex(State())
  private let taken = Atomic<Int>(0)
  private let progress = WakeFlag()

  /// Gives a message to the thread, and starts it for the first one.
  func send(_ text: String, to descriptor: Int32, isLasting: Bool) {
    let message = Message(text: text, descriptor: descriptor, isLasting: isLasting)
    let isTaken = state.withLock { state -> Bool in
      if state.hand == .none { state.hand = start() ? .thread : .giver }
      guard state.hand == .thread else { return false }
      state.given += 1
      // The queue never makes its sender wait.
      return queue.send(message)
    }
    if !isTaken { note(MessageWriter.put(text, to: descriptor), of: descriptor) }
  }

  /// Whether a message is not written yet.
  var isBehind: Bool {
    state.withLock { $0.given - $0.written - queue.droppedCount > 0 }
  }

  /// Waits until all messages are written, or the reader takes nothing for this many seconds.
  func flush(patience: Double) {
    guard !state.withLock({ $0.isGivenUp }) else { return }
    var (seen, since) = (taken.load(ordering: .relaxed), MonotonicTime.now)
    while isBehind {
      progress.wait(milliseconds: 20)
      let (count, now) = (taken.load(ordering: .relaxed), MonotonicTime.now)
      if count != seen { (seen, since) = (count, now) }
      guard now.seconds(since: since) < patience else {
        return state.withLock { $0.isGivenUp = true }
      }
    }
  }

  /// The first `errno` of a descriptor's messages; nil if all were written.
  func failure(of descriptor: Int32) -> Int32? { state.withLock { $0.failures[descriptor] } }

  private func note(_ code: Int32?, of descriptor: Int32) {
    guard let code else { return }
    state.withLock { $0.failures[descriptor] = $0.failures[descriptor] ?? code }
  }

  private func start() -> Bool {
    do throws(ThreadError) {
      // It lives as long as the program, because nothing can end a write that a reader holds.
      try WorkerThread.deaf(.messages) { [self] in run() }.detach()
      return true
    } catch {
      return false
    }
  }

  private func run() {
    while let message = queue.receive() {
      let code = MessageWriter.put(message.text, to: message.descriptor) {
        taken.add($0, ordering: .relaxed)
        progress.raise()
      }
      note(code, of: message.descriptor)
      state.withLock { $0.written += 1 }
      progress.raise()
    }
  }

  /// Writes a whole text, and waits for its reader; returns the `errno` of a failure, or nil.
  ///
  /// `advance` is called with each number of bytes that the reader's end has taken.
  static func put(
    _ text: String, to descriptor: Int32, advance: (Int) -> Void = { _ in }
  ) -> Int32? {
    var text = text
    return text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count {
        let count = write(
          descriptor, bytes.baseAddress?.advanced(by: done), min(bytes.count - done, step))
        if count > 0 {
          done += count
          advance(count)
        } else if count < 0, errno == EAGAIN {
          // The terminal is shared with a program that made it non-blocking.
          var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = Glibc.poll(&poll, 1, -1)
        } else if count < 0, errno != EINTR {
          return errno
        }
      }
      return nil
    }
  }
}
