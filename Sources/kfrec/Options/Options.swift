import Batch
import Capture
import Frames
import Recorder
import Settings
import Terminal

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

  /// What each feature was told; its source stands for every input, and has no name.
  var recording: Recording

  var inputs: [InputPart] = []
  /// What limits an input or the output and stands before an input that is not the first, as typed.
  var limitsBeforeInput: [String] = []
  var stopTime: StopTime?
  /// The program that is started at the end.
  var onEnd: String?
  var frameRateMode: FrameRateMode?

  var presetFiles: [String] = []
  /// All presets that were read, those that `-e` and other presets name too.
  var readPresets: [String] = []
  var savedPreset: String?

  var controls: [ControlWay] = []
  /// `any`, or the name or the path of a MIDI device.
  var midi: String?
  var midiMap: String?
  var controlAddress: String?
  var controlToken: String?
  /// Nothing but the page shows the frames.
  var noWindow = false
  /// In milliseconds.
  var glide: Int?

  var preview: PreviewPlace?
  var loops = false
  /// Percent.
  var volume: Int?
  var speed: Double?
  /// All options as typed: names without dashes, and values.
  var typed: [(name: String, value: String)] = []
  /// The options of a recording among them.
  var given: [(name: String, value: String)] = []

  /// What a batch was told; it has no inputs, and no recording of its own.
  var batch: BatchRequest
  /// A file with inputs.
  var list: String?
  var dryRun = false
  var farm = FarmSettings()

  var quiet = false
  var verbose = false
  var stats = false
  var progress: ProgressStyle?
  var json = false
  var strict = false
  var update = false
  /// The folder of a golden report.
  var report: String?
  var help: HelpLength?
  var version = false

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

  /// Whether an option was given, by its long name.
  func isGiven(_ name: String) -> Bool {
    typed.contains { $0.name == name } || given.contains { $0.name == name }
  }
}

/// Whether frames keep their timestamps, or have a constant frame rate, and what this shows between two frames.
enum FrameRateMode: Sendable { case passthrough, constant, nearest, blend }

/// Where frames are shown while they are made.
enum PreviewPlace: Sendable, Equatable {
  case window
  /// The terminal, drawn in this way; nil for the best that it can.
  case terminal(TerminalStyle?)
}

enum ProgressStyle: Sendable { case auto, bar, json, openjd, none }

/// How much a help text says about each option: one line, or everything.
enum HelpLength: Sendable { case short, long }
