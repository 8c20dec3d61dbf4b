import Testing

@testable import Batch

@Suite("The number of recordings at the same time") struct JobLimitTests {
  /// Measures until nothing changes; `busy` is the processors' load with a number of recordings.
  private func jobs(
    fixed: Int? = nil, processors: Int = 8, memoryLimit: Int64 = 1000, each: Int64 = 1,
    busy: (Int) -> Double
  ) -> Int {
    var limit = JobLimit(fixed: fixed, processors: processors, memoryLimit: memoryLimit)
    for _ in 0..<100 {
      limit.measure(
        .init(busy: busy(limit.jobs), memory: each * Int64(limit.jobs), running: limit.jobs))
    }
    return limit.jobs
  }

  @Test("A given number stays, whatever is measured")
  func fixed() {
    #expect(jobs(fixed: 3, each: 10_000) { _ in 0 } == 3)
  }

  @Test("Recordings are added while processors are free, and no longer")
  func added() {
    #expect(jobs { Double($0) * 0.16 } == 6)
    #expect(jobs(processors: 2) { _ in 0.95 } == 2)
  }

  @Test(
    "A recording that makes the processors no busier is taken back: something else sets the pace")
  func takenBack() {
    #expect(jobs { min(0.5, Double($0) * 0.25) } == 2)
    #expect(jobs { min(0.3, Double($0) * 0.1) } == 4)
    #expect(jobs { _ in 0.01 } == 2)
  }

  @Test("Recordings stay inside the limit of memory, and one always runs")
  func memory() {
    #expect(jobs(memoryLimit: 100, each: 30) { Double($0) * 0.1 } == 3)
    #expect(jobs(memoryLimit: 100, each: 70) { Double($0) * 0.1 } == 1)
    #expect(jobs(memoryLimit: 100, each: 700) { Double($0) * 0.1 } == 1)
  }

  @Test(
    "Many processors are reached in a few seconds: recordings double while less than half are busy")
  func doubled() {
    var limit = JobLimit(fixed: nil, processors: 32, memoryLimit: 1000)
    var numbers: [Int] = []
    for _ in 0..<5 {
      limit.measure(
        .init(busy: Double(limit.jobs) * 0.03, memory: Int64(limit.jobs), running: limit.jobs))
      numbers.append(limit.jobs)
    }
    #expect(numbers == [4, 8, 16, 17, 18])
  }

  @Test("Nothing is added while fewer recordings run than may")
  func nothingToDo() {
    var limit = JobLimit(fixed: nil, processors: 8, memoryLimit: 1000)
    for _ in 0..<9 { limit.measure(.init(busy: 0.1, memory: 1, running: 1)) }
    #expect(limit.jobs == 2)
  }

  @Test("The machine's use is measured")
  func use() {
    var use = MachineUse()
    #expect(use.processors >= 1)
    #expect(MachineUse.memory > 1 << 20)
    #expect(MachineUse.memoryLimit > 1 << 20)
    // However short the time is.
    for _ in 0..<1000 {
      let part = use.takeBusy()
      #expect((0...1).contains(part))
    }
  }
}
