import Batch
import Frames
import Glibc
import Settings

/// `kfrec batch` with `--plan-only`, `--slurm` or `--status`: deals inputs to tasks, submits them, and says how
/// they stand.
struct FarmCommand {
  let words: Options

  func run() throws -> ExitCode {
    if let folder = words.farm.status { return try status(of: folder) }
    if words.json { throw CommandLineError("--json goes with --status; leave it out") }
    guard words.onEnd == nil else {
      throw CommandLineError(
        "--on-end goes with what makes the outputs; leave it out, and use the scheduler's notifications"
      )
    }
    guard words.farm.isPlanOnly || words.farm.slurm != nil else {
      throw CommandLineError(
        "--task-size and --tasks are for a farm; add --plan-only or --slurm, or leave them out")
    }
    if words.farm.isPlanOnly, words.farm.slurm != nil {
      throw CommandLineError("--plan-only and --slurm contradict each other; give one")
    }
    if words.farm.tasksAtOnce != nil, words.farm.slurm == nil {
      throw CommandLineError("--tasks goes with --slurm; leave it out")
    }
    if !words.batch.watched.isEmpty {
      throw CommandLineError(
        "--watch does not go with a plan, which names its inputs; name the folder as an input")
    }
    if words.batch.redoesAll {
      throw CommandLineError(
        "--force does not go with a plan, because tasks are started again; choose another --output-dir, or "
          + "remove the outputs")
    }
    let request = try BatchRequest(words)
    guard let options = words.farm.slurm else {
      let deal = try deal(request)
      try report(deal)
      for number in words.dryRun ? [] : deal.unfinished {
        try StandardStream.output.print("\(number)\n")
      }
      return .done
    }
    return try submit(request, options)
  }

  private func deal(_ request: BatchRequest) throws -> FarmDeal {
    let terms = FarmPlan.Terms(
      version: programVersion, folder: try currentFolder(), options: words.forPlan)
    return try planFarm(
      request, terms,
      TaskPacking(
        taskBytes: Int64(words.farm.taskSize),
        fewestTasks: words.farm.tasksAtOnce ?? 1),
      isTrial: words.dryRun)
  }

  private func report(_ deal: FarmDeal) throws {
    if words.dryRun {
      for item in deal.batch.items {
        let task = deal.plan.task(of: item.output).map { "task \($0.number)" } ?? "no task"
        let line = "\(item.input) -> \(item.output): \(item.reason ?? "done already"), \(task)"
        try StandardStream.output.print(
          visibleName(words.brokenNames.withoutSecrets(line)) + "\n")
      }
    }
    guard !words.quiet else { return }
    for file in deal.batch.skipped { say(visibleName("\(file.path): skipped: \(file.reason)")) }
    if deal.plan.damagedLines > 0 {
      say("\(deal.plan.damagedLines) lines of \(deal.plan.path) are damaged, and left out")
    }
    say(
      "\(deal.plan.path): \(count(deal.batch.pending, "output")) of \(deal.batch.items.count) to make in "
        + "\(count(deal.unfinished.count, "task")), \(deal.added) of them new")
  }

  private func submit(_ request: BatchRequest, _ options: String) throws -> ExitCode {
    let folder = absolute(request.outputFolder, in: try currentFolder())
    let scripts = try SlurmScripts(options: options, folder: folder)
    if words.dryRun {
      let deal = try deal(request)
      let arrays = SlurmArray.arrays(of: deal.unfinished, size: Slurm.usualArraySize)
      try StandardStream.output.print(
        scripts.trial(arrays, tasksAtOnce: words.farm.tasksAtOnce))
      return .done
    }
    // Asked first: without Slurm nothing is written.
    let size = try Slurm.arraySize()
    let deal = try deal(request)
    try report(deal)
    let submission = SlurmSubmission(
      scripts: scripts, arraySize: size, tasksAtOnce: words.farm.tasksAtOnce, say: say)
    try submission.run(deal.unfinished)
    return .done
  }

  private func status(of folder: String) throws -> ExitCode {
    let other = words.typed.first { !["status", "json", "quiet", "verbose"].contains($0.name) }
    if let other {
      throw CommandLineError("--\(other.name) has no place beside --status; leave it out")
    }
    guard words.operands.isEmpty else { throw CommandLineError("--status takes no inputs") }
    let text = StatusText(
      folder: folder, status: try FarmStatus(folder: folder), isComplete: words.verbose)
    try StandardStream.output.print(
      words.json
        ? words.brokenNames.withoutSecrets(text.object).text + "\n"
        : words.brokenNames.visible(text.text))
    return text.exitCode
  }

  private func say(_ sentence: String) {
    guard !words.quiet else { return }
    words.tell(sentence)
  }
}

/// "1 task", "2 tasks".
func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
