import Frames

/// A source that cannot be opened or read, in one sentence with a remedy.
package struct CaptureError: ExplainedError {
  package let description: String
  package let isUsageError: Bool

  package init(_ description: String, isUsageError: Bool = false) {
    self.description = description
    self.isUsageError = isUsageError
  }
}
