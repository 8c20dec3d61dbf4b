/// Puts items together to tasks that last minutes.
struct TaskPacking {
  /// Bytes of inputs in one task.
  let taskBytes: Int64

  /// What an input costs before its first byte: a decoder, an encoder, a file.
  static let startBytes: Int64 = 512 << 10
  /// Number of tasks that are dealt at once at most; schedulers slow down with more.
  static let mostTasks = 1000

  /// Deals items to tasks, in their order.
  ///
  /// - Parameter items: Items with the sizes of their inputs in bytes; nil for an input that is no single
  ///   file, such as numbered images, which becomes a task of its own.
  /// - Returns: The items of each task.
  func packed(_ items: [(item: FarmPlan.Item, bytes: Int64?)]) -> [[FarmPlan.Item]] {
    let weights = items.map { $0.bytes.map { $0 + TaskPacking.startBytes } ?? taskBytes }
    let total = weights.reduce(0, +)
    // Two tasks that follow each other hold more than the limit, so this gives no more than `mostTasks`.
    let limit = max(taskBytes, 2 * total / Int64(TaskPacking.mostTasks))
    var tasks: [[FarmPlan.Item]] = []
    var filled: Int64 = 0
    for ((item, _), weight) in zip(items, weights) {
      if tasks.isEmpty || filled + weight > limit {
        tasks.append([])
        filled = 0
      }
      tasks[tasks.count - 1].append(item)
      filled += weight
    }
    return tasks
  }
}
