import Frames

/// Error that prevents a recording, in one sentence with a remedy.
package struct RecorderError: ExplainedError {
  package let description: String
  package let isUsageError: Bool

  init(_ description: String, isUsageError: Bool = false) {
    self.description = description
    self.isUsageError = isUsageError
  }
}
