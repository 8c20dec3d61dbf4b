import Frames
import Testing

@testable import Render

/// Tests of driver calls that run until they end by themselves; here they wait for a gate.
@Suite("Work that cannot be interrupted", .serialized) struct DriverWorkTests {
  private struct Refusal: Error {}

  @Test("work returns its result or throws its error")
  func done() throws {
    let work = DriverWork(limit: Rational(60), isStopped: { false })
    #expect(try work.run(effects: [], device: nil) { 7 } == 7)
    #expect(throws: Refusal.self) {
      try work.run(effects: [], device: nil) { () throws -> Int in throw Refusal() }
    }
  }

  @Test("work is abandoned after its time limit, or soon after a stop, and runs on by itself")
  func givenUp() throws {
    let gate = BoundedQueue<Int>(capacity: 1)
    let ends = BoundedQueue<Int>(capacity: 2)
    func wait(_ work: DriverWork) throws {
      try work.run(effects: ["a", "b"], device: nil) {
        _ = gate.receive()
        ends.send(1)
      }
    }
    let slow = try #require(throws: UnfinishedCompilation.self) {
      try wait(DriverWork(limit: Rational(1, 10)))
    }
    #expect(slow.description.contains("did not finish one of the effects a, b within 0.1 s"))
    #expect(throws: StoppedWork.self) { try wait(DriverWork(limit: nil, isStopped: { true })) }
    gate.close()
    #expect(ends.receive() == 1 && ends.receive() == 1)
    // Also now: the threads may still release what the work used.
    #expect(DriverWork.wasAbandoned)
  }

  @Test("work that ends soon after a stop is used")
  func stoppedInTime() throws {
    let work = DriverWork(limit: nil, isStopped: { true })
    #expect(
      try work.run(effects: [], device: nil) {
        MonotonicTime.sleep(until: .now + Rational(1, 10))
        return 3
      } == 3)
  }
}
