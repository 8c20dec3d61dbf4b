import Batch
import Frames
import Glibc
import Settings

/// `kfrec batch --task I --plan FILE`: makes the outputs of one task of a plan.
struct FarmTaskCommand {
  let words: Options

  func run() throws -> ExitCode {
    guard let number = words.farm.task, let file = words.farm.plan else {
      throw CommandLineError(
        "--task and --plan belong together, such as --task 1 --plan out/plan.jsonl")
    }
    if let other = words.typed.first(where: {
      option($0.name, of: .batch)?.traits.contains(.machine) != true
    }) {
      throw CommandLineError(
        other.name == "on-end"
          ? "--on-end has no place beside --task: what starts the tasks knows when they end"
          : "--\(other.name) has no place beside --task: the plan has the options")
    }
    guard words.operands.isEmpty else {
      throw CommandLineError("--task takes no inputs: the plan has them")
    }
    let folder = try currentFolder()
    let path = absolute(file, in: folder)
    let terms = try FarmPlan(reading: path).task(number).terms
    try check(terms, path)
    let own = words.typed.filter { $0.name != "task" && $0.name != "plan" }.map(Options.word)
    var planned = try ArgumentParser.parse(["batch"] + terms.options + own)
    guard planned.onEnd == nil else {
      throw CommandLineError("the plan \(path) has --on-end, which only the command line may have")
    }
    planned.brokenNames = words.brokenNames
    let request = try BatchRequest(planned, task: FarmTask(number: number, planPath: path))
    return try BatchCommand(words: planned).run(request)
  }

  /// Goes to the folder in which the plan was made; relative paths begin there.
  private func check(_ terms: FarmPlan.Terms, _ path: String) throws(CommandLineError) {
    guard terms.version == programVersion else {
      throw CommandLineError(
        "the plan \(path) was made by kfrec \(terms.version), and this is \(programVersion); use the same version "
          + "on every machine, or make the plan again", isUsageError: false)
    }
    guard chdir(terms.folder) == 0 else {
      throw CommandLineError(
        "the plan \(path) was made in \(terms.folder), which cannot be entered here "
          + "(\(String(cString: strerror(errno)))); every machine needs the folder at the same place",
        isUsageError: false)
    }
  }
}

/// The folder that relative paths begin at.
///
/// - Throws: If it was removed, or is not UTF-8.
func currentFolder() throws(CommandLineError) -> String {
  guard let text = getcwd(nil, 0) else {
    throw CommandLineError("the current folder is gone; go to another one", isUsageError: false)
  }
  defer { free(text) }
  guard let path = String(validatingCString: text) else {
    throw CommandLineError("the name of the current folder is not UTF-8; go to another one")
  }
  return path
}

/// The path as one that does not depend on the current folder.
func absolute(_ path: String, in folder: String) -> String {
  path.hasPrefix("/") ? path : folder + (folder.hasSuffix("/") ? "" : "/") + path
}
