import Glibc
package import Recorder

/// The state of an output folder, read from its plan and its journals only.
///
/// No input is read: a changed input is noticed only when the batch runs or the plan is made again.
package struct FarmStatus: Sendable {
  /// An output that is not there.
  package struct Gap: Sendable {
    package let output: String
    /// The task that makes it; nil if the folder has no plan.
    package let task: Int?
    /// Why it failed; nil if it did not.
    package let reason: String?
    /// Whether it was begun: it is made now, or its process was killed.
    package let isBegun: Bool
  }

  /// Number of outputs that the plan or the journals name.
  package private(set) var planned = 0
  package private(set) var done = 0
  /// Outputs that are there and not whole, with the reason, in the order of the plan.
  package private(set) var flaws: [(output: String, flaw: OutputFlaw, reason: String)] = []
  /// What is not there, in the order of the plan.
  package private(set) var gaps: [Gap] = []
  /// Number of tasks that have outputs to make.
  package private(set) var tasks = 0
  package private(set) var damagedLines = 0

  package var failed: Int { gaps.count { $0.reason != nil } }
  package var missing: Int { gaps.count { $0.reason == nil } }
  /// The numbers of the tasks with something to do, in order.
  package var unfinished: [Int] { Set(gaps.compactMap(\.task)).sorted() }

  /// What the journals say of an output since it was dealt.
  private struct Story {
    /// Of several, the one whose file was changed last.
    var made: Journal.Result?
    var flaw: OutputFlaw?
    var warning: String?
    var isBegun = false
    var reason: String?
    /// In seconds since 1970.
    var time: Int64 = 0

    /// Adds a line of a journal.
    ///
    /// The clocks of machines differ, and a second is long: the time of the file decides whether it is newer,
    /// and the time of the line counts only for the reason why there is no file.
    mutating func add(_ entry: Journal.Entry, since dealt: Int64, stale: OutputFile?) {
      if let new = entry.result?.result, new.file != stale {
        if made.map({ $0.file.modified <= new.file.modified }) ?? true {
          (made, flaw, warning) = (new, entry.flaw, entry.warnings?.first)
        }
      }
      guard entry.time >= max(time, dealt) else { return }
      time = entry.time
      (isBegun, reason) = (entry.event == .begun, entry.error)
    }
  }

  /// Reads a folder.
  ///
  /// - Throws: If it has neither a plan nor a journal, or if one cannot be read.
  package init(folder: String) throws(BatchError) {
    let path = folder + "/" + FarmPlan.fileName
    let journals = Journal.paths(inFolder: folder)
    var plan: FarmPlan?
    if access(path, F_OK) == 0 {
      let found = try FarmPlan(reading: path)
      damagedLines += found.damagedLines
      // Without tasks it says of no output that it is to be made.
      if !found.tasks.isEmpty { plan = found }
    }
    guard plan != nil || !journals.isEmpty else {
      throw BatchError(
        "\(folder) is no output folder of kfrec batch: it has no \(FarmPlan.fileName) and no "
          + Journal.fileName, isUsageError: true)
    }
    var stories: [ExactPath: Story] = [:]
    var outputs: [String] = []
    for journal in journals {
      damagedLines += try Journal.read(journal) { entry in
        guard let output = entry.output else { return }
        let task = plan?.task(of: output)
        if plan == nil {
          if stories[output] == nil { outputs.append(output) }
        } else if task == nil {
          return
        }
        // A task's own journal is about nothing else than what was dealt to it.
        let isOwn = task.map { journal == folder + "/" + Journal.fileName(ofTask: $0.number) }
        let dealt = isOwn == false ? task?.time ?? 0 : 0
        stories[ExactPath(output), default: Story()].add(
          entry, since: dealt, stale: task?.stale[output])
      }
    }
    let dealt = plan?.tasks.filter { !$0.items.isEmpty } ?? []
    tasks = dealt.count
    for task in dealt {
      for item in task.items { add(item.output, task.number, stories[item.output], folder) }
    }
    for output in outputs { add(output, nil, stories[output], folder) }
  }

  private mutating func add(_ output: String, _ task: Int?, _ story: Story?, _ folder: String) {
    planned += 1
    if story?.made?.isAt(folder + "/" + output) == true {
      done += 1
      if let flaw = story?.flaw {
        flaws.append((output, flaw, story?.warning ?? "it is not whole"))
      }
    } else {
      gaps.append(
        Gap(
          output: output, task: task, reason: story?.reason, isBegun: story?.isBegun ?? false))
    }
  }
}
