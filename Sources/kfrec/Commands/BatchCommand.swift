import Batch
import FFmpegHandles
import Frames
import Glibc
import Recorder
import ShaderEffects

/// `kfrec batch`: makes the outputs of many inputs, and reports each.
struct BatchCommand {
  let words: Options

  func run() throws -> ExitCode {
    if words.task != nil || words.plan != nil { return try FarmTaskCommand(words: words).run() }
    if words.isOfFarm { return try FarmCommand(words: words).run() }
    return try run(BatchRequest(words))
  }

  /// Makes what is missing.
  func run(_ request: BatchRequest) throws -> ExitCode {
    let reporter = BatchReporter(words)
    let control = BatchControl()
    if !words.dryRun {
      try SignalThread.start {
        control.stop()
        reporter.note("stopping; press Ctrl-C again to abort")
      } onPause: {
      } onFinish: {
        control.finish()
        reporter.note("finishing what runs now")
      }
    }
    let result = try runBatch(request, isTrial: words.dryRun, control: control) {
      reporter.show($0)
    }
    let exitCode = exitCode(of: result, wasStopped: control.isEnding)
    reporter.finish(result, exitCode: exitCode)
    return exitCode
  }

  private func exitCode(of result: BatchResult, wasStopped: Bool) -> ExitCode {
    if wasStopped, result.isIncomplete { return .stopped }
    if result.failures.isEmpty { return .done }
    return result.made + result.kept == 0 ? .failed : .incomplete
  }
}

extension BatchRequest {
  /// Translates the command line.
  ///
  /// - Parameters:
  ///   - words: The typed options.
  ///   - task: The farm's task that names the inputs; nil if `words` do.
  /// - Throws: A usage error.
  init(_ words: Options, task: FarmTask? = nil) throws {
    guard let folder = words.outputFolder else {
      throw CommandLineError(
        "a batch needs a folder for its outputs; name it with --output-dir, such as --output-dir out"
      )
    }
    let inputs = words.operands + (try words.list.map(BatchRequest.listed) ?? [])
    guard !inputs.isEmpty || task != nil else {
      throw CommandLineError(
        "no input was given; name files or folders, such as kfrec batch clips --output-dir out")
    }
    var options = words
    // The batch replaces both for each recording.
    (options.inputs, options.outputs) = (["input.mov"], ["output.mov"])
    self.init(
      inputs: inputs, outputFolder: folder, recording: try Recording(options),
      version: programVersion)
    self.task = task
    entersSubfolders = words.recursive
    if let name = words.outputName { outputName = name }
    func text(_ given: [(name: String, value: String)]) -> String {
      given.map { $0.value.isEmpty ? "--\($0.name)" : "--\($0.name)=\($0.value)" }
        .joined(separator: " ")
    }
    // These change where or how something is made, not what.
    let apart: Set = ["effect", "effects-dir", "overwrite", "gpu", "gpu-timeout", "require-gpu"]
    effects = text(words.given.filter { $0.name == "effect" })
    self.options = text(
      words.given.filter { !apart.contains($0.name) }.sorted { $0.name < $1.name })
    jobs = words.jobs
    retries = words.retries ?? 0
    stopsAtFailure = words.failFast
    redoesAll = words.force
    verification = words.verification ?? .fast
    hashesWholeInputs = words.hashesAll
  }

  /// Reads the paths of a list.
  private static func listed(_ path: String) throws(CommandLineError) -> [String] {
    let name = path == "-" ? "standard input" : path
    let file = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    func failure() -> CommandLineError {
      CommandLineError("the list \(name) cannot be read: \(String(cString: strerror(errno)))")
    }
    guard file >= 0 else { throw failure() }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure() }
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    var paths: [String] = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() where !line.isEmpty {
      guard let path = String(validating: line, as: UTF8.self), !line.contains(0) else {
        throw CommandLineError(
          "line \(number + 1) of \(name) is not UTF-8; rename the file, or leave out the line")
      }
      paths.append(path)
    }
    return paths
  }
}
