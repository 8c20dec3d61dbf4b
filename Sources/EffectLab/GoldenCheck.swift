import Glibc
import ShaderCompiler
import ShaderEffects

/// Finds mistakes in a golden file, and files that it names and that are missing, without rendering.
struct GoldenCheck {
  private let library: EffectLibrary

  init(_ library: EffectLibrary) { self.library = library }

  /// Returns what is wrong with the golden file of an effect: mistakes in it and missing inputs are errors, missing golden
  /// images warnings; nothing if the effect has no golden file.
  func diagnostics(ofEffect path: String) -> [Diagnostic] {
    let filePath = GoldenCase.filePath(ofEffect: path)
    guard access(filePath, F_OK) == 0 else { return [] }
    do throws(EffectError) {
      let file = try GoldenFile(path: filePath)
      let left = GoldenLeftovers.paths(
        inFolder: SourceFile.folder(of: path), ofEffect: EffectLibrary.name(ofPath: path),
        in: library
      ).map { Diagnostic(file: filePath, severity: .warning, message: GoldenLeftovers.message($0)) }
      return left
        + file.cases.flatMap { golden in
          problems(
            of: GoldenCase(
              effect: EffectLibrary.name(ofPath: path), path: path, golden: golden, file: file),
            in: filePath)
        }
    } catch { return error.diagnostics }
  }

  private func problems(of golden: GoldenCase, in filePath: String) -> [Diagnostic] {
    let title = "the case '\(golden.golden.name)'"
    func problem(_ message: String, _ severity: Diagnostic.Severity = .error) -> Diagnostic {
      Diagnostic(file: filePath, severity: severity, message: "\(title) \(message)")
    }
    var problems: [Diagnostic] = []
    if let picture = golden.framePath {
      if access(picture, F_OK) != 0 {
        problems.append(problem("has the frame \(golden.golden.frame), and there is no \(picture)"))
      }
    }
    do {
      let use = try golden.use(in: library)
      try library.check(use)
      if let reason = try golden.problem(of: use, in: library) {
        problems.append(problem("names a picture that it must not: \(reason)"))
      }
      for (name, value) in try golden.pictures(of: use, in: library) {
        let path = EffectLibrary.path(ofPicture: value)
        guard access(path, F_OK) != 0 else { continue }
        problems.append(problem("gives \(name) a picture that is not there: \(path)"))
      }
    } catch {
      problems.append(
        golden.file.problem("\(error)", in: golden.golden) ?? problem("is wrong: \(error)"))
    }
    for image in golden.images where access(image, F_OK) != 0 {
      problems.append(
        problem("has no golden image \(image); kfrec golden --update makes it", .warning))
    }
    return problems
  }
}
