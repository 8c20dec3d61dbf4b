import CFFmpeg
public import Frames

/// A failed FFmpeg call: the function, its subject, and the meaning of its error code.
public struct FFmpegError: ExplainedError {
  public let call: String
  public let subject: String
  public let code: Int32

  public init(call: String, subject: String, code: Int32) {
    self.call = call
    self.subject = subject
    self.code = code
  }

  /// The meaning of the code for users, as part of a sentence.
  public var reason: String { FFmpegError.reason(code) }

  public var description: String { "\(subject): \(reason) (\(call))" }
}

/// The single check for FFmpeg calls that return a negative number on failure.
@discardableResult
public func check(
  _ result: Int32, _ call: String, _ subject: @autoclosure () -> String
) throws(FFmpegError) -> Int32 {
  guard result >= 0 else {
    throw FFmpegError(call: call, subject: subject(), code: result)
  }
  return result
}

/// The same check for FFmpeg calls that return nil when out of memory (or if there is no such
/// thing).
public func check<Pointer>(
  _ result: Pointer?, _ call: String, _ subject: @autoclosure () -> String
) throws(FFmpegError) -> Pointer {
  guard let result else {
    throw FFmpegError(call: call, subject: subject(), code: kf_averror(12))
  }
  return result
}
