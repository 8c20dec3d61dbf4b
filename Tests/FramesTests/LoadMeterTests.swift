import Testing

@testable import Frames

@Suite("The fill of a queue")
struct LoadMeterTests {
  private func at(_ seconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: seconds * 1_000_000_000)
  }

  @Test("the mean covers the time from the first arrival to the last departure")
  func mean() {
    var meter = LoadMeter()
    #expect(meter.fill == QueueFill(mean: 0, largest: 0))
    meter.change(from: 0, to: 4, at: at(100))
    meter.change(from: 4, to: 2, at: at(101))
    meter.change(from: 2, to: 0, at: at(104))
    #expect(meter.fill == QueueFill(mean: 2.5, largest: 4))
  }

  @Test("the queue reports its own fill")
  func queue() {
    let queue = BoundedQueue<Int>(capacity: 6) { $0 }
    for weight in [2, 3] { queue.send(weight) }
    _ = queue.receive()
    #expect(queue.capacity == 6 && queue.fill.largest == 5)
    #expect(0...5 ~= queue.fill.mean)
  }
}
