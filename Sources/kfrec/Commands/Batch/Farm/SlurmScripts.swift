import Glibc
import Settings

/// The scripts that Slurm runs: one for the tasks, one for the report after them.
struct SlurmScripts {
  /// The folder for scripts and logs, inside the output folder.
  let folder: String
  let tasks: String
  let report: String
  /// Every script has it.
  static let mark = "#SBATCH --job-name=kfrec"

  /// Makes the scripts for an output folder, whose path is absolute; the options of sbatch come last, so that they win.
  ///
  /// - Throws: If the options contradict what kfrec does.
  init(options: String, folder: String) throws(CommandLineError) {
    let words = options.split(separator: " ")
    if let word = words.first(where: { $0 == "-a" || $0.hasPrefix("--array") }) {
      throw CommandLineError(
        "--slurm has \(word), but kfrec numbers the tasks itself; use --tasks for the number at the same time"
      )
    }
    self.folder = folder + "/slurm"
    func settings(_ options: String) -> String { options.isEmpty ? "" : "#SBATCH \(options)\n" }
    let program = shellWord(SlurmScripts.programPath)
    tasks = """
      #!/bin/bash
      #SBATCH --job-name=kfrec
      #SBATCH --output=%A_%a.log
      #SBATCH --requeue
      #SBATCH --open-mode=append
      #SBATCH --signal=B:USR1@120
      \(settings(options))
      # One task of a plan of kfrec batch. The task's number is that of the array's element and the first argument.
      task=$((SLURM_ARRAY_TASK_ID + ${1:-0}))
      echo "task $task on ${SLURMD_NODENAME:-$HOSTNAME}, start ${SLURM_RESTART_COUNT:-0}"
      \(program) batch --task "$task" --plan \(shellWord(folder + "/plan.jsonl")) &
      kfrec=$!
      # Time is nearly over: kfrec finishes what it makes now.
      finishing=
      trap 'finishing=yes; kill -USR1 "$kfrec" 2>/dev/null' USR1
      # Cancelled, preempted or out of time: Slurm itself decides whether it starts again.
      stopped=
      trap 'stopped=yes; kill -TERM "$kfrec" 2>/dev/null' TERM
      # A signal ends "wait", but not kfrec.
      wait "$kfrec"
      code=$?
      while [ "$code" -gt 128 ] && kill -0 "$kfrec" 2>/dev/null; do
        wait "$kfrec"
        code=$?
      done
      if [ "$code" -gt 128 ] && [ -n "$finishing$stopped" ]; then
        wait "$kfrec"
        code=$?
      fi
      if [ "$code" -eq 75 ] && [ -z "$stopped" ]; then
        echo "task $task goes on later"
        scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
      fi
      exit "$code"

      """
    report = """
      #!/bin/bash
      #SBATCH --job-name=kfrec-report
      #SBATCH --output=report-%j.log
      \(settings(SlurmScripts.withoutGPUs(words.map(String.init)).joined(separator: " ")))
      # Says what kfrec batch made and what is missing, when all tasks have ended.
      made=$(mktemp -p \(shellWord(folder + "/slurm"))) &&
        \(program) batch --status \(shellWord(folder)) --json >"$made"
      chmod +r "$made" && mv -fT "$made" \(shellWord(folder + "/slurm/report.json"))
      \(program) batch --status \(shellWord(folder)) --verbose

      """
  }

  /// Options of sbatch without those that ask for a GPU: a report would wait for one, and not use it.
  static func withoutGPUs(_ words: [String]) -> [String] {
    let ofGPUs: Set = [
      "-G", "--gpus", "--gpus-per-node", "--gpus-per-task", "--gpus-per-socket", "--gpu-bind",
      "--gpu-freq",
      "--cpus-per-gpu", "--mem-per-gpu", "--ntasks-per-gpu",
    ]
    let ofResources: Set = ["--gres", "--tres-per-task", "--tres-per-node", "--tres-per-job"]
    var kept: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      let name = parts.first ?? word
      let isApart = parts.count == 1 && rest.first.map { !$0.hasPrefix("-") } ?? false
      if ofGPUs.contains(name) || name.hasPrefix("-G") && !name.hasPrefix("--") {
        if isApart, ofGPUs.contains(name) { rest.removeFirst() }
      } else if ofResources.contains(name) {
        let value = parts.count == 2 ? parts[1] : isApart ? rest.removeFirst() : ""
        let others = value.split(separator: ",").filter {
          !$0.hasPrefix("gpu") && !$0.hasPrefix("gres/gpu") && !$0.hasPrefix("gres:gpu")
        }
        if !others.isEmpty { kept.append("\(name)=\(others.joined(separator: ","))") }
      } else {
        kept.append(word)
      }
    }
    return kept
  }

  /// What `--dry-run` prints.
  func trial(_ arrays: [SlurmArray], tasksAtOnce: Int?) -> String {
    let calls = arrays.map { array in
      "# sbatch \(array.words(tasksAtOnce: tasksAtOnce).joined(separator: " ")) \(folder)/tasks.sh "
        + "\(array.offset)\n"
    }
    let dependency = "# sbatch --parsable --dependency=afterany:JOB \(folder)/report.sh\n"
    return "# \(folder)/tasks.sh\n" + tasks + "\n# \(folder)/report.sh\n" + report + "\n"
      + (arrays.isEmpty
        ? "# everything is done; nothing is submitted\n" : calls.joined() + dependency)
  }

  /// The path of this program, which the nodes must have too.
  private static var programPath: String {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : "kfrec"
  }
}

/// Tasks that are one job array.
struct SlurmArray: Equatable {
  /// What is added to the number of an element to get that of its task.
  let offset: Int
  /// The numbers of the elements, ascending.
  let elements: [Int]

  /// Puts tasks, ascending, into arrays; the numbers of elements are smaller than Slurm's MaxArraySize.
  static func arrays(of tasks: [Int], size: Int) -> [SlurmArray] {
    let most = max(1, size - 1)
    let groups = Dictionary(grouping: tasks) { ($0 - 1) / most }
    return groups.keys.sorted().map { group in
      SlurmArray(
        offset: group * most, elements: (groups[group] ?? []).map { $0 - group * most })
    }
  }

  /// The arguments of sbatch before the script.
  func words(tasksAtOnce: Int?) -> [String] {
    ["--parsable", "--array=" + list + (tasksAtOnce.map { "%\($0)" } ?? "")]
  }

  /// The elements as Slurm writes them, such as "1-3,7".
  var list: String {
    var runs: [ClosedRange<Int>] = []
    for element in elements {
      if let last = runs.last, last.upperBound + 1 == element {
        runs[runs.count - 1] = last.lowerBound...element
      } else {
        runs.append(element...element)
      }
    }
    return runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ",")
  }
}

/// The text as one word of a shell.
func shellWord(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy { byte in
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
      || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/._-+,=:@".utf8.contains(byte)
  }
  return isPlain && !text.isEmpty
    ? text
    : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
}
