import Batch
import Capture
import CPosix
import Encode
import FFmpegHandles
import Frames
import Glibc
import Recorder
import Settings
import ShaderEffects

/// `kfrec batch`: makes the outputs of many inputs, and reports each.
struct BatchCommand {
  let words: Options

  func run() throws -> ExitCode {
    if words.farm.task != nil || words.farm.plan != nil {
      return try FarmTaskCommand(words: words).run()
    }
    if words.isOfFarm { return try FarmCommand(words: words).run() }
    return try run(BatchRequest(words))
  }

  func run(_ request: BatchRequest) throws -> ExitCode {
    // Each recording starts threads, and malloc gives new threads arenas of their own, which keep what was
    // freed in them: after 10,000 tiny inputs 60 MB more than with an arena for each processor.
    kf_limit_arenas(max(2, kf_processor_count()))
    let reporter = try BatchReporter(words)
    let control = BatchControl()
    if !words.dryRun {
      try SignalThread.start { hint in
        control.stop()
        reporter.note("stopping; \(hint)")
      } onPause: {
      } onFinish: {
        control.finish()
        reporter.note("finishing what runs now")
      }
    }
    var timer: StopTimer?
    if let time = words.stopTime, !words.dryRun {
      timer = try StopTimer(time) {
        control.stop()
        reporter.note("it is the time of --stop-at; stopping")
      }
    }
    defer { timer?.cancel() }
    let report = try words.batch.report.map { path in
      try words.checkWrittenFiles()
      return try BatchReport(
        path: path, outputFolder: words.batch.outputFolder, overwrites: words.overwrite == .replace,
        names: words.brokenNames)
    }
    do {
      let result = try runBatch(request, isTrial: words.dryRun, control: control) {
        report?.note($0)
        reporter.show($0)
      }
      var exitCode = exitCode(of: result, wasStopped: control.isEnding)
      // Before the end is reported: the program of --on-end then finds the file.
      if let report { exitCode = write(report, exitCode, reporter) }
      reporter.finish(result, exitCode: exitCode)
      return exitCode
    } catch {
      if let report { _ = write(report, ExitCode(error), reporter, error) }
      reporter.fail(error)
      throw error
    }
  }

  /// Writes the report; the outputs are there even if that fails.
  private func write(
    _ report: BatchReport, _ exitCode: ExitCode, _ reporter: BatchReporter,
    _ error: (any Error)? = nil
  ) -> ExitCode {
    do throws(CommandLineError) { try report.write(exitCode: exitCode, error: error) } catch {
      reporter.warn("\(error)")
      return exitCode == .done ? .incomplete : exitCode
    }
    return exitCode
  }

  private func exitCode(of result: BatchResult, wasStopped: Bool) -> ExitCode {
    if wasStopped, result.isIncomplete { return .stopped }
    if result.failures.isEmpty { return result.flaws.isEmpty ? .done : .incomplete }
    return result.made + result.kept == 0 ? .failed : .incomplete
  }
}

extension BatchRequest {
  /// Translates the command line, and takes the inputs of a farm's task instead if there is one.
  init(_ words: Options, task: FarmTask? = nil) throws {
    guard !words.batch.outputFolder.isEmpty else {
      throw CommandLineError(
        "a batch needs a folder for its outputs; name it with --output-dir, such as --output-dir out"
      )
    }
    let lines = try words.list.map(InputList.init)?.lines ?? []
    let inputs = words.operands + lines.map(\.input)
    guard !inputs.isEmpty || !words.batch.watched.isEmpty || task != nil else {
      throw CommandLineError(
        "no input was given; name files or folders, such as kfrec batch clips --output-dir out")
    }
    let common = try InputSettings.Own(words)
    self = words.batch
    (self.inputs, recording, self.task) = (inputs, common.recording, task)
    readLine = { try InputList.Line(ofPlan: $0).settings(words) }
    for (place, line) in lines.enumerated() {
      listed[words.operands.count + place] = ListedInput(
        line: line.name, settings: try line.settings(words))
    }
    try checkWatched(isTrial: words.dryRun)
    self.words = common.words
    try checkChunks(words)
    verification = words.isGiven("verify") ? words.verification : .fast
  }
}

