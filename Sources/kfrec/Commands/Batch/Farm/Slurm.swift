import Glibc
import Settings

enum Slurm {
  /// MaxArraySize unless a site changed it.
  static let usualArraySize = 1001

  /// Asks the controller for MaxArraySize.
  ///
  /// - Throws: If Slurm is not installed, or its controller does not answer.
  static func arraySize() throws(CommandLineError) -> Int {
    let text = try run("scontrol", ["show", "config"], purpose: "the controller does not answer")
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=")
      guard parts.count == 2, parts[0].filter({ $0 != " " }) == "MaxArraySize" else { continue }
      guard let size = Int(parts[1].filter { $0 != " " }), size > 1 else { break }
      return size
    }
    throw CommandLineError(
      "this Slurm has no job arrays (MaxArraySize); use --plan-only, and start the tasks one by one",
      isUsageError: false)
  }

  /// The elements of arrays of this user that wait or run, by the array's job.
  static func queued() throws(CommandLineError) -> [String: Set<Int>] {
    let text = try run(
      "squeue", ["--me", "--noheader", "--array", "--format=%F %K %t"],
      purpose: "the queue cannot be read")
    var elements: [String: Set<Int>] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      // A completing element (CG) has ended.
      guard words.count == 3, let element = Int(words[1]), words[2] != "CG" else { continue }
      elements[String(words[0]), default: []].insert(element)
    }
    return elements
  }

  /// Submits a script, and returns the job's number.
  static func submit(
    _ words: [String], in folder: String, purpose: String
  ) throws(CommandLineError) -> String {
    let text = try run("sbatch", words, in: folder, purpose: purpose)
    // "12", or "12;cluster".
    let id = text.prefix { "0"..."9" ~= $0 }
    guard !id.isEmpty else {
      throw CommandLineError("sbatch said \"\(text)\" and no job's number", isUsageError: false)
    }
    return String(id)
  }

  private static func run(
    _ program: String, _ words: [String], in folder: String? = nil, purpose: String
  ) throws(CommandLineError) -> String {
    let call: ProgramCall
    do throws(Errno) { call = try ProgramCall(program, words, in: folder) } catch {
      let reason =
        error.code == ENOENT ? "it is not installed here" : String(cString: strerror(error.code))
      throw CommandLineError(
        "\(program) of Slurm cannot be run: \(reason); submit where Slurm is, or use --plan-only",
        isUsageError: false)
    }
    guard call.exitCode == 0 else {
      let said = call.errors.split(separator: "\n").joined(separator: "; ")
      throw CommandLineError(
        "Slurm: \(purpose) (\(said.isEmpty ? "\(program): exit code \(call.exitCode)" : said)); nothing is lost: "
          + "run the same command again later", isUsageError: false)
    }
    return call.output
  }
}
