import Frames
package import Recorder

/// The request for a batch: its inputs, the folder for its outputs, and the recording of each input.
package struct BatchRequest: Sendable {
  /// Files, folders and numbered sequences, as typed.
  package var inputs: [String]
  /// Where inputs of a list come from, and what it says of them, by their index in `inputs`.
  package var listed: [Int: ListedInput] = [:]
  /// Folders whose files are inputs as they arrive, until the batch is stopped.
  package var watched: [String] = []
  /// Whether the folders inside input folders are read too.
  package var entersSubfolders = false
  /// The folder for the outputs and the journal; it is made if it does not exist.
  package var outputFolder: String
  /// How outputs are named.
  package var outputName = OutputName.usual
  /// The recording of each input; the batch replaces the input and the outputs in it.
  package var recording: Recording
  /// What decides each result; part of its fingerprint.
  package var words = ResultWords()
  /// The version of kfrec.
  package var version: String
  /// Number of recordings that run at the same time; nil for a number that suits the machine.
  package var jobs: Int?
  /// How often a failed recording is tried again.
  package var retries = 0
  /// Whether the first failure ends the batch.
  package var stopsAtFailure = false
  /// The file of a report, which must be no input and no output; nil for none.
  package var report: String?
  /// Whether outputs are made again that are done already.
  package var redoesAll = false
  /// Into how many chunks long inputs are cut; nil if all stay whole.
  package var chunks: ChunkLength?
  /// Number of frames that are rendered before each chunk and left out; nil to ask the effects.
  package var chunkLeadIn: Int?
  /// How an output is checked before it counts as done.
  package var verification = Verification.fast
  /// The task of a farm that is run, with the inputs that it makes; nil for all of `inputs`.
  package var task: FarmTask?
  /// Reads a line of a list again that the plan of a farm holds.
  package var readLine: @Sendable (String) throws -> InputSettings? = { _ in nil }
  /// Whether an input is hashed as a whole, instead of its first and last part.
  package var hashesWholeInputs = false

  package init(inputs: [String], outputFolder: String, recording: Recording, version: String) {
    self.inputs = inputs
    self.outputFolder = outputFolder
    self.recording = recording
    self.version = version
  }
}

/// The effects with their parameters, and the other options that change a result, each as one text.
package struct ResultWords: Sendable {
  /// In one notation of several that mean the same.
  package var effects = ""
  package var options = ""
  package var typedEffects = ""
  package var typedOptions = ""

  package init() {}
}

/// An error of a batch, as one sentence for the user.
package struct BatchError: ExplainedError, Equatable {
  package let description: String
  package let isUsageError: Bool
  /// Whether it concerns all items, such as a journal that cannot be written.
  let endsBatch: Bool
  /// Whether the same command may work a little later, such as when somebody else uses the folder.
  package let isTemporary: Bool

  init(
    _ description: String, isUsageError: Bool = false, endsBatch: Bool = false,
    isTemporary: Bool = false
  ) {
    (self.description, self.isUsageError) = (description, isUsageError)
    (self.endsBatch, self.isTemporary) = (endsBatch, isTemporary)
  }
}
