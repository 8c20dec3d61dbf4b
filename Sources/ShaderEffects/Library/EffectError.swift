import Frames
import GPU
package import ShaderCompiler

/// An effect that cannot be used: what is wrong with it or with the words that asked for it.
package struct EffectError: ExplainedError, Equatable {
  /// One sentence; several lines where a file has several mistakes or a line is quoted.
  package let description: String
  package let isUsageError: Bool
  /// The same, message by message, where it is a file that is wrong; else empty.
  package let diagnostics: [Diagnostic]

  private init(_ description: String, isUsageError: Bool, diagnostics: [Diagnostic]) {
    self.description = description
    self.isUsageError = isUsageError
    self.diagnostics = diagnostics
  }

  /// A file that is wrong as a whole.
  init(file: String, _ message: String) {
    self.init(
      "\(file): \(message)", isUsageError: false,
      diagnostics: [Diagnostic(file: file, severity: .error, message: message)])
  }

  /// A mistake in what was typed, as against one in a file.
  static func usage(_ description: String) -> EffectError {
    EffectError(description, isUsageError: true, diagnostics: [])
  }

  /// A picture of an effect's that cannot be had: a file or a GPU is at fault, or the words.
  static func image(
    of file: EffectFile, _ name: String, _ reason: String, isUsageError: Bool = false
  ) -> EffectError {
    EffectError(
      "effect '\(file.name)': \(name): \(reason)", isUsageError: isUsageError,
      diagnostics: [
        Diagnostic(file: file.path, severity: .error, message: "\(name): \(reason)")
      ])
  }

  /// A kernel of an effect's that is more than the GPU takes.
  static func kernel(of file: EffectFile, _ error: VulkanError) -> EffectError {
    EffectError(
      "effect '\(file.name)': \(error)", isUsageError: false,
      diagnostics: [Diagnostic(file: file.path, severity: .error, message: error.description)])
  }

  init(_ diagnostic: Diagnostic) {
    self.init(diagnostic.description, isUsageError: false, diagnostics: [diagnostic])
  }

  init(_ error: ShaderCompileError) {
    self.init(error.description, isUsageError: false, diagnostics: error.diagnostics)
  }
}
