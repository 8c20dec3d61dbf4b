import Synchronization
import Testing

@testable import Frames

@Suite("A bounded queue")
struct BoundedQueueTests {
  @Test("elements arrive once and in order, with a slow receiver and a fast sender")
  func order() throws {
    let queue = BoundedQueue<Int>(capacity: 3)
    let sender = try WorkerThread(name: "sender") {
      for number in 0..<5000 { queue.send(number) }
      queue.close()
    }
    var received: [Int] = []
    while let number = queue.receive() { received.append(number) }
    sender.join()
    #expect(received == Array(0..<5000))
  }

  @Test("no element is lost or duplicated with several senders and receivers")
  func contention() throws {
    let queue = BoundedQueue<Int>(capacity: 2)
    let log = Log()
    let first = try WorkerThread(name: "first") { while let n = queue.receive() { log.add(n) } }
    let second = try WorkerThread(name: "second") { while let n = queue.receive() { log.add(n) } }
    let low = try WorkerThread(name: "low") { for n in 0..<2000 { queue.send(n) } }
    let high = try WorkerThread(name: "high") { for n in 2000..<4000 { queue.send(n) } }
    low.join()
    high.join()
    queue.close()
    first.join()
    second.join()
    #expect(log.numbers.sorted() == Array(0..<4000))
  }

  @Test("a closed queue gives its remaining elements, then nil, and accepts no more")
  func closing() {
    let queue = BoundedQueue<Int>(capacity: 4)
    queue.send(1)
    queue.send(2)
    queue.close()
    #expect(!queue.send(3))
    #expect(queue.receive() == 1)
    #expect(queue.receiveIfReady() == 2)
    #expect(queue.receive() == nil)
    #expect(queue.receiveIfReady() == nil)
  }

  @Test("closing releases a waiting sender")
  func closingFull() throws {
    let queue = BoundedQueue<Int>(capacity: 1)
    queue.send(1)
    let taken = Flag(true)
    let sender = try WorkerThread(name: "sender") { taken.value = queue.send(2) }
    queue.close()
    sender.join()
    #expect(!taken.value)
    #expect(queue.receive() == 1)
    #expect(queue.receive() == nil)
  }

  @Test("cancelling drops the queued elements and releases both sides")
  func cancelling() throws {
    let queue = BoundedQueue<Token>(capacity: 1)
    weak var first: Token?
    do {
      let token = Token()
      first = token
      queue.send(token)
    }
    let taken = Flag(true)
    let sender = try WorkerThread(name: "sender") { taken.value = queue.send(Token()) }
    queue.cancel()
    sender.join()
    #expect(!taken.value)
    #expect(first == nil)
    #expect(queue.receive() == nil)
    #expect(!queue.send(Token()))

    let empty = BoundedQueue<Int>(capacity: 1)
    let got = Flag(true)
    let receiver = try WorkerThread(name: "receiver") { got.value = empty.receive() != nil }
    empty.cancel()
    receiver.join()
    #expect(!got.value)
  }

  @Test("elements have weights: light ones do not fill the queue, a heavy one does")
  func weights() throws {
    let queue = BoundedQueue<Int>(capacity: 10) { $0 }
    for _ in 0..<100 { queue.send(0) }
    queue.send(4)
    queue.send(5)
    queue.send(7)  // The load was 9, under 10.
    let sent = Flag(false)
    let sender = try WorkerThread(name: "sender") { sent.value = queue.send(1) }
    for _ in 0..<100 { #expect(queue.receive() == 0) }
    #expect(!sent.value)
    #expect(queue.receive() == 4)
    #expect(!sent.value)  // 12 are left.
    #expect(queue.receive() == 5)
    sender.join()
    #expect(sent.value)
    #expect(queue.receive() == 7)
    #expect(queue.receive() == 1)
    #expect(queue.receiveIfReady() == nil)
  }

  @Test("a queue that drops the oldest never blocks its sender, and keeps the newest in order")
  func droppingOldest() {
    let queue = BoundedQueue<Int>(capacity: 3, whenFull: .dropOldest)
    for number in 0..<3 { queue.send(number) }
    #expect(queue.droppedCount == 0)
    for number in 3..<1000 { #expect(queue.send(number)) }
    #expect(queue.droppedCount == 997)
    #expect(queue.receive() == 997)
    // There is room for one again.
    queue.send(1000)
    #expect(queue.droppedCount == 997)
    queue.close()
    #expect(!queue.send(1001))
    #expect(queue.receive() == 998)
    #expect(queue.receive() == 999)
    #expect(queue.receive() == 1000)
    #expect(queue.receive() == nil)
  }

  @Test("a queue that drops the oldest keeps elements of weight 0, in their places")
  func droppingOnlyWhatWeighs() {
    // Odd numbers have weight 0.
    let queue = BoundedQueue<Int>(capacity: 2, whenFull: .dropOldest) { $0 % 2 == 0 ? 1 : 0 }
    for number in 0..<41 { queue.send(number) }
    #expect(queue.droppedCount == 19)
    var left: [Int] = []
    while let number = queue.receiveIfReady() { left.append(number) }
    #expect(left == Array(stride(from: 1, to: 37, by: 2)) + [37, 38, 39, 40])
    // An element heavier than the capacity is alone in the queue.
    let heavy = BoundedQueue<Int>(capacity: 10, whenFull: .dropOldest) { $0 }
    for weight in [4, 5, 30, 30, 3] { heavy.send(weight) }
    #expect(heavy.droppedCount == 4)
    #expect(heavy.receiveIfReady() == 3)
    #expect(heavy.receiveIfReady() == nil)
  }

  @Test("a queue that dropped the oldest drops nothing more after it is set to wait")
  func waitingFromNowOn() throws {
    let queue = BoundedQueue<Int>(capacity: 3, whenFull: .dropOldest)
    for number in 0..<5 { queue.send(number) }
    queue.waitWhenFull()
    let sender = try WorkerThread(name: "sender") {
      for number in 5..<100 { queue.send(number) }
      queue.close()
    }
    var numbers: [Int] = []
    while let number = queue.receive() { numbers.append(number) }
    sender.join()
    #expect(numbers == Array(2..<100) && queue.droppedCount == 2)
  }

  @Test("dropped elements are released at once and counted")
  func droppedAreReleased() throws {
    let queue = BoundedQueue<Token>(capacity: 1, whenFull: .dropOldest)
    weak var first: Token?
    do {
      let token = Token()
      first = token
      queue.send(token)
    }
    #expect(first != nil)
    queue.send(Token())
    #expect(first == nil)

    let numbers = BoundedQueue<Int>(capacity: 4, whenFull: .dropOldest)
    let log = Log()
    let receiver = try WorkerThread(name: "receiver") {
      while let n = numbers.receive() { log.add(n) }
    }
    for number in 0..<5000 { numbers.send(number) }
    numbers.close()
    receiver.join()
    #expect(log.numbers.count + numbers.droppedCount == 5000)
    #expect(log.numbers == log.numbers.sorted() && log.numbers.last == 4999)
  }
}

final class Token: Sendable {}

/// Numbers that several threads record.
final class Log: Sendable {
  private let state = Mutex<[Int]>([])

  var numbers: [Int] { state.withLock { $0 } }
  func add(_ number: Int) { state.withLock { $0.append(number) } }
}

/// A value that threads share.
final class Flag: Sendable {
  private let state: Mutex<Bool>

  init(_ value: Bool) { state = Mutex(value) }

  var value: Bool {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
