import Frames

/// A command that cannot be carried out, in one sentence with a remedy.
package struct CommandLineError: ExplainedError, Equatable {
  package let description: String
  package let isUsageError: Bool

  package init(_ description: String, isUsageError: Bool = true) {
    self.description = description
    self.isUsageError = isUsageError
  }
}
