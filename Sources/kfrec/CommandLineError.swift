import Frames

/// A command that cannot be carried out, in one sentence with a remedy.
struct CommandLineError: ExplainedError, Equatable {
  let description: String
  let isUsageError: Bool

  init(_ description: String, isUsageError: Bool = true) {
    self.description = description
    self.isUsageError = isUsageError
  }
}
