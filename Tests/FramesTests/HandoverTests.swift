import Testing

@testable import Frames

@Suite("Values that go from thread to thread") struct HandoverTests {
  private final class Counter {
    var count = 0
  }

  @Test("one thread at a time has the value, and a later one sees what an earlier one did")
  func passedOn() throws {
    let handover = Handover(Counter())
    for _ in 0..<3 {
      try WorkerThread(name: "counter") { handover.use { $0.count += 1 } }.join()
    }
    let counter = try #require(handover.take())
    #expect(counter.count == 3)
    #expect(handover.take() == nil && handover.use { $0.count } == nil)
    handover.give(counter)
    #expect(handover.use { $0.count } == 3)
  }

  @Test("a value that is in use is nobody else's, and is there again after an error")
  func inUse() {
    struct Failure: Error {}
    let handover = Handover(Counter())
    #expect(throws: Failure.self) {
      try handover.use { counter in
        #expect(handover.take() == nil)
        counter.count = 7
        throw Failure()
      }
    }
    #expect(handover.use { $0.count } == 7)
  }
}
