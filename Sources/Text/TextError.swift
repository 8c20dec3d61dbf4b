import Frames

/// Text that cannot be drawn, in one sentence with a remedy.
package struct TextError: ExplainedError {
  package let description: String
  package let isUsageError: Bool

  init(_ description: String, isUsageError: Bool = false) {
    self.description = description
    self.isUsageError = isUsageError
  }
}

/// Returns what a call of libass or fontconfig made.
///
/// - Throws: An error that names the call, if it made nothing; both only fail when memory is short.
func check<Value>(_ value: Value?, _ call: String) throws(TextError) -> Value {
  guard let value else { throw TextError("\(call) failed: memory is short") }
  return value
}
