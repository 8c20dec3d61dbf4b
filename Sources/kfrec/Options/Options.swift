import Batch
import Capture
import Encode
import FFmpegHandles
import Frames
import Recorder
import Render
import ShaderEffects
import Terminal

/// The typed options, which `Recording.init(_:)` interprets.
///
/// Nil or empty means that an option was not given.
struct Options: Sendable {
  var command = Command.record
  /// Words that are neither options nor their values.
  var operands: [String] = []
  /// The names with line ends or tabs among all words.
  var brokenNames = BrokenNames([])

  var inputs: [InputPart] = []
  /// What limits an input or the output and stands before an input that is not the first, as typed.
  var limitsBeforeInput: [String] = []
  var overlaps: [Rational]?
  var start: Rational?
  var duration: Rational?
  var frames: Int?
  var stopTime: StopTime?
  /// The program that is started at the end.
  var onEnd: String?
  var frameRange: FrameRange?
  var frameRate: Rational?
  var frameRateMode: FrameRateMode?
  var noAudio = false
  var noTags = false
  /// Which video of an input is read.
  var variant: VideoChoice?
  /// The number or a part of the name of a program.
  var program: String?
  var networkTimeout: Rational?
  var audioTrack: AudioTrackChoice?
  var noSubtitles = false
  /// A file of subtitles that are drawn over the frames.
  var subtitles: String?
  var subtitleTracks: [SubtitleTrack] = []
  var audioIn: AddedAudio?
  /// `--volume` of a recording.
  var gain: VolumeCurve?
  /// In LUFS.
  var loudness: Double?
  var audioCodec: AudioCodecChoice?
  var audioBitrate: Int?
  var realtime = false
  var cameraSize: ImageSize?
  var cameraRate: Rational?
  var cameraFormat: String?
  var cameraControls: [CameraControlWords] = []
  var cameraTimeout: Rational?
  var cameraWait: Rational?
  /// Whether the pointer is recorded with a screen.
  var cursor: Bool?
  var audio: String?
  var encoderOptions: [EncoderOption] = []
  var end: Rational?
  var inputSpeed: Rational?
  var reversed = false
  var turns: Int?
  var boomerang = false
  var crop: PictureCrop?
  var rotate: Int?
  var flip: PictureFlip?
  var aspect: Rational?
  var padColor: SIMD4<UInt8>?
  var deinterlacing: Deinterlacing.Mode?
  var fieldOrder: Deinterlacing.Order?
  var inputMatrix: ColorMatrix?
  var inputRange: ColorRange?
  var inputTransfer: UInt8?
  var hdr: HDRRule?

  var effects: [EffectSpec] = []
  /// The files of `--preset`.
  var presetFiles: [String] = []
  /// All presets that were read, those that `-e` and other presets name too.
  var readPresets: [String] = []
  var savedPreset: String?
  var comparison: Comparison?
  var effectFolders: [String] = []
  /// Folders from which the files of effects may come, besides their own.
  var readableFolders: [String] = []
  var time: Rational?
  var frameIndex: Int?
  var reload = false
  var gpu: String?
  var forceGPU = false
  var requireGPU = false
  var gpuTimeout: Rational?

  var controls: [ControlWay] = []
  /// `any`, or the name or the path of a MIDI device.
  var midi: String?
  var midiMap: String?
  /// A numeric address.
  var controlAddress: String?
  var controlToken: String?
  /// Nothing but the page shows the frames.
  var noWindow = false
  /// In milliseconds.
  var glide: Int?
  var automation: String?
  var automationIn: String?

  var outputs: [String] = []
  var overwrite = false
  var noOverwrite = false
  var container: String?
  var split: SplitLimit?
  var frameHashes: String?
  var size: ImageSize?
  var scale: ScaleMode?
  var scaler: Scaler?
  var preview: PreviewPlace?
  var loops = false
  /// Percent.
  var volume: Int?
  var speed: Double?
  var hardware: HardwareWish?
  var range: OutputRange?

  var codec: String?
  var preset: String?
  var bitrate: Int?
  var crf: Double?
  var gop: Int?
  var pixelFormat: OutputPixelFormat?
  var plays: Int?
  var dither: EncodeSettings.Dither?

  /// All options as typed: names without dashes, and values.
  var typed: [(name: String, value: String)] = []
  /// The options of a recording among them.
  var given: [(name: String, value: String)] = []
  var outputFolder: String?
  var outputName: OutputName?
  var list: String?
  var watched: [String] = []
  var recursive = false
  var jobs: Int?
  var retries: Int?
  var failFast = false
  var force = false
  var dryRun = false
  var verification: Verification?
  var hashesAll = false
  var chunks: ChunkLength?
  var chunkLeadIn: Int?

  var planOnly = false
  var taskSize: Int?
  var task: Int?
  var plan: String?
  var slurm: String?
  var tasksAtOnce: Int?
  var status: String?

  var quiet = false
  var verbose = false
  var stats = false
  var progress: ProgressStyle?
  var json = false
  var strict = false
  var update = false
  /// The folder of a golden report, or the file of a batch's report.
  var report: String?
  var help: HelpLength?
  var version = false
}

/// A camera's control and its value, as typed.
struct CameraControlWords: Sendable, Equatable {
  var name: String
  var value: String
}

/// Whether frames keep their timestamps, or have a constant frame rate, and what this shows between two frames.
enum FrameRateMode: Sendable { case passthrough, constant, nearest, blend }

/// The range of an output: that of the source, or a given one.
enum OutputRange: Sendable { case source, limited, full }

/// The pixel format of an output: chosen for the encoder, or given.
enum OutputPixelFormat: Sendable, Equatable { case automatic, given(PixelFormat) }

/// Where frames are shown while they are made.
enum PreviewPlace: Sendable, Equatable {
  case window
  /// The terminal, drawn in this way; nil for the best that it can.
  case terminal(TerminalStyle?)
}

/// How progress is shown.
enum ProgressStyle: Sendable { case auto, bar, json, openjd, none }

/// How much a help text says about each option: one line, or everything.
enum HelpLength: Sendable { case short, long }
