import CPosix
import Glibc

/// A first-in first-out queue of limited load between two threads; the receiver waits while it is
/// empty, and a `FullRule` decides what happens while it is full.
///
/// This is the only type with a pthread mutex and condition variable: blocking calls (decode, fence
/// waits, encode) run on threads of their own, not on Swift's cooperative pool.
public final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
  // @unchecked: every access to the state below holds `mutex`.

  /// What `send` does while the load is at or above the capacity.
  public enum FullRule: Sendable {
    /// Waits for room: nothing is lost, and the sender runs at the receiver's speed.
    case wait
    /// Accepts the new element and drops the oldest elements with a weight above 0 until the load is
    /// within the capacity: the sender never waits.
    ///
    /// Elements of weight 0 are never dropped.
    case dropOldest
  }

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var elements: [Element?]
  private var head = 0
  private var count = 0
  private var load = 0 { didSet { meter.change(from: oldValue, to: load) } }
  private var meter = LoadMeter()
  private var isClosed = false
  private var isCancelled = false
  private var dropped = 0
  /// The load at which the queue is full.
  public let capacity: Int
  private var fullRule: FullRule
  private let weight: @Sendable (Element) -> Int

  /// Makes an empty queue that accepts elements while the load is below `capacity`.
  ///
  /// `weight` is an element's share of the load, by default 1 (a compressed packet is lighter than a
  /// frame).
  public init(
    capacity: Int, whenFull fullRule: FullRule = .wait,
    weight: @escaping @Sendable (Element) -> Int = { _ in 1 }
  ) {
    precondition(capacity > 0)
    self.capacity = capacity
    self.fullRule = fullRule
    self.weight = weight
    // With weights the capacity may be bytes, and memory that is written at every start costs 10 ms for 8 MB.
    elements = Array(repeating: nil, count: min(capacity, 63) + 1)
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

  /// Appends an element, by the queue's rule if it is full; false if the element was not accepted because
  /// the queue is closed or cancelled.
  @discardableResult
  public func send(_ element: Element) -> Bool {
    // Destroyed outside the lock: a frame's release may take other locks.
    var victims: [Element] = []
    defer { withExtendedLifetime(victims) {} }
    return locked {
      while fullRule == .wait && load >= capacity && !isCancelled && !isClosed {
        pthread_cond_wait(changed, mutex)
      }
      guard !isCancelled, !isClosed else { return false }
      let share = weight(element)
      if fullRule == .dropOldest, share > 0 {
        while load > 0, load + share > capacity, let victim = takeOldestWeighing() {
          victims.append(victim)
        }
        dropped += victims.count
      }
      if count == elements.count { grow() }
      elements[(head + count) % elements.count] = element
      count += 1
      load += share
      pthread_cond_broadcast(changed)
      return true
    }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Number of elements dropped so far in favour of newer ones.
  public var droppedCount: Int { locked { dropped } }

  /// How full the queue was until this call, in units of the load.
  public var fill: QueueFill { locked { meter.fill } }

  /// Takes the oldest element, waiting while there is none; nil if the queue is closed and empty, or
  /// cancelled.
  public func receive() -> Element? {
    locked {
      while count == 0 && !isClosed && !isCancelled { pthread_cond_wait(changed, mutex) }
      return takeFirst()
    }
  }

  /// Takes the oldest element if there is one, without waiting.
  public func receiveIfReady() -> Element? { locked { takeFirst() } }

  /// Sets the rule to `wait`: for elements that can wait, so that the queue drops nothing.
  public func waitWhenFull() { locked { fullRule = .wait } }

  /// Ends the sending: the receiver gets the remaining elements, then nil.
  public func close() {
    locked {
      isClosed = true
      pthread_cond_broadcast(changed)
    }
  }

  /// Cancels from either side: queued elements are dropped, and after this both calls return at once.
  public func cancel() {
    let dropped = locked {
      isCancelled = true
      let dropped = elements
      elements = [nil]
      (head, count, load) = (0, 0, 0)
      pthread_cond_broadcast(changed)
      return dropped
    }
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

  /// Removes the oldest element with a weight above 0; nil if there is none.
  private func takeOldestWeighing() -> Element? {
    for place in 0..<count {
      guard let element = elements[(head + place) % elements.count], weight(element) > 0 else {
        continue
      }
      // The elements before it, which have weight 0, move up; the first place becomes free.
      for ahead in stride(from: place, to: 0, by: -1) {
        elements[(head + ahead) % elements.count] = elements[(head + ahead - 1) % elements.count]
      }
      elements[head] = nil
      head = (head + 1) % elements.count
      count -= 1
      load -= weight(element)
      return element
    }
    return nil
  }

  /// Makes room, because elements of weight 0 can outnumber the capacity.
  private func grow() {
    let old = elements
    elements = (0..<count).map { old[(head + $0) % old.count] }
    elements += Array(repeating: nil, count: max(count, 1))
    head = 0
  }
}

/// How full a queue was, from the arrival of its first element to the departure of its last one, in
/// units of its load.
public struct QueueFill: Hashable, Sendable {
  /// The average over time.
  public var mean: Double
  public var largest: Int
}

/// Measures how full a queue is from changes of its load; each change costs a read of the clock.
struct LoadMeter {
  private var first: MonotonicTime?
  private var last = MonotonicTime(nanoseconds: 0)
  /// Sum of the loads, each multiplied by its time in seconds.
  private var sum = 0.0
  private var largest = 0

  /// Records a change: the load was `old` before `now` and is `new` after it.
  mutating func change(from old: Int, to new: Int, at now: MonotonicTime = .now) {
    if first == nil { first = now } else { sum += Double(old) * now.seconds(since: last) }
    last = now
    largest = max(largest, new)
  }

  var fill: QueueFill {
    let seconds = first.map { last.seconds(since: $0) } ?? 0
    return QueueFill(mean: seconds > 0 ? sum / seconds : 0, largest: largest)
  }
}
