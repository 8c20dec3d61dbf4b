import EffectLab
import Frames
import Recorder
import Settings
import ShaderCompiler
import ShaderEffects

/// `kfrec golden`: renders effects over frames that are always the same, and compares the results with
/// the golden images beside the effects.
struct GoldenCommand {
  let words: Options

  /// Renders all cases, prints a line for each on standard output, and writes a report if one is
  /// requested or something is wrong.
  func run() throws -> ExitCode {
    let cases = try cases()
    guard !cases.isEmpty else {
      throw CommandLineError(
        "no effect that is found by name has a golden.json; name an effect or a folder of effects",
        isUsageError: false)
    }
    try GoldenCase.checkApart(cases)
    let runner = try GoldenRunner(
      folders: words.effectFolders, readable: words.readableFolders, files: .media, gpu: words.gpu,
      frameLimit: words.frameLimit, warn: words.warn)
    var results: [GoldenResult] = []
    var updated: [GoldenResult] = []
    var names = words.brokenNames
    for golden in cases {
      names.add(golden.effect)
      for result in runner.run(golden) {
        results.append(result)
        let isWritten = words.update && !result.passed && result.actual != nil
        if isWritten {
          try runner.update(result)
          updated.append(result)
        }
        if !words.json, let mistake = golden.mistake {
          StandardStream.error.write("kfrec: \(names.message(mistake))\n")
        } else if !words.json {
          let line = isWritten ? result.updateLine : result.line
          try StandardStream.output.print(names.message(line) + "\n")
        }
      }
    }
    let left = leftovers()
    for path in left { words.warn(words.brokenNames.visible(GoldenLeftovers.message(path))) }
    let wrong = results.filter { !$0.passed }
    let isDone = words.update ? wrong.allSatisfy { $0.actual != nil } : wrong.isEmpty
    var report: String?
    if words.report != nil || !isDone {
      report = try GoldenReport(results: results, gpu: runner.gpu).write(to: words.report)
    }
    if words.json {
      try StandardStream.output.print(
        object(
          results, updated: updated.map(\.image), unused: left, gpu: runner.gpu, report: report
        ).text + "\n")
    } else {
      try StandardStream.output.print(
        words.brokenNames.visible(summary(results, updated: updated, report: report)))
    }
    return isDone ? .done : .failed
  }

  private func cases() throws -> [GoldenCase] {
    let library = words.effectLibrary
    guard !words.operands.isEmpty else { return try GoldenRunner.cases(in: library) }
    return try words.operands.flatMap { try GoldenRunner.cases(of: $0, in: library) }
  }

  /// What lies in the given folders and beside the given effects, or in the folders of all effects, and is not compared.
  private func leftovers() -> [String] {
    let library = words.effectLibrary
    guard !words.operands.isEmpty else {
      let paths = (try? library.descriptions().map(\.path)) ?? []
      return Set(paths.map(SourceFile.folder(of:))).sorted()
        .flatMap { GoldenLeftovers.paths(inFolder: $0, in: library) }
    }
    return words.operands.flatMap { word in
      if SourceFile.isFolder(word) { return GoldenLeftovers.paths(inFolder: word, in: library) }
      guard let path = try? library.path(of: word) else { return [String]() }
      return GoldenLeftovers.paths(
        inFolder: SourceFile.folder(of: path), ofEffect: EffectLibrary.name(ofPath: path),
        in: library)
    }
  }

  private func summary(
    _ results: [GoldenResult], updated: [GoldenResult], report: String?
  ) -> String {
    let passed = results.count(where: \.passed)
    let new = updated.count { $0.difference == nil }
    var parts: [String] = []
    // A result without a golden image neither passed nor failed.
    if results.count > new { parts.append("\(passed) of \(results.count - new) passed") }
    if new > 0 { parts.append("\(new) new") }
    if updated.count > new { parts.append("\(updated.count - new) replaced") }
    if !updated.isEmpty {
      parts[parts.count - 1] += updated.count == 1 ? ": look at it" : ": look at each"
    }
    return parts.joined(separator: ", ") + (report.map { "; see \($0)" } ?? "") + "\n"
  }

  private func object(
    _ results: [GoldenResult], updated: [String], unused: [String], gpu: String, report: String?
  ) -> JSONValue {
    .object([
      ("cases", .array(results.map(object))),
      ("updated", .array(updated.map(JSONValue.string))),
      ("unused", .array(unused.map(JSONValue.string))),
      ("gpu", .string(gpu)),
      ("report", .optional(report, JSONValue.string)),
    ])
  }

  private func object(_ result: GoldenResult) -> JSONValue {
    let difference = result.difference
    return .object([
      ("effect", .string(result.golden.effect)),
      ("case", .string(result.golden.golden.name)),
      ("image", .string(result.image)),
      ("outcome", .string(result.word)),
      ("passed", .bool(result.passed)),
      ("max", .optional(difference?.maximum, JSONValue.int)),
      ("rms", .optional(difference?.rootMeanSquare, JSONValue.rounded)),
      (
        "limits",
        .object([
          ("max", .number(result.limit.maximum)), ("rms", .number(result.limit.rootMeanSquare)),
        ])
      ),
      ("message", .optional(result.message, JSONValue.string)),
    ])
  }
}

extension GoldenResult {
  var word: String {
    switch outcome {
    case .passed: "passed"
    case .off: "off"
    case .missing: "missing"
    case .failed: "failed"
    }
  }

  /// The difference from the golden image, if there is one to compare with.
  var difference: ImageDifference? {
    switch outcome {
    case .passed(let difference), .off(let difference): difference
    case .missing, .failed: nil
    }
  }

  /// The problem; nil for a result that passed.
  var message: String? {
    switch outcome {
    case .passed: nil
    case .off(let difference): difference.description
    case .missing(let reason, _), .failed(let reason): reason
    }
  }

  /// What `--update` did, as a line for people.
  var updateLine: String {
    guard let difference else { return "\(name): new, kept as \(image)" }
    return "\(name): it was \(difference), and is replaced: \(image)"
  }

  var line: String {
    guard case .passed(let difference) = outcome else {
      let limits =
        difference == nil
        ? "" : " (limits \(limit.maximum) and \(limit.rootMeanSquare))"
      return "\(name): \(word): \(message ?? "")\(limits)"
    }
    let mean = (difference.rootMeanSquare * 1000).rounded() / 1000
    return "\(name): passed, off by \(difference.maximum) at most and by \(mean) root mean square"
      + " (limits \(limit.maximum) and \(limit.rootMeanSquare))"
  }
}
