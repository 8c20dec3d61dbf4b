import Batch
import Capture
import Control
import Player
import Recorder
import Settings

/// What was typed: the settings of a recording, and those of the program around it.
///
/// `Recording.init(_:)` completes the settings, for which the inputs must be known.
@dynamicMemberLookup
struct Options: Sendable {
  var command = Command.record
  /// Words that are neither options nor their values.
  var operands: [String] = []
  /// The names with line ends or tabs among all words.
  var brokenNames = BrokenNames([])

  /// The settings of each feature; its source has the settings of all inputs, and no name.
  var recording: Recording

  var inputs: [InputPart] = []
  /// What limits an input or the output and stands before an input that is not the first, as typed.
  var limitsBeforeInput: [String] = []
  var stopTime: StopTime?
  var frameRateMode: FrameRateMode?

  var presetFiles: [String] = []
  /// All presets that were read, those that `-e` and other presets name too.
  var readPresets: [String] = []
  var savedPreset: String?

  var control = ControlSettings()
  var preview: PreviewPlace?
  var play = PlaySettings()
  /// All options as typed: names without dashes, and values.
  var typed: [(name: String, value: String)] = []
  /// The options of a recording among them.
  var given: [(name: String, value: String)] = []

  /// The settings of a batch, without its inputs and without a recording of its own.
  var batch: BatchRequest
  /// A file with inputs.
  var list: String?
  var dryRun = false
  var farm = FarmSettings()

  var messages = MessageSettings()

  init() {
    var source = SourceRequest(input: "")
    source.deinterlacing.mode = .auto
    recording = Recording(source: source, outputs: [])
    batch = BatchRequest(
      inputs: [], outputFolder: "", recording: recording, version: programVersion)
  }

  subscript<Value>(dynamicMember setting: WritableKeyPath<Recording, Value>) -> Value {
    get { recording[keyPath: setting] }
    set { recording[keyPath: setting] = newValue }
  }

  subscript<Value>(dynamicMember setting: WritableKeyPath<MessageSettings, Value>) -> Value {
    get { messages[keyPath: setting] }
    set { messages[keyPath: setting] = newValue }
  }

  /// Whether an option was given, by its long name.
  func isGiven(_ name: String) -> Bool {
    typed.contains { $0.name == name } || given.contains { $0.name == name }
  }
}
