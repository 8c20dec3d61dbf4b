import Batch
import Frames
import Recorder

/// The state of an output folder, as text and as JSON.
struct StatusText {
  let folder: String
  let status: FarmStatus
  /// Whether the text lists everything that is not there, however much it is.
  let isComplete: Bool

  /// Most lines of a list, and how many of a longer one are shown.
  private static let mostLines = 20
  private static let shownLines = 10

  /// 0 if everything is there, 1 if nothing is, 3 in between.
  var exitCode: ExitCode {
    if status.gaps.isEmpty { return status.flaws.isEmpty ? .done : .incomplete }
    return status.done == 0 ? .failed : .incomplete
  }

  var text: String {
    var parts = ["\(status.done) done"]
    if status.failed > 0 { parts.append("\(status.failed) failed") }
    if status.missing > 0 { parts.append("\(status.missing) missing") }
    if !status.flaws.isEmpty { parts.append("\(status.flaws.count) done and not whole") }
    let begun = status.gaps.count { $0.isBegun }
    if begun > 0 { parts.append("\(begun) of them begun") }
    let tasks = status.tasks > 0 ? " in \(count(status.tasks, "task"))" : ""
    var lines = [
      "\(folder): \(count(status.planned, "output"))\(tasks): \(parts.joined(separator: ", "))"
    ]
    let list =
      status.gaps.map { gap in
        let task = gap.task.map { " (task \($0))" } ?? ""
        let state = gap.reason.map { ": failed: \($0)" } ?? (gap.isBegun ? ": begun" : ": missing")
        let line = "  \(visibleName(gap.output))\(task)\(state)"
        return (rank: gap.reason != nil ? 0 : 2, line: line)
      }
      + status.flaws.map {
        (rank: 1, line: "  \(visibleName($0.output)): \($0.flaw.rawValue): \($0.reason)")
      }
    if isComplete || list.count <= StatusText.mostLines {
      lines += list.map { Self.indented($0.line) }
    } else {
      // What failed first: it needs a look.
      let ranked = (0...2).flatMap { rank in list.filter { $0.rank == rank } }
      lines += ranked.prefix(StatusText.shownLines).map { Self.indented($0.line) }
      lines.append(
        "  and \(list.count - StatusText.shownLines) more; --verbose lists all of them")
    }
    if status.damagedLines > 0 {
      lines.append("\(count(status.damagedLines, "line")) of the journals or the plan: damaged")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A reason may have several lines, none of which is to look like kfrec's own.
  private static func indented(_ line: String) -> String { line.replacing("\n", with: "\n    ") }

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
      ),
      (
        "flaws",
        .array(
          status.flaws.map {
            .object([
              ("output", .string($0.output)), ("flaw", .string($0.flaw.rawValue)),
              ("reason", .string($0.reason)),
            ])
          })
      ), ("damagedLines", .int(status.damagedLines)),
    ])
  }
}
