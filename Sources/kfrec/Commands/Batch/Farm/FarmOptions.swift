import Frames
import Settings

/// What `kfrec batch` does for a farm: plans, tasks and Slurm.
struct FarmSettings: Sendable {
  var isPlanOnly = false
  /// Bytes of inputs.
  var taskSize = 256_000_000
  var task: Int?
  var plan: String?
  /// Options of sbatch.
  var slurm: String?
  var tasksAtOnce: Int?
  /// An output folder.
  var status: String?

  static let options: [OptionRow<FarmSettings>] = [
    .flag(
      "plan-only", in: .farm, of: [.batch],
      help: "Only deal the inputs to tasks, and print the tasks with work",
      details: """
        The plan is plan.jsonl in the output folder. Inputs keep their tasks: the same command again adds what is new, \
        and prints the numbers of the tasks that are not done, one per line.
        """
    ) { $0.isPlanOnly = true },
    .value(
      "task-size", taking: .fileSize, into: \.taskSize, in: .farm, of: [.batch],
      help: "Bytes of inputs in one task",
      details: """
        Default: 256M, so that a task lasts minutes; a task also has at most 20 inputs. An input that is long for its size \
        counts 1M for each 35 million pixels of its frames. For slow effects on many machines choose a smaller size. No \
        more than 1000 tasks are dealt at once.
        """),
    .value(
      "task", taking: .number(in: 1...Int(Int32.max)), into: \.task, in: .farm, of: [.batch],
      traits: .machine,
      help: "Make the outputs of this task of --plan",
      details: """
        The first task has the number 1. The options are in the plan; only those about this machine and messages can be \
        given. The same command again goes on with what is missing.
        """),
    .value(
      "plan", taking: .file(expected: "a plan's file"), into: \.plan, in: .farm, of: [.batch],
      traits: .machine, help: "The plan file that has the task of --task"),
    .value(
      "slurm", taking: .line("OPTIONS", expected: "options of sbatch in one line"), into: \.slurm,
      in: .farm, of: [.batch], help: "Submit the tasks to Slurm, with these options of sbatch",
      details: """
        A job array makes the outputs, and a job after it says what is missing. With --dry-run kfrec prints both \
        scripts and submits nothing. The same command again submits only what is missing.
        """),
    .value(
      "tasks", taking: .number(in: 1...Int(Int32.max)), into: \.tasksAtOnce, in: .farm,
      of: [.batch],
      help: "With --slurm, tasks at the same time",
      details:
        "Default: no limit. The plan has at least this number of tasks, if there are enough inputs."
    ),
    .value(
      "status", taking: .folder(expected: "an output folder"), into: \.status, in: .farm,
      of: [.batch], help: "Say what is done, failed and missing in this folder",
      details: """
        Only the plan and the journals are read. The exit code is 0 if everything is there and whole. Of a long list the \
        first lines are printed; --verbose prints all, and --json all for programs.
        """),
  ]
}

extension Options {
  /// Whether kfrec batch is to plan, to submit or to print the status, instead of making outputs.
  var isOfFarm: Bool {
    // The others run a task on this machine.
    messages.json
      || FarmSettings.options.contains { !$0.traits.contains(.machine) && isGiven($0.long) }
  }

  /// The options that every task of a plan needs, in an order that does not depend on the command.
  var forPlan: [String] {
    let kept = typed.enumerated().filter { option($1.name, of: .batch)?.isInPlan == true }
    return kept.sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }.map {
      Options.word($0.element)
    }
  }

  static func word(_ typed: (name: String, value: String)) -> String {
    let takesValue = option(typed.name, of: .batch)?.valueName != nil
    return takesValue ? "--\(typed.name)=\(typed.value)" : "--\(typed.name)"
  }
}

extension ValueGrammar where Value == Int {
  /// Bytes, such as 64M or 2G.
  fileprivate static let fileSize = Self(
    name: "SIZE", expected: "bytes from 1 to 1000G, such as 64M or 2G"
  ) { word in
    let units: [Character: Int] = ["k": 1000, "K": 1000, "M": 1_000_000, "G": 1_000_000_000]
    let unit = word.last.flatMap { units[$0] } ?? 1
    let digits = unit == 1 ? word : String(word.dropLast())
    guard !digits.isEmpty, digits.count <= 12, digits.allSatisfy({ "0"..."9" ~= $0 }),
      let number = Int(digits), (1...1_000_000_000_000).contains(number * unit)
    else { return nil }
    return number * unit
  }
}

extension ValueGrammar where Value == String {
  /// Text in one line, which may be empty.
  fileprivate static func line(_ name: String, expected: String) -> Self {
    Self(name: name, expected: expected) { word in
      word.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 } ? word : nil
    }
  }
}
