public import Frames

/// An output that cannot be opened or written; one sentence with a remedy describes why.
public struct EncodeError: ExplainedError {
  public let description: String
  public let isUsageError: Bool

  public init(_ description: String, isUsageError: Bool = false) {
    self.description = description
    self.isUsageError = isUsageError
  }

  /// Tells where an output's file is that was not completed.
  public static func kept(_ path: String) -> String { "the recorded part is kept as \(path)" }
}
