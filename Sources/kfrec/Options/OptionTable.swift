import Batch
import Capture
import Control
import Encode
import Player
import Recorder
import Settings

/// A row of the table of all options.
typealias Option = OptionRow<Options>

/// Every option, in the order of the help; each feature has its own rows.
let optionTable: [Option] = Array(optionGroups.joined())

private let optionGroups: [[Option]] = [
  BatchRequest.options.within(\.batch),
  listOptions,
  FarmSettings.options.within(\.farm),
  PlaySettings.options.within(\.play),
  inputOptions,
  Recording.clipOptions.within(\.recording),
  SourceRequest.options.within(\.recording.source),
  rateOptions,
  stopOptions,
  PictureArrangement.options.within(\.recording.source.arrangement),
  Deinterlacing.options.within(\.recording.source.deinterlacing),
  Retiming.options.within(\.recording.source.retiming),
  AudioRequest.options.within(\.recording.source.sound),
  Recording.audioOptions.within(\.recording),
  Recording.subtitleOptions.within(\.recording),
  CameraRequest.options.within(\.recording.source.camera),
  SourceRequest.screenOptions.within(\.recording.source),
  Recording.microphoneOptions.within(\.recording),
  Recording.effectOptions.within(\.recording),
  presetOptions,
  ControlSettings.options.within(\.control),
  Recording.automationOptions.within(\.recording),
  Recording.outputOptions.within(\.recording),
  previewOptions,
  Recording.fileOptions.within(\.recording),
  EncodeSettings.splitOptions.within(\.recording.encoding),
  Recording.pictureOptions.within(\.recording),
  encoderOptions,
  EncodeSettings.options.within(\.recording.encoding),
  AudioSettings.options.within(\.recording.encoding.audio),
  EncodeSettings.animationOptions.within(\.recording.encoding),
  Recording.hardwareOptions.within(\.recording),
  MessageSettings.options.within(\.messages),
]

/// The option that a command calls by this name, which may mean another thing to another command; nil if it has none.
func option(_ name: String, of command: Command) -> Option? {
  optionTable.first { $0.long == name && $0.commands.contains(command) }
}
