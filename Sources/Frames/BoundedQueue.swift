import CPosix
import Glibc

/// A first-in first-out hand-over between two threads that holds a limited load; the sender waits
/// while it is full, the receiver while it is empty.
///
/// This is the one place with a mutex and condition variables: blocking calls (decode, fence waits,
/// encode) run on threads of their own, not on Swift's cooperative pool.
package final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
  // @unchecked: every access to the state below holds `mutex`.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var elements: [Element?]
  private var head = 0
  private var count = 0
  private var load = 0
  private var isClosed = false
  private var isCancelled = false
  private let capacity: Int
  private let weight: @Sendable (Element) -> Int

  /// Makes an empty queue that takes elements while the load is under `capacity`.
  ///
  /// `weight` is an element's share of the load, 1 unless told (a compressed packet is lighter than
  /// a picture).
  package init(capacity: Int, weight: @escaping @Sendable (Element) -> Int = { _ in 1 }) {
    precondition(capacity > 0)
    self.capacity = capacity
    self.weight = weight
    elements = Array(repeating: nil, count: capacity + 1)
    mutex = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Appends an element, waiting while the queue is full; false when the queue is closed or the
  /// receiver has gone, and the element was not taken.
  @discardableResult
  package func send(_ element: Element) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while load >= capacity && !isCancelled && !isClosed { pthread_cond_wait(changed, mutex) }
    guard !isCancelled, !isClosed else { return false }
    if count == elements.count { grow() }
    elements[(head + count) % elements.count] = element
    count += 1
    load += weight(element)
    pthread_cond_broadcast(changed)
    return true
  }

  /// Takes the oldest element, waiting while there is none; nil once the queue is closed and empty,
  /// or cancelled.
  package func receive() -> Element? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while count == 0 && !isClosed && !isCancelled { pthread_cond_wait(changed, mutex) }
    return takeFirst()
  }

  /// Takes the oldest element if there is one, without waiting.
  package func receiveIfReady() -> Element? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return takeFirst()
  }

  /// The sender has no more: the receiver gets what is left, then nil.
  package func close() {
    pthread_mutex_lock(mutex)
    isClosed = true
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }

  /// Either side gives up: what is queued is dropped, and both calls return at once from now on.
  package func cancel() {
    pthread_mutex_lock(mutex)
    isCancelled = true
    let dropped = elements
    elements = [nil]
    (head, count, load) = (0, 0, 0)
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
    // Destroyed outside the lock: a frame's release may take other locks.
    withExtendedLifetime(dropped) {}
  }

  private func takeFirst() -> Element? {
    guard count > 0, !isCancelled else { return nil }
    let element = elements[head]
    elements[head] = nil
    head = (head + 1) % elements.count
    count -= 1
    if let element { load -= weight(element) }
    pthread_cond_broadcast(changed)
    return element
  }

  /// Elements of weight 0 can outnumber the capacity.
  private func grow() {
    let old = elements
    elements = (0..<count).map { old[(head + $0) % old.count] }
    elements += Array(repeating: nil, count: max(count, 1))
    head = 0
  }
}
