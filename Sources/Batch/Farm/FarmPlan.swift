import FoundationEssentials
import Frames
import Glibc

/// The plan of a farm: which task makes which outputs.
///
/// It is a file of one JSON object a line that is only ever appended to, so that a task's number keeps its
/// meaning for as long as somebody may start the task. A line is one of three: terms, which hold for the tasks
/// after it; a task; outputs that were dropped. If several lines name an output, it belongs to the last.
package struct FarmPlan: Sendable {
  /// The plan's name in the output folder.
  package static let fileName = "plan.jsonl"
  /// The version of the format.
  static let format = 1

  /// What holds for tasks: who made the plan, where, and with which words.
  package struct Terms: Sendable, Equatable {
    /// The version of kfrec.
    package let version: String
    /// The folder that relative paths begin at.
    package let folder: String
    /// The typed options, each as one word.
    package let options: [String]

    package init(version: String, folder: String, options: [String]) {
      (self.version, self.folder, self.options) = (version, folder, options)
    }
  }

  /// An input, and its output's path relative to the output folder.
  package struct Item: Codable, Sendable, Equatable {
    package let input: String
    package let output: String
    /// The line of a list with effects and options for this input; nil if it has none.
    package var line: String?
  }

  /// The items that one process makes.
  package struct Task: Sendable {
    /// From 1.
    package let number: Int
    package let terms: Terms
    /// When it was dealt, in seconds since 1970-01-01 UTC.
    let time: Int64
    /// The files that lay at outputs when they were dealt: they were made of something else.
    let stale: [String: OutputFile]
    package fileprivate(set) var items: [Item]
  }

  struct Line: Codable {
    /// The version of the format, with `version`, `folder` and `options`.
    var plan: Int?
    var version: String?
    var folder: String?
    var options: [String]?
    /// A task's number, with `time`, `items` and, unless it is empty, `stale`.
    var task: Int?
    var time: Int64?
    var items: [Item]?
    var stale: [String: OutputFile]?
    /// Outputs that no task makes any more.
    var dropped: [String]?
  }

  package let path: String
  /// In the order of their numbers; some may have no items any more.
  package private(set) var tasks: [Task] = []
  /// Number of lines that could not be read.
  package private(set) var damagedLines = 0
  /// The place in `tasks` of the task that makes an output.
  private var owners: [ExactPath: Int] = [:]
  /// The terms of the last line that has some.
  private(set) var terms: Terms?

  /// No plan has more tasks; larger numbers are damage.
  private static let largestNumber = 1_000_000_000
  /// A hundred thousand inputs with options of their own have less, also if they were dealt several times; a device may
  /// have no end.
  private static let mostMebibytes = 512

  var nextNumber: Int { (tasks.last?.number ?? 0) + 1 }

  init(path: String) { self.path = path }

  /// Returns the task that makes an output; nil if none does.
  package func task(of output: String) -> Task? { owners[output].map { tasks[$0] } }

  /// Returns the task with a number.
  package func task(_ number: Int) throws(BatchError) -> Task {
    if let task = tasks.first(where: { $0.number == number }) { return task }
    guard let first = tasks.first?.number else {
      throw BatchError("\(path) has no tasks", isUsageError: true)
    }
    throw BatchError(
      "\(path) has no task \(number), but the tasks \(first) to \(nextNumber - 1)",
      isUsageError: true)
  }

  /// Takes a line in.
  ///
  /// - Throws: If it is of a later version of the format.
  mutating func take(_ line: Line) throws(BatchError) {
    if let format = line.plan {
      guard format <= FarmPlan.format, let version = line.version, let folder = line.folder else {
        throw BatchError(
          "\(path) is of a later version of kfrec; use that version, or another --output-dir")
      }
      terms = Terms(version: version, folder: folder, options: line.options ?? [])
    } else if let number = line.task, number >= nextNumber, number <= FarmPlan.largestNumber,
      let items = line.items, let terms,
      Set(items.map { ExactPath($0.output) }).count == items.count
    {
      for item in items {
        if let problem = OutputName.problem(of: item.output) {
          throw BatchError(
            "\(path) is not as kfrec batch made it: the output \"\(item.output)\" of task \(number) \(problem); make "
              + "the plan again", isUsageError: true)
        }
      }
      // Only now: a plan that is refused keeps no output of a task that it does not have.
      for item in items { give(item.output, to: tasks.count) }
      tasks.append(
        Task(
          number: number, terms: terms, time: line.time ?? 0, stale: line.stale ?? [:], items: items
        ))
    } else if let dropped = line.dropped {
      for output in dropped { give(output, to: nil) }
    } else {
      damagedLines += 1
    }
  }

  private mutating func give(_ output: String, to place: Int?) {
    let last = owners[output]
    owners[output] = place
    if let last { tasks[last].items.removeAll { ExactPath($0.output) == ExactPath(output) } }
  }

  /// Reads a plan.
  package init(reading path: String) throws(BatchError) {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      throw BatchError(
        "the plan \(path) cannot be opened: \(String(cString: strerror(errno)))",
        isUsageError: true)
    }
    defer { close(file) }
    self.init(path: path)
    let bytes = try FarmPlan.bytes(of: file, path)
    try take(bytes)
    // It is empty if nothing was to do when it was made.
    guard bytes.isEmpty || terms != nil else {
      throw BatchError("\(path) is no plan of kfrec batch")
    }
  }

  static func bytes(of file: Int32, _ path: String) throws(BatchError) -> [UInt8] {
    guard let bytes = Frames.bytes(of: file, most: mostMebibytes << 20) else {
      throw BatchError("the plan \(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    guard bytes.count <= mostMebibytes << 20 else {
      throw BatchError(
        "the plan \(path) has more than \(mostMebibytes) MiB; choose another --output-dir")
    }
    return bytes
  }

  mutating func take(_ bytes: [UInt8]) throws(BatchError) {
    let decoder = JSONDecoder()
    for text in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let line = try? decoder.decode(Line.self, from: Data(text)) else {
        damagedLines += 1
        continue
      }
      try take(line)
    }
  }
}
