/// Puts items together to tasks that last minutes.
package struct TaskPacking: Sendable {
  let taskBytes: Int64
  /// Number of tasks at least, as far as there are items.
  let fewestTasks: Int

  /// - Parameters:
  ///   - taskBytes: Bytes of inputs in one task.
  ///   - fewestTasks: Number of tasks at least, as far as there are items.
  package init(taskBytes: Int64, fewestTasks: Int = 1) {
    (self.taskBytes, self.fewestTasks) = (taskBytes, fewestTasks)
  }

  /// What an input costs before its first byte, as bytes: a decoder, an encoder, a file.
  static let startBytes: Int64 = 512 << 10
  /// Pixels of video that count as a byte: 256 MB are then five minutes at 30 million pixels a second, as for light effects on a
  /// processor, and near what a camera's H.264 has.
  static let pixelsOfByte: Int64 = 35
  /// Most items of a task: the header of a small file need not say how long it is.
  static let mostItems = 20
  /// Number of tasks that are dealt at once at most; schedulers slow down with more.
  static let mostTasks = 1000

  /// The weight of an input for `packed`, in bytes: more than the file has, if its frames have many pixels for its size.
  static func weight(bytes: Int64, pixels: Int64?) -> Int64 {
    max(bytes, (pixels ?? 0) / pixelsOfByte)
  }

  /// Deals items to tasks, in their order.
  ///
  /// An item has the weight of its input in bytes; nil for an input that is no single file, such as numbered images, which
  /// becomes a task of its own.
  func packed(_ items: [(item: FarmPlan.Item, bytes: Int64?)]) -> [[FarmPlan.Item]] {
    let weights = items.map { $0.bytes.map { $0 + TaskPacking.startBytes } ?? taskBytes }
    let total = weights.reduce(0, +)
    // Two tasks that follow each other hold more than one of the limits, so these give no more than `mostTasks`.
    let limit = max(taskBytes, 4 * total / Int64(TaskPacking.mostTasks))
    let most = max(TaskPacking.mostItems, 4 * items.count / TaskPacking.mostTasks)
    var tasks: [Range<Int>] = []
    var filled: Int64 = 0
    for (place, weight) in weights.enumerated() {
      if let last = tasks.last, filled + weight <= limit, last.count < most {
        tasks[tasks.count - 1] = last.lowerBound..<place + 1
        filled += weight
      } else {
        tasks.append(place..<place + 1)
        filled = weight
      }
    }
    func weight(_ task: Range<Int>) -> Int64 { weights[task].reduce(0, +) }
    while tasks.count < min(fewestTasks, items.count, TaskPacking.mostTasks),
      let heaviest = tasks.indices.filter({ tasks[$0].count > 1 }).max(by: {
        weight(tasks[$0]) < weight(tasks[$1])
      })
    {
      let task = tasks[heaviest]
      var (middle, half) = (task.lowerBound + 1, weights[task.lowerBound])
      while middle + 1 < task.upperBound, 2 * (half + weights[middle]) <= weight(task) {
        half += weights[middle]
        middle += 1
      }
      tasks.replaceSubrange(
        heaviest...heaviest, with: [task.lowerBound..<middle, middle..<task.upperBound])
    }
    return tasks.map { task in items[task].map(\.item) }
  }
}
