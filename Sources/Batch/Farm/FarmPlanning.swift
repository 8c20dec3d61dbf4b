import Capture
import Encode
import Frames
import Glibc

/// The result of planning: the plan, and the tasks that still have something to do.
package struct FarmDeal: Sendable {
  package let plan: FarmPlan
  /// The inputs with their outputs, and the reasons why they are not done.
  package let batch: BatchPlan
  /// The numbers of the tasks that have something to do, in order.
  package let unfinished: [Int]
  /// Number of tasks that this planning added.
  package let added: Int
}

/// Writes the plan of a farm, or adds to it what it lacks; a trial writes nothing.
///
/// What is dealt stays dealt. Only an output that no task makes, or one with other options, input or
/// version, is dealt (again). `terms` are the request as words.
///
/// - Throws: If the inputs or effects are wrong, the folder cannot be written, or a task is running whose
///   outputs would have to be dealt again.
package func planFarm(
  _ request: BatchRequest, _ terms: FarmPlan.Terms, _ packing: TaskPacking, isTrial: Bool
) throws -> FarmDeal {
  var batch = try BatchPlan(request, effectFiles: try EffectFiles(request))
  let path = request.outputFolder + "/" + FarmPlan.fileName
  if isTrial {
    batch.compare(with: try Journal.results(inFolder: request.outputFolder))
    var plan = FarmPlan(path: path)
    if access(path, F_OK) == 0 { plan = try FarmPlan(reading: path) }
    let lines = Dealing(
      plan: plan, batch: batch, terms: terms, packing: packing, folder: request.outputFolder
    ).lines
    for line in lines { try plan.take(line) }
    return FarmDeal(plan, batch, lines)
  }
  try makeFolders(request.outputFolder)
  // Nobody else may change what is done meanwhile, but for the tasks.
  let lock = try Journal.lockForTasks(request.outputFolder)
  let file = try PlanFile(path, isShared: false)
  return try withExtendedLifetime(lock) {
    batch.compare(with: try Journal.results(inFolder: request.outputFolder))
    let dealing = Dealing(
      plan: file.plan, batch: batch, terms: terms, packing: packing,
      folder: request.outputFolder)
    for number in dealing.robbed
    where Journal.isRunning(task: number, inFolder: request.outputFolder) {
      throw BatchError(
        "task \(number) is making outputs in \(request.outputFolder) with other options; wait for it, or "
          + "end it first", isTemporary: true)
    }
    let lines = dealing.lines
    if !lines.isEmpty { try file.append(lines) }
    return FarmDeal(file.plan, batch, lines)
  }
}

extension FarmDeal {
  fileprivate init(_ plan: FarmPlan, _ batch: BatchPlan, _ lines: [FarmPlan.Line]) {
    (self.plan, self.batch) = (plan, batch)
    let pending = batch.items.filter { $0.reason != nil }
    unfinished = Set(pending.compactMap { plan.task(of: $0.output)?.number }).sorted()
    added = lines.count { $0.task != nil }
  }
}

/// What has to be added to a plan.
private struct Dealing {
  let lines: [FarmPlan.Line]
  /// The numbers of tasks that lose items to new ones.
  let robbed: Set<Int>

  init(
    plan: FarmPlan, batch: BatchPlan, terms: FarmPlan.Terms, packing: TaskPacking, folder: String
  ) {
    var robbed: Set<Int> = []
    var undealt: [(FarmPlan.Item, Int64?)] = []
    for item in batch.items where item.reason != nil {
      let dealt = FarmPlan.Item(
        input: item.input, output: item.output, line: item.own?.line)
      if let owner = plan.task(of: item.output) {
        if owner.terms == terms, owner.items.contains(dealt) { continue }
        robbed.insert(owner.number)
      }
      let isFile = FileIdentity(behind: item.input) != nil
      let weight = (isFile ? item.fingerprint?.input.size : nil).map {
        TaskPacking.weight(bytes: $0, pixels: statedPixels(ofFile: item.input))
      }
      undealt.append((dealt, weight))
    }
    // An input that is gone would be missing for ever.
    let known = Set(batch.items.map { ExactPath($0.output) })
    let gone = plan.tasks.filter { $0.terms.folder == terms.folder }.flatMap(\.items).filter {
      !known.contains(ExactPath($0.output)) && Dealing.isGone($0.input)
    }
    var lines: [FarmPlan.Line] = []
    if !gone.isEmpty { lines.append(FarmPlan.Line(dropped: gone.map(\.output))) }
    let tasks = packing.packed(undealt)
    if !tasks.isEmpty, plan.terms != terms {
      lines.append(
        FarmPlan.Line(
          plan: FarmPlan.format, version: terms.version, folder: terms.folder,
          options: terms.options))
    }
    for (place, items) in tasks.enumerated() {
      var stale: [String: OutputFile] = [:]
      for item in items { stale[item.output] = OutputFile(at: folder + "/" + item.output) }
      lines.append(
        FarmPlan.Line(
          task: plan.nextNumber + place, time: Journal.now, items: items,
          stale: stale.isEmpty ? nil : stale))
    }
    (self.lines, self.robbed) = (lines, robbed)
  }

  private static func isGone(_ input: String) -> Bool {
    let kind = SourceRequest(input: input).kind
    guard !kind.isGenerated, !kind.takesFrameRate else { return false }
    return access(input, F_OK) != 0 && errno == ENOENT
  }
}
