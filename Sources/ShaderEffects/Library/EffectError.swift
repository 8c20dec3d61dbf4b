public import Frames
import GPU
public import ShaderCompiler

/// An effect that cannot be used: the mistake is in the effect's file or on the command line.
public struct EffectError: ExplainedError, Equatable {
  /// One sentence; several lines if a file has several mistakes or a line is quoted.
  public let description: String
  public let isUsageError: Bool
  /// The same, one diagnostic per message, if a file is wrong; otherwise empty.
  public let diagnostics: [Diagnostic]

  private init(_ description: String, isUsageError: Bool, diagnostics: [Diagnostic]) {
    self.description = description
    self.isUsageError = isUsageError
    self.diagnostics = diagnostics
  }

  /// Makes an error about a file as a whole.
  init(file: String, _ message: String) {
    self.init(
      "\(file): \(message)", isUsageError: false,
      diagnostics: [Diagnostic(file: file, severity: .error, message: message)])
  }

  /// A usage error: a mistake on the command line and not in a file.
  static func usage(_ description: String) -> EffectError {
    EffectError(description, isUsageError: true, diagnostics: [])
  }

  /// An image of an effect that cannot be loaded, because of a file, a GPU or the command line.
  static func image(
    of file: EffectFile, _ name: String, _ reason: String, isUsageError: Bool = false
  ) -> EffectError {
    EffectError(
      "effect '\(file.name)': \(name): \(reason)", isUsageError: isUsageError,
      diagnostics: [
        Diagnostic(file: file.path, severity: .error, message: "\(name): \(reason)")
      ])
  }

  /// A kernel of an effect that the GPU refuses.
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
