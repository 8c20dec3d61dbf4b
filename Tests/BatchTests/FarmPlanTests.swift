import Glibc
import TestSupport
import Testing

@testable import Batch

@Suite("The plan of a farm") struct FarmPlanTests {
  private let header =
    "{\"plan\":1,\"version\":\"1\",\"folder\":\"/f\",\"options\":[\"--effect=a\"]}"

  private func task(_ number: Int, _ outputs: String...) -> String {
    let items = outputs.map { "{\"input\":\"\($0).mp4\",\"output\":\"\($0).mov\"}" }
    return "{\"task\":\(number),\"time\":5,\"items\":[\(items.joined(separator: ","))]}"
  }

  private func plan(_ lines: String...) throws -> FarmPlan {
    let folder = try TemporaryFolder()
    return try FarmPlan(
      reading: folder.write(lines.joined(separator: "\n").utf8, to: FarmPlan.fileName))
  }

  @Test("a plan that is refused keeps no output of the task that is refused")
  func refusedTask() throws {
    var plan = FarmPlan(path: "plan.jsonl")
    try plan.take(FarmPlan.Line(plan: 1, version: "1", folder: "/", options: []))
    let items = ["a.mov", "../b.mov"].map { FarmPlan.Item(input: "x", output: $0) }
    #expect(throws: BatchError.self) {
      try plan.take(FarmPlan.Line(task: 1, time: 1, items: items))
    }
    #expect(plan.task(of: "a.mov") == nil)
  }

  @Test("An output belongs to the last line that names it")
  func owner() throws {
    let plan = try plan(
      header, task(1, "a", "b"), task(2, "c"),
      "{\"plan\":1,\"version\":\"1\",\"folder\":\"/f\",\"options\":[]}", task(3, "b"),
      "{\"dropped\":[\"c.mov\"]}")
    #expect(try plan.task(1).items.map(\.output) == ["a.mov"])
    #expect(try plan.task(2).items.isEmpty)
    #expect(try plan.task(3).terms.options.isEmpty)
    #expect(try plan.task(1).terms.options == ["--effect=a"])
    #expect(plan.task(of: "b.mov")?.number == 3)
    #expect(plan.task(of: "c.mov") == nil)
    #expect(plan.nextNumber == 4 && plan.damagedLines == 0)
    let error = #expect(throws: BatchError.self) { try plan.task(4) }
    #expect(error?.description.contains("has no task 4, but the tasks 1 to 3") == true)
  }

  @Test("Damaged lines are left out and counted; a file of another kind or version is refused")
  func damage() throws {
    let damaged = try plan(header, task(1, "a"), "{\"task\":2,\"it", task(1, "x"), task(3, "b"))
    #expect(damaged.tasks.map(\.number) == [1, 3] && damaged.damagedLines == 2)
    let absurd = try plan(header, task(1, "a", "a"), task(1_000_000_000, "b"), task(.max, "c"))
    #expect(absurd.tasks.map(\.number) == [1_000_000_000] && absurd.damagedLines == 2)
    #expect(throws: BatchError.self) { try plan("", "text") }
    let later = #expect(throws: BatchError.self) {
      try plan("{\"plan\":2,\"version\":\"9\",\"folder\":\"/f\"}")
    }
    #expect(later?.description.contains("later version") == true)
  }

  @Test("A line that a kill cut off does not damage the next one")
  func cutOff() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write((header + "\n{\"task\":1,").utf8, to: FarmPlan.fileName)
    let file = try PlanFile(path, isShared: false)
    try file.append([FarmPlan.Line(task: 1, time: 1, items: [])])
    let read = try FarmPlan(reading: path)
    #expect(read.tasks.map(\.number) == [1] && read.damagedLines == 1)
  }

  @Test("Tasks hold as much as they may, in order, and a sequence is alone")
  func packing() {
    func packed(_ sizes: [Int64?], _ limit: Int64) -> [[String]] {
      let items = sizes.enumerated().map { place, size in
        (item: FarmPlan.Item(input: "\(place)", output: ""), bytes: size)
      }
      return TaskPacking(taskBytes: limit).packed(items).map { $0.map(\.input) }
    }
    let million: Int64 = 1_000_000
    #expect(packed([], million).isEmpty)
    #expect(
      packed([million, million, million], 3 * million + 100_000) == [["0", "1"], ["2"]])
    #expect(packed([5 * million, 1, nil, 1], million) == [["0"], ["1"], ["2"], ["3"]])
    #expect(packed([1, 1, 1], 10 * million) == [["0", "1", "2"]])
    let many = packed(Array(repeating: 1_000_000_000, count: 10_000), million)
    #expect(many.count <= TaskPacking.mostTasks && many.joined().count == 10_000)
  }

  @Test("Many small inputs are several tasks, and at least as many as were asked for")
  func smallInputs() {
    func packed(_ sizes: [Int64], fewest: Int = 1) -> [[String]] {
      let items = sizes.enumerated().map { place, size in
        (item: FarmPlan.Item(input: "\(place)", output: ""), bytes: Optional(size))
      }
      return TaskPacking(taskBytes: 256_000_000, fewestTasks: fewest).packed(items)
        .map { $0.map(\.input) }
    }
    let small = [Int64](repeating: 100_000, count: 300)
    #expect(packed(small).count == 300 / TaskPacking.mostItems)
    for fewest in [16, 100, 300, 1000] {
      let tasks = packed(small, fewest: fewest)
      #expect(
        tasks.count == min(fewest, 300) && tasks.joined().elementsEqual(packed(small).joined()))
      #expect(tasks.allSatisfy { !$0.isEmpty && $0.count <= 2 * 300 / min(fewest, 300) })
    }
    // One heavy input does not keep the light ones together.
    let tasks = packed([200_000_000] + [Int64](repeating: 1000, count: 9), fewest: 5)
    #expect(tasks.count == 5 && tasks.first == ["0"])
    // A header may say anything.
    let longest = TaskPacking.weight(bytes: 1, pixels: 100_000_000_000_000)
    let endless = packed([Int64](repeating: longest, count: 100_000))
    #expect(endless.count <= TaskPacking.mostTasks && endless.joined().count == 100_000)
    #expect(TaskPacking.weight(bytes: 90, pixels: 35) == 90)
    #expect(TaskPacking.weight(bytes: 1, pixels: nil) == 1)
    let most = packed([Int64](repeating: 1, count: 100_000))
    #expect(most.count <= TaskPacking.mostTasks && most.joined().count == 100_000)
  }

  @Test(
    "The journals of tasks and of batches without tasks are read together, and exclude each other")
  func journals() throws {
    let folder = try TemporaryFolder()
    func entry(_ output: String, modified: Int64) -> Journal.Entry {
      Journal.Entry(
        event: .done, time: 1, output: output,
        fingerprint: ResultFingerprint(
          input: InputFingerprint(path: "/no/such", isWhole: false, earlier: nil),
          effectFiles: [:], effects: "", options: "", version: "1"),
        frames: 1, bytes: 1, modified: modified)
    }
    do {
      let (first, second) = (
        try Journal(folder: folder.path, task: 1), try Journal(folder: folder.path, task: 2)
      )
      try first.append(entry("a.mov", modified: 7))
      try second.append(entry("a.mov", modified: 3))
      try second.append(entry("b.mov", modified: 3))
      #expect(first.workFolder != second.workFolder)
      let twin = #expect(throws: BatchError.self) { try Journal(folder: folder.path, task: 2) }
      #expect(twin?.isTemporary == true)
      #expect(throws: BatchError.self) { try Journal(folder: folder.path) }
      #expect(Journal.isRunning(task: 2, inFolder: folder.path))
      #expect(!Journal.isRunning(task: 3, inFolder: folder.path))
    }
    let whole = try Journal(folder: folder.path)
    #expect(
      whole.results.mapValues(\.file.modified) == [ExactPath("a.mov"): 7, ExactPath("b.mov"): 3])
    let task = #expect(throws: BatchError.self) { try Journal(folder: folder.path, task: 1) }
    #expect(task?.isTemporary == true)
  }
}
