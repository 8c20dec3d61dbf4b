import Encode
import FFmpegHandles
import Frames
import Glibc
import GPU
import Recorder
import Settings
import ShaderEffects

/// The program: from the typed words to an exit code.
struct Program {
  let typed: TypedArguments
  let start = MonotonicTime.now

  /// Runs the command; any message of the validation layer, which is on only if requested, is a failure
  /// whatever the result.
  func run() -> ExitCode {
    let exitCode = obey()
    return ValidationMessages.total == 0 ? exitCode : .failed
  }

  private func obey() -> ExitCode {
    // A reader that closes its pipe, and a file at its size limit (`ulimit -f`), then cause errors of
    // `write`, which each writer handles.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    // If a parent has made kfrec ignore SIGCHLD, the exit codes of kfrec's children are lost.
    signal(SIGCHLD, SIG_DFL)
    var names = BrokenNames([])
    var command = Command.record
    do {
      let typed = try typed.texts()
      names = BrokenNames(typed)
      command = typed.first.flatMap(Command.init(typed:)) ?? .record
      var words = try ArgumentParser.parse(typed)
      // A preset may have addresses, too.
      for word in words.inputs.map(\.name) + words.outputs + words.operands {
        names.add(address: word)
      }
      words.brokenNames = names
      setFFmpegLogging(verbose: words.verbose)
      // Objects on standard error stay alone, too.
      let isSilent = words.quiet || words.progress == .json && words.writesToStandardOutput
      LibraryLines.capture(typed, tell: isSilent ? nil : words.tell)
      if words.help == nil, !words.version { try TypedArguments.checkEnvironment() }
      if words.command == .record, words.json, words.help == nil, !words.version {
        throw CommandLineError(
          "--json is for listings and --version; a recording takes --progress json")
      }
      if words.help == nil, !words.version, words.command.usesFFmpeg,
        let mismatch = FFmpegLibrary.mismatch(FFmpegLibrary.all)
      {
        throw CommandLineError(mismatch, isUsageError: false)
      }
      if let text = try listing(words) {
        try StandardStream.output.print(text)
        return .done
      }
      // A batch that only looks, and a preset that is kept, start no driver.
      let startsDriver =
        words.farm.status == nil && !words.farm.isPlanOnly
        && (words.savedPreset == nil || !words.outputs.isEmpty)
      if let problem = DriverCache.prepare(), !isSilent, startsDriver { words.warn(problem) }
      if words.command == .batch { return try BatchCommand(words: words).run() }
      if words.command == .record || words.command == .preview {
        return RecordCommand(words: words, start: start).run()
      }
      if words.command == .play { return try PlayCommand(words: words).run() }
      try AddressSpace.check(room: AddressSpace.usualRoom)
      if words.command == .check { return try CheckCommand(words: words).run() }
      return try GoldenCommand(words: words).run()
    } catch {
      LibraryLines.drain()
      StandardStream.error.write("kfrec: " + names.message(command.completing("\(error)")) + "\n")
      return ExitCode(error)
    }
  }

  /// The text to print on standard output, or nil if there is a command to run.
  private func listing(_ words: Options) throws -> String? {
    if let length = words.help { return HelpText(command: words.command, length: length).text }
    if words.version { return words.json ? VersionText().json : VersionText().text }
    switch words.command {
    case .record, .preview, .play, .batch, .check, .golden: return nil
    case .effects: return try EffectsCommand(words: words).text()
    case .devices: return try DevicesCommand(words: words).text()
    case .completions: return try CompletionScript(named: words.operands.first).text
    case .man: return ManualPage(effects: (try? words.effectLibrary.descriptions()) ?? []).text
    case .complete: return Completion(words: words.operands).text
    case .help: return try HelpText(command: subject(of: words), length: .long).text
    }
  }

  /// The command that `kfrec help` was asked about.
  private func subject(of words: Options) throws(CommandLineError) -> Command {
    guard let name = words.operands.first else { return .record }
    if !name.isEmpty, let command = Command(rawValue: name) { return command }
    let names = Command.shown.map(\.rawValue).filter { !$0.isEmpty }
    let near = nearestName(to: name, among: names).map { "; did you mean \($0)?" }
    throw CommandLineError(
      "\"\(name)\" is not a command\(near ?? "; there are \(names.joined(separator: ", "))")")
  }
}
