import EffectLab
import Frames
import Recorder
import Settings
import ShaderCompiler

/// `kfrec check`: reports what is wrong with effects, without an input.
struct CheckCommand {
  let words: Options

  /// Checks all named effects and prints the results on standard output.
  func run() throws -> ExitCode {
    guard !words.operands.isEmpty else {
      throw CommandLineError(
        "no effect was given; name one or several, such as kfrec check ./mine.comp")
    }
    let checker = try EffectChecker(
      folders: words.effectFolders, readable: words.readableFolders, images: ImageInputs().loader,
      gpu: words.gpu, frameLimit: words.frameLimit, warn: words.warn)
    if let problem = checker.renderingProblem { tellUnrendered(problem) }
    var reports: [EffectReport] = []
    for name in words.operands.flatMap(EffectChecker.words(of:)) {
      let problem = checker.renderingProblem
      let report = try checker.check(name)
      reports.append(report)
      if !words.json { try StandardStream.output.print(words.brokenNames.visible(text(report))) }
      if problem == nil, let problem = checker.renderingProblem { tellUnrendered(problem) }
    }
    if words.json { try StandardStream.output.print(object(reports, gpu: checker.gpu).text + "\n") }
    if reports.contains(where: \.isUnknown) { return .usageError }
    return reports.allSatisfy(passes) ? .done : .failed
  }

  private func passes(_ report: EffectReport) -> Bool {
    report.passed && !(words.strict && !(report.diagnostics.isEmpty && report.isRendered))
  }

  private func tellUnrendered(_ problem: String) {
    words.tell("effects are compiled and not rendered: \(problem)")
  }

  private func text(_ report: EffectReport) -> String {
    let lines = report.diagnostics.map { diagnostic in
      // A name that is no effect; what is wrong inside an effect shows its line.
      let text =
        report.isUnknown
        ? words.command.completing(diagnostic.description) : diagnostic.description
      // The lines of the effect's text are indented, so that they look like no message.
      return text.replacing("\n", with: "\n  ") + "\n"
    }.joined()
    guard passes(report) else {
      // Otherwise nothing would say why.
      return lines.isEmpty
        ? "\(report.path ?? report.name): not rendered, and --strict passes only what was rendered\n"
        : lines
    }
    return lines + "\(report.path ?? report.name): passed\n"
  }

  private func object(_ reports: [EffectReport], gpu: String?) -> JSONValue {
    .object([
      ("effects", .array(reports.map(object))),
      ("gpu", .optional(gpu, JSONValue.string)),
    ])
  }

  private func object(_ report: EffectReport) -> JSONValue {
    .object([
      ("name", .string(report.name)),
      ("path", .optional(report.path, JSONValue.string)),
      ("passed", .bool(passes(report))),
      ("rendered", .bool(report.isRendered)),
      ("diagnostics", .array(report.diagnostics.map(object))),
    ])
  }

  private func object(_ diagnostic: Diagnostic) -> JSONValue {
    .object([
      ("file", .string(diagnostic.file)),
      ("line", .optional(diagnostic.line, JSONValue.int)),
      ("column", .optional(diagnostic.column, JSONValue.int)),
      ("severity", .string(diagnostic.severity.rawValue)),
      ("message", .string(diagnostic.message)),
    ])
  }
}
