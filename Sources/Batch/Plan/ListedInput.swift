import Frames
package import Recorder

/// An input that a list names.
package struct ListedInput: Sendable {
  /// The line for messages, such as "line 3 of list".
  let line: String
  /// What the line says beside the input; nil if nothing.
  let settings: InputSettings?

  package init(line: String, settings: InputSettings?) {
    (self.line, self.settings) = (line, settings)
  }

  func placed(_ error: any Error) -> BatchError {
    BatchError(
      "\(line): \(error)", isUsageError: (error as? any ExplainedError)?.isUsageError ?? false)
  }
}

/// The settings that a line of a list gives for its input, instead of those of the command.
///
/// A class, because most inputs of a long list have none.
package final class InputSettings: Sendable {
  /// The output's path relative to the output folder; nil if the pattern of names makes it.
  let output: String?
  /// The recording, effects and options for this input; nil if they are those of the command.
  let own: Own?

  /// A recording with its words for the fingerprint.
  package struct Own: Sendable {
    package let recording: Recording
    package let words: ResultWords
    /// The line of the list that says so, for the plan of a farm; nil if it is from a command.
    package var line: String?

    /// The effects and where they are looked for; equal chains read the same files.
    var chain: String {
      ([words.typedEffects] + recording.effectFolders + recording.readableFolders)
        .joined(separator: "\n")
    }

    package init(recording: Recording, words: ResultWords) {
      (self.recording, self.words) = (recording, words)
    }
  }

  /// - Parameters:
  ///   - output: A path relative to the output folder, or nil.
  ///   - own: What differs from the command, or nil.
  /// - Throws: A usage error if the output is no file below the output folder.
  package init(output: String?, own: Own?) throws(BatchError) {
    (self.output, self.own) = (try output.map(InputSettings.checked), own)
  }

  private static func checked(_ output: String) throws(BatchError) -> String {
    if let problem = OutputName.problem(of: output) {
      throw BatchError(
        "the output \"\(output)\" \(problem); write a path inside --output-dir, such as night/a.mov",
        isUsageError: true)
    }
    return output.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }
}
