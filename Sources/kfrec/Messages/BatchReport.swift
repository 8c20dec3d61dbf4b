import Batch
import CPosix
import Frames
import Glibc
import Recorder
import Synchronization

/// The file of `--report`: what became of each input of a batch.
final class BatchReport: Sendable {
  private struct State {
    var plan: BatchPlan?
    /// Items that came later, by their keys; an input may come again.
    var arrived: [String: BatchPlan.Item] = [:]
    /// By the items' keys.
    var made: [String: MadeOutput] = [:]
    var failures: [String: String] = [:]
    var warnings: [String: [String]] = [:]
    /// Warnings about the whole batch.
    var general: [String] = []
  }

  private let path: String
  private let state = Mutex(State())

  /// Checks that the file can be made; its folder may be one that the batch will make.
  ///
  /// - Throws: A usage error.
  init(path: String, outputFolder: String?) throws(CommandLineError) {
    self.path = path
    var status = stat()
    if path.hasSuffix("/") || stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR {
      throw CommandLineError("--report \(path) is a folder; name a file in it, such as report.json")
    }
    guard access(folder, W_OK | X_OK) != 0 else { return }
    let code = errno
    if code == ENOENT, let outputFolder, folder == outputFolder || folder + "/" == outputFolder {
      return
    }
    throw CommandLineError(
      "--report \(path) cannot be written: \(String(cString: strerror(code))); name another place")
  }

  private var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Two inputs may want one output, and one of them fails.
  private static func key(_ item: BatchPlan.Item) -> String { item.output + "\n" + item.input }

  func note(_ event: BatchEvent) {
    let key = BatchReport.key
    state.withLock { state in
      switch event {
      case .planned(let plan): state.plan = plan
      case .arrived(let item): state.arrived[key(item)] = item
      case .done(let item, let made):
        state.made[key(item)] = made
        state.failures[key(item)] = nil
      case .failed(let item, let reason): state.failures[key(item)] = reason
      case .notice(let item?, let message): state.warnings[key(item), default: []].append(message)
      case .notice(nil, let message): state.general.append(message)
      case .begun, .progress, .chunk: break
      }
    }
  }

  /// Writes the file whole: beside its place, and then renamed.
  ///
  /// - Parameters:
  ///   - exitCode: How the batch ended.
  ///   - error: Why it could not go on, if so.
  /// - Throws: If it cannot be written.
  func write(exitCode: ExitCode, error: (any Error)?) throws(CommandLineError) {
    let text = state.withLock { BatchReport.text($0, exitCode: exitCode, error: error) }
    var status = stat()
    // A pipe or a device takes the text itself.
    let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    let place = isSpecial ? path : "\(path).\(getpid()).part"
    let file = open(place, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw failure(errno) }
    var code: Int32 = 0
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty, code == 0 {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count > 0 { bytes = bytes.dropFirst(count) } else if errno != EINTR { code = errno }
    }
    if code == 0, !isSpecial, fsync(file) != 0, errno != EINVAL { code = errno }
    if close(file) != 0, code == 0 { code = errno }
    if code == 0, !isSpecial, rename(place, path) != 0 { code = errno }
    guard code != 0 else { return }
    if !isSpecial { unlink(place) }
    throw failure(code)
  }

  private func failure(_ code: Int32) -> CommandLineError {
    CommandLineError(
      "the report \(path) cannot be written: \(String(cString: strerror(code)))",
      isUsageError: false)
  }

  /// One line for each item, because there may be very many.
  private static func text(_ state: State, exitCode: ExitCode, error: (any Error)?) -> String {
    let planned = state.plan?.items ?? []
    let later = state.arrived.values.sorted { $0.output < $1.output }
    let items = planned.filter { state.arrived[key($0)] == nil } + later
    var totals: [String: Int] = [:]
    var lines: [String] = []
    for item in items {
      let (word, members) = describe(item, state)
      totals[word, default: 0] += 1
      lines.append(JSONValue.object(members).text)
    }
    let skipped = (state.plan?.skipped ?? []).map {
      JSONValue.object([("path", .string($0.path)), ("reason", .string($0.reason))]).text
    }
    let counts = ["done", "kept", "failed", "missing", "damaged", "short"].map {
      ($0, JSONValue.int(totals[$0] ?? 0))
    }
    let head = JSONValue.object(
      [
        ("version", .string(programVersion)), ("exitCode", .int(Int64(exitCode.rawValue))),
        ("error", .optional(error) { .string("\($0)") }), ("inputs", .int(items.count)),
      ] + counts + [("warnings", .array(state.general.map(JSONValue.string)))]
    ).text
    func list(_ lines: [String]) -> String {
      lines.isEmpty ? "[]" : "[\n" + lines.joined(separator: ",\n") + "\n]"
    }
    return head.dropLast() + ",\n\"items\":\(list(lines)),\n\"skipped\":\(list(skipped))}\n"
  }

  private static func describe(
    _ item: BatchPlan.Item, _ state: State
  ) -> (word: String, members: [(String, JSONValue)]) {
    let error = state.failures[key(item)]
    let output = state.made[key(item)] ?? item.kept
    // What was done before has its warnings from the journal.
    let warnings = (item.kept?.warnings ?? []) + (state.warnings[key(item)] ?? [])
    let word =
      if error != nil { "failed" } else if let made = state.made[key(item)] {
        made.flaw?.rawValue ?? "done"
      } else {
        item.reason == nil ? "kept" : "missing"
      }
    return (
      word,
      [
        ("input", .string(item.input)), ("output", .string(item.output)), ("state", .string(word)),
        ("reason", .optional(item.reason, JSONValue.string)),
        ("frames", .optional(output?.frames, JSONValue.int)),
        ("duration", .optional(output?.duration, JSONValue.rounded)),
        ("bytes", .optional(output?.bytes, JSONValue.int)),
        ("seconds", .optional(output?.elapsed, JSONValue.rounded)),
        ("error", .optional(error, JSONValue.string)),
        ("flaw", .optional(output?.flaw) { .string($0.rawValue) }),
        ("warnings", .array(warnings.map(JSONValue.string))),
      ]
    )
  }
}
