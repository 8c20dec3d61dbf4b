import Frames

/// A terminal that cannot be used, in one sentence with a remedy.
package struct TerminalError: ExplainedError {
  package let description: String

  init(_ description: String) { self.description = description }
}
