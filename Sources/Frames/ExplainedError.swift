/// An error that a person can act on: `description` is one sentence that names the thing (device,
/// path, file:line:column) and says what to do next.
package protocol ExplainedError: Error, CustomStringConvertible, Sendable {
  /// The words typed were wrong (exit code 2), as against something that could not be done (1).
  var isUsageError: Bool { get }
}

extension ExplainedError {
  package var isUsageError: Bool { false }
}
