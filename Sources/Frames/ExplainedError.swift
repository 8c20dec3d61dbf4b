/// An error for the user: `description` is one sentence that names the cause (device, path,
/// file:line:column) and says what to do next.
public protocol ExplainedError: Error, CustomStringConvertible, Sendable {
  /// True for a usage error (exit code 2), false for an operation that failed (exit code 1).
  var isUsageError: Bool { get }
}

extension ExplainedError {
  public var isUsageError: Bool { false }
}
