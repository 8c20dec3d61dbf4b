import Frames

/// The error for a source that cannot be opened or read: one sentence that says what to do.
package struct CaptureError: ExplainedError {
  package let description: String
  package let isUsageError: Bool

  package init(_ description: String, isUsageError: Bool = false) {
    self.description = description
    self.isUsageError = isUsageError
  }
}
