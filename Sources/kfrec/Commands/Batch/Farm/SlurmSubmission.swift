import Batch
import CPosix
import Frames
import Glibc
import Settings

/// Submits the tasks of a plan that are not done and not in the queue.
struct SlurmSubmission {
  let scripts: SlurmScripts
  /// Slurm's MaxArraySize.
  let arraySize: Int
  let tasksAtOnce: Int?
  let say: (String) -> Void

  /// The file with a line for each job of this folder: its number, and what is added to its elements.
  private var jobsFile: String { scripts.folder + "/jobs" }

  /// Submits tasks, and a report after them.
  ///
  /// - Parameter unfinished: The numbers of the tasks with something to do, ascending.
  /// - Throws: If a file cannot be written, or Slurm refuses a job.
  func run(_ unfinished: [Int]) throws {
    guard !unfinished.isEmpty else { return say("nothing is submitted: everything is done") }
    try makeFolder()
    let (queued, jobs) = try queuedTasks()
    let wanted = unfinished.filter { !queued.contains($0) }
    if wanted.count < unfinished.count {
      say(
        "\(unfinished.count - wanted.count) of them in the queue already: job "
          + jobs.joined(separator: ", "))
    }
    guard !wanted.isEmpty else { return }
    try write(scripts.tasks, to: "tasks.sh")
    try write(scripts.report, to: "report.sh")
    var ids: [String] = []
    for array in SlurmArray.arrays(of: wanted, size: arraySize) {
      let id = try Slurm.submit(
        array.words(tasksAtOnce: tasksAtOnce) + ["tasks.sh", "\(array.offset)"],
        in: scripts.folder, purpose: "the tasks \(array.list) are refused")
      try addJob("\(id) \(array.offset)\n")
      ids.append(id)
      try StandardStream.output.print("\(id)\n")
      say("job \(id): the tasks \(array.offset == 0 ? "" : "\(array.offset) + ")\(array.list)")
    }
    let report = try Slurm.submit(
      ["--parsable", "--dependency=afterany:" + ids.joined(separator: ":"), "report.sh"],
      in: scripts.folder, purpose: "the tasks are submitted, but their report is refused")
    say("job \(report): the report, \(scripts.folder)/report-\(report).log")
  }

  /// The tasks that earlier calls submitted and that wait or run, and their jobs.
  private func queuedTasks() throws -> (tasks: Set<Int>, jobs: [String]) {
    let lines = (try readText(jobsFile) ?? "").split(separator: "\n")
    guard !lines.isEmpty else { return ([], []) }
    let queued = try Slurm.queued()
    var (tasks, jobs): (Set<Int>, [String]) = ([], [])
    for line in lines {
      let words = line.split(separator: " ")
      guard words.count == 2, let offset = Int(words[1]) else {
        throw CommandLineError(
          "\(jobsFile) is no list of jobs of kfrec; move it away", isUsageError: false)
      }
      guard let elements = queued[String(words[0])] else { continue }
      tasks.formUnion(elements.map { $0 + offset })
      jobs.append(String(words[0]))
    }
    return (tasks, jobs)
  }

  /// Makes the folder; what has its name and is none, or leads to one elsewhere, is refused.
  private func makeFolder() throws(CommandLineError) {
    guard mkdir(scripts.folder, 0o777) != 0 else { return }
    guard errno == EEXIST else { throw failure(scripts.folder) }
    guard FileIdentity(at: scripts.folder)?.isFolder == true else {
      throw CommandLineError(
        "\(scripts.folder) is a link, or no folder; move it away", isUsageError: false)
    }
  }

  /// Writes a script; one of an earlier submission is replaced, and nothing else.
  private func write(_ text: String, to name: String) throws(CommandLineError) {
    let path = scripts.folder + "/" + name
    let file = WholeFile(
      path, replacing: .own { String(decoding: $0, as: UTF8.self).contains(SlurmScripts.mark) })
    do throws(WholeFile.Failure) { try file.write(text.utf8) } catch {
      throw CommandLineError("\(path) \(error.words); move it away", isUsageError: false)
    }
  }

  private func addJob(_ text: String) throws(CommandLineError) {
    let file = open(jobsFile, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw failure(jobsFile) }
    defer { close(file) }
    guard kf_write_all(file, text, text.utf8.count) == 0 else { throw failure(jobsFile) }
  }

  private func readText(_ path: String) throws(CommandLineError) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw failure(path)
    }
    defer { close(file) }
    guard FileIdentity(of: file)?.isRegular == true else {
      throw CommandLineError("\(path) is no regular file; move it away", isUsageError: false)
    }
    guard let bytes = Frames.bytes(of: file) else { throw failure(path) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func failure(_ path: String) -> CommandLineError {
    CommandLineError(
      "\(path) cannot be written or read: \(String(cString: strerror(errno)))", isUsageError: false)
  }
}
