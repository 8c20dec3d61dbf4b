public import Frames

/// The error for a source that cannot be opened or read: one sentence that says what to do.
public struct CaptureError: ExplainedError {
  public let description: String
  public let isUsageError: Bool

  public init(_ description: String, isUsageError: Bool = false) {
    self.description = description
    self.isUsageError = isUsageError
  }
}