extension BatchRequest {
  /// Checks how inputs are cut.
  ///
  /// - Throws: A usage error if parts of the outputs could not be joined.
  private mutating func checkChunks(_ words: Options) throws {
    guard chunks != nil else {
      guard chunkLeadIn == nil else {
        throw CommandLineError("--chunk-lead-in is for --chunks; add it, such as --chunks auto")
      }
      return
    }
    func typed(_ names: [String]) -> String {
      names.filter { name in words.typed.contains { $0.name == name } }.map { "--\($0)" }
        .joined(separator: " and ")
    }
    let trims = [
      (words.source.start != nil, "--start"), (words.source.duration != nil, "--duration"),
      (words.source.end != nil, "--end"), (words.addedAudio != nil, "--audio-in"),
      (!words.subtitleTracks.isEmpty, "--subtitles-track"),
      (words.source.frames != nil, "--frames"), (words.source.range != nil, "--frame-range"),
      (recording.pace != .asTheyCome, typed(["fps", "fps-mode"])),
      (!words.source.retiming.isPlain, typed(Retiming.options.map(\.long))),
    ]
    for (isGiven, name) in trims where isGiven {
      throw CommandLineError(
        "--chunks cuts whole inputs with their own frames; leave out \(name), or --chunks")
    }
    // The name may have an extension of its own.
    let named = outputName.pattern.split(separator: ".").last.map(String.init)
    let container = recording.container ?? "mov"
    let ending = named.flatMap { $0.contains("}") ? nil : $0 } ?? container
    let outputs = try OutputSet(["output.\(ending)"], settings: recording.encoding)
    if let refusal = outputs.refusalOfParts(recording.encoding) {
      throw CommandLineError("--chunks: \(refusal)")
    }
    // With it, effects that keep their result give other frames.
    if let count = chunkLeadIn {
      self.words.options += " --chunk-lead-in=\(count)"
      self.words.typedOptions += " --chunk-lead-in=\(count)"
    }
  }

  private mutating func checkWatched(isTrial: Bool) throws(CommandLineError) {
    watched = watched.map { $0.count > 1 && $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    guard !watched.isEmpty else { return }
    if isTrial {
      throw CommandLineError(
        "--dry-run and --watch contradict each other; name the folder as an input")
    }
    if outputName.pattern.contains("{index}") {
      throw CommandLineError(
        "files of a watched folder have no number; leave {index} out of --name")
    }
    // The pattern of names may lead into a folder, too.
    let names = outputName.pattern.split(separator: "/").dropLast()
    let outputs = ([outputFolder] + names.map(String.init)).joined(separator: "/")
    for folder in watched {
      guard let path = realpath(folder, nil) else {
        throw CommandLineError("--watch \(folder): \(String(cString: strerror(errno)))")
      }
      defer { free(path) }
      guard FileIdentity(behind: folder)?.isFolder == true else {
        throw CommandLineError("--watch \(folder) is not a folder; give its parent")
      }
      guard access(folder, R_OK | X_OK) == 0 else {
        throw CommandLineError(
          "--watch \(folder) cannot be read: \(String(cString: strerror(errno))); allow it")
      }
      guard let output = realpath(outputs, nil) else { continue }
      defer { free(output) }
      if strcmp(path, output) == 0 {
        throw CommandLineError(
          "--watch \(folder) is the folder of the outputs; choose another --output-dir or --name")
      }
    }
  }
}

extension InputSettings.Own {
  /// The recording of the options, and what of them counts for its result.
  init(_ words: Options) throws {
    var options = words
    // The batch replaces both for each recording.
    (options.inputs, options.outputs) = ([InputPart(name: "input.mov")], ["output.mov"])
    func text(_ given: [(name: String, value: String)]) -> String {
      given.map { $0.value.isEmpty ? "--\($0.name)" : "--\($0.name)=\($0.value)" }
        .joined(separator: " ")
    }
    let effects = words.given.filter { $0.name == "effect" }
    let others = words.given.filter { option($0.name, of: .batch)?.decidesResult == true }
      .sorted { $0.name < $1.name }
    var result = ResultWords()
    (result.typedEffects, result.typedOptions) = (text(effects), text(others))
    result.effects = text(SameWords.effects(effects, words))
    result.options = text(SameWords.options(others))
    self.init(recording: try Recording(options), words: result)
  }
}
