import Frames

/// An output that cannot be opened or written; one sentence with a remedy describes why.
package struct EncodeError: ExplainedError {
  package let description: String
  package let isUsageError: Bool

  package init(_ description: String, isUsageError: Bool = false) {
    self.description = description
    self.isUsageError = isUsageError
  }

  /// Tells where an output's file is that was not completed.
  package static func kept(_ path: String) -> String { "the recorded part is kept as \(path)" }
}
