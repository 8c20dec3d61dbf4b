import Frames
import ShaderCompiler

/// An effect that cannot be used: what is wrong with it or with the words that asked for it.
package struct EffectError: ExplainedError, Equatable {
  /// One sentence; several lines where a file has several mistakes or a line is quoted.
  package let description: String
  package let isUsageError: Bool

  init(_ description: String) {
    self.description = description
    isUsageError = false
  }

  /// A mistake in what was typed, as against one in a file.
  static func usage(_ description: String) -> EffectError {
    EffectError(description: description, isUsageError: true)
  }

  private init(description: String, isUsageError: Bool) {
    self.description = description
    self.isUsageError = isUsageError
  }

  init(_ diagnostic: Diagnostic) { self.init(diagnostic.description) }
}
