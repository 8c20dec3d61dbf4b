import FFmpegHandles
public import Frames

/// The error for a source that cannot be opened or read: one sentence that says what to do.
public struct CaptureError: ExplainedError {
  public let description: String
  public let isUsageError: Bool
  /// The failed call behind the sentence, with its code; nil if no call failed.
  public let cause: (any Error)?

  public init(_ description: String, isUsageError: Bool = false, cause: (any Error)? = nil) {
    (self.description, self.isUsageError, self.cause) = (description, isUsageError, cause)
  }
}

/// Runs calls of FFmpeg, and makes a sentence of their error, by default with the call and its reason.
func explained<Value: ~Copyable>(
  _ sentence: (FFmpegError) -> String = { "\($0)" }, _ work: () throws(FFmpegError) -> Value
) throws(CaptureError) -> Value {
  do throws(FFmpegError) { return try work() } catch {
    throw CaptureError(sentence(error), cause: error)
  }
}
