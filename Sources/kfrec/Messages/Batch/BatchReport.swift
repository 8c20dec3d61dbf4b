import Batch
import CPosix
import Encode
import Frames
import Glibc
import Recorder
import Settings
import Synchronization

/// The file of `--report`: the result of each input of a batch.
final class BatchReport: Sendable {
  private struct State {
    var plan: BatchPlan?
    /// Items that came later, by their keys; an input may come again.
    var arrived: [ExactPath: BatchPlan.Item] = [:]
    var made: [ExactPath: MadeOutput] = [:]
    var failures: [ExactPath: String] = [:]
    var warnings: [ExactPath: [String]] = [:]
    /// Warnings about the whole batch.
    var general: [String] = []
  }

  private let path: String
  /// What of names and messages is not shown.
  private let names: BrokenNames
  /// The file of another kind that may be replaced, with -y.
  private let replaced: FileIdentity?
  private let state = Mutex(State())

  /// Checks that the file can be made; its folder may be one that the batch will make.
  ///
  /// Only an earlier report is replaced unless `overwrites`.
  init(
    path: String, outputFolder: String?, overwrites: Bool, names: BrokenNames
  ) throws(CommandLineError) {
    (self.path, self.names) = (path, names)
    replaced = overwrites ? FileIdentity(behind: path) : nil
    if path.hasSuffix("/") || kind == S_IFDIR {
      throw CommandLineError("--report \(path) is a folder; name a file in it, such as report.json")
    }
    // The value of the option was left out, and the word after it is an input.
    if kind == S_IFREG, isInputName(path.split(separator: "/").last.map(String.init) ?? path) {
      throw CommandLineError(
        "--report \(path) is the name of a video or an image; name a file such as report.json")
    }
    if !isStream {
      do throws(WholeFile.Failure) { try file.check() } catch { throw refusal(error) }
    }
    guard access(folder, W_OK | X_OK) != 0 else { return }
    let code = errno
    if code == ENOENT, let outputFolder, folder == outputFolder || folder + "/" == outputFolder {
      return
    }
    throw CommandLineError(
      "--report \(path) cannot be written: \(String(cString: strerror(code))); name another place")
  }

  private var folder: String { folderName(of: path) }

  /// What the path leads to; nil if to nothing.
  private var kind: mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// A pipe or a character device takes the text itself.
  private var isStream: Bool { kind == S_IFIFO || kind == S_IFCHR }

  private var file: WholeFile {
    // What came there since may be an output.
    let isThere = replaced.map { $0 == FileIdentity(behind: path) } ?? false
    return WholeFile(path, replacing: isThere ? .file : .own(BatchReport.isReport))
  }

  /// Whether a file that begins with these bytes is a report.
  private static func isReport(_ start: ArraySlice<UInt8>) -> Bool {
    start.starts(with: #"{"version":""#.utf8)
      && String(decoding: start.prefix(200), as: UTF8.self)
        .contains(/^\{"version":"[^"]*","exitCode":\d+,"error":/)
  }

  private func refusal(_ failure: WholeFile.Failure) -> CommandLineError {
    switch failure {
    case .exists:
      CommandLineError(
        "--report \(path) exists and is no report of kfrec batch; add -y to replace it, or name another file"
      )
    case .isOther, .system:
      CommandLineError("--report \(path) \(failure.words); name another place")
    }
  }

  /// Two inputs may want one output, and one of them fails.
  private static func key(_ item: BatchPlan.Item) -> ExactPath {
    ExactPath(item.output + "\n" + item.input)
  }

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

  /// Writes the whole file under a temporary name in the same folder, and renames it.
  func write(exitCode: ExitCode, error: (any Error)?) throws(CommandLineError) {
    let text = state.withLock { wholeText($0, exitCode: exitCode, error: error) }
    if isStream { return try send(Array(text.utf8)) }
    // Without a plan, nobody has compared the file with what is read.
    if replaced != nil, state.withLock({ $0.plan == nil }) { return }
    do throws(WholeFile.Failure) { try file.write(text.utf8) } catch {
      throw CommandLineError("the report: \(refusal(error))", isUsageError: false)
    }
  }

  /// How long a pipe's reader is waited for, each time, in milliseconds.
  private static let patience = 5000

  /// Writes into a pipe or a device, which a reader that is not there does not hold up for long.
  private func send(_ bytes: [UInt8]) throws(CommandLineError) {
    var file: Int32 = -1
    for _ in 0..<BatchReport.patience / 50 {
      file = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      guard file < 0, errno == ENXIO || errno == EINTR else { break }
      usleep(50_000)
    }
    guard file >= 0 else {
      throw failure(errno == ENXIO ? "nobody reads it" : String(cString: strerror(errno)))
    }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var ready = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        guard poll(&ready, 1, Int32(BatchReport.patience)) > 0 else {
          throw failure("its reader has stopped reading")
        }
      } else if errno != EINTR {
        throw failure(String(cString: strerror(errno)))
      }
    }
  }

  private func failure(_ reason: String) -> CommandLineError {
    CommandLineError("the report \(path) cannot be written: \(reason)", isUsageError: false)
  }

  /// One line for each item, because there may be very many.
  private func wholeText(_ state: State, exitCode: ExitCode, error: (any Error)?) -> String {
    func text(_ members: [(String, JSONValue)]) -> String {
      names.withoutSecrets(.object(members)).text
    }
    let planned = state.plan?.items ?? []
    let later = state.arrived.values.sorted { $0.output < $1.output }
    let items = planned.filter { state.arrived[BatchReport.key($0)] == nil } + later
    var totals: [String: Int] = [:]
    var lines: [String] = []
    for item in items {
      let (word, members) = BatchReport.describe(item, state)
      totals[word, default: 0] += 1
      lines.append(text(members))
    }
    let skipped = (state.plan?.skipped ?? []).map {
      text([("path", .string($0.path)), ("reason", .string($0.reason))])
    }
    let counts = ["done", "kept", "failed", "missing", "damaged", "short"].map {
      ($0, JSONValue.int(totals[$0] ?? 0))
    }
    let head = text(
      [
        ("version", .string(programVersion)), ("exitCode", .int(Int64(exitCode.rawValue))),
        ("error", .optional(error) { .string("\($0)") }), ("inputs", .int(items.count)),
      ] + counts + [("warnings", .array(state.general.map(JSONValue.string)))]
    )
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
