import Batch
import Frames

/// How an output folder stands, as text and as JSON.
struct StatusText {
  let folder: String
  let status: FarmStatus

  /// 0 if everything is there, 1 if nothing is, 3 in between.
  var exitCode: ExitCode {
    if status.gaps.isEmpty { return .done }
    return status.done == 0 ? .failed : .incomplete
  }

  var text: String {
    var parts = ["\(status.done) done"]
    if status.failed > 0 { parts.append("\(status.failed) failed") }
    if status.missing > 0 { parts.append("\(status.missing) missing") }
    let begun = status.gaps.count { $0.isBegun }
    if begun > 0 { parts.append("\(begun) of them begun") }
    let tasks = status.tasks > 0 ? " in \(count(status.tasks, "task"))" : ""
    var lines = [
      "\(folder): \(count(status.planned, "output"))\(tasks): \(parts.joined(separator: ", "))"
    ]
    lines += status.gaps.map { gap in
      let task = gap.task.map { " (task \($0))" } ?? ""
      let state = gap.reason.map { ": failed: \($0)" } ?? (gap.isBegun ? ": begun" : ": missing")
      return "  \(gap.output)\(task)\(state)"
    }
    if status.damagedLines > 0 {
      lines.append("\(count(status.damagedLines, "line")) of the journals or the plan: damaged")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  var object: JSONValue {
    .object([
      ("folder", .string(folder)), ("planned", .int(status.planned)), ("done", .int(status.done)),
      ("failed", .int(status.failed)), ("missing", .int(status.missing)),
      ("tasks", .int(status.tasks)),
      ("unfinishedTasks", .array(status.unfinished.map { .int($0) })),
      (
        "gaps",
        .array(
          status.gaps.map { gap in
            .object([
              ("output", .string(gap.output)), ("task", .optional(gap.task) { .int($0) }),
              ("state", .string(gap.reason != nil ? "failed" : gap.isBegun ? "begun" : "missing")),
              ("error", .optional(gap.reason, JSONValue.string)),
            ])
          })
      ), ("damagedLines", .int(status.damagedLines)),
    ])
  }
}
