import Batch
import Frames
import Recorder

/// What a terminal shows of a running batch: a line for each recording, and one for all.
struct BatchLines {
  let running: [RunningItem]
  /// Items that ended in this run, those of them that failed, and those to be made in this run.
  let finished: Int
  let failed: Int
  let pending: Int
  /// The part that is done, from 0 to 1, and the seconds that are left, if known.
  let fraction: Double
  let remaining: Double?

  func text(columns: Int) -> [String] {
    let width = min(running.map(\.item.output.count).max() ?? 0, max(columns / 3, 8))
    return running.map { running in
      let name = visibleName(running.item.output)
      let shown = name.count > width ? "..." + name.suffix(width - 3) : name
      let space = String(repeating: " ", count: max(0, width - shown.count) + 2)
      return shown + space + (running.line?.text(columns: columns - width - 2) ?? "opening")
    } + [total(columns: columns)]
  }

  private func total(columns: Int) -> String {
    let text = total(isShort: false)
    return text.count < columns ? text : total(isShort: true)
  }

  private func total(isShort: Bool) -> String {
    var parts = ["\(finished) of \(pending)"]
    if !isShort { parts.append("\(running.count) running") }
    if failed > 0 { parts.append("\(failed) failed") }
    // Rounded down: only a complete batch shows 100%.
    parts.append("\(Int(fraction * 100))%")
    if let remaining { parts.append("\(clock(remaining)) left") }
    return parts.joined(separator: ", ")
  }
}

/// The objects of `--progress json`.
extension JSONValue {
  /// An event of one item, or of the whole batch.
  static func batchItem(
    _ type: String, _ item: BatchPlan.Item?, _ members: [(String, JSONValue)] = []
  ) -> JSONValue {
    .object(
      [
        ("type", .string(type)), ("input", .optional(item?.input, JSONValue.string)),
        ("output", .optional(item?.output, JSONValue.string)),
      ] + members)
  }

  /// How far a recording is, and the whole batch: `part` from 0 to 1, `remaining` in seconds.
  static func batchProgress(
    _ item: BatchPlan.Item, _ line: ProgressLine, part: Double, remaining: Double?
  ) -> JSONValue {
    .batchItem(
      "progress", item,
      [
        ("frames", .int(line.progress.framesOut)),
        ("percent", .optional(line.fraction) { .rounded($0 * 100) }),
        ("fps", .optional(line.framesPerSecond, JSONValue.rounded)),
        ("speed", .optional(line.speed, JSONValue.rounded)),
        ("remaining", .optional(line.remaining, JSONValue.rounded)),
        ("batchPercent", .rounded(part * 100)),
        ("batchRemaining", .optional(remaining, JSONValue.rounded)),
      ])
  }
}
