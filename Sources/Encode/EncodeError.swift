import Frames

/// An output that cannot be opened or written, in one sentence with a remedy.
package struct EncodeError: ExplainedError {
  package let description: String
  package let isUsageError: Bool

  package init(_ description: String, isUsageError: Bool = false) {
    self.description = description
    self.isUsageError = isUsageError
  }
}
