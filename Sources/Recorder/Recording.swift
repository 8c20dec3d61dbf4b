package import Capture
package import Encode
package import Frames
import GPU
package import Render
package import ShaderEffects

/// A requested recording: a source, a chain of effects, and the outputs.
package struct Recording: Sendable {
  package var source: SourceRequest
  /// Microphone that is recorded with the source: "default", an ALSA name, or part of a card's name; nil
  /// for none.
  package var microphone: String?
  /// A file with audio that takes the place of the sources' own, or is mixed with it; nil for none.
  package var addedAudio: AddedAudio?
  /// A file of subtitles that are drawn over the frames after all effects; nil for none.
  package var subtitles: String?
  /// Files of subtitles that become tracks of the outputs.
  package var subtitleTracks: [SubtitleTrack] = []
  /// Sources that follow the first one, in order.
  ///
  /// Duration, frame limit and interruption are those of `source`, for all sources together.
  package var following: [SourceRequest] = []
  /// How long two consecutive inputs are both visible, in seconds (0 for a cut): one value for each
  /// pair, one for all pairs, or none.
  package var overlaps: [Rational] = []
  /// Effects in the order in which they act.
  package var effects: [EffectSpec] = []
  /// Folders to search for effects before the standard folders.
  package var effectFolders: [String] = []
  /// Folders from which the files of effects may come, besides those of the effects themselves.
  package var readableFolders: [String] = []
  /// Where other chains of effects are asked for while the recording runs; nil if nobody does.
  package var chainRequests: ChainRequests?
  /// Whether effects are compiled again whenever their files change.
  package var reloadsEffects = false
  /// Where parameters of effects are changed while the recording runs; nil if nobody changes any.
  package var inbox: ParameterInbox?
  /// A file with changes of parameters that act at their times; nil for none.
  package var automationIn: String?
  /// A file for the changes of parameters as they act; nil for none.
  package var automation: String?
  /// Files that the recording was read from, such as presets, which nothing may overwrite.
  package var otherReads: [ReadFile] = []

  /// Output names as typed after each `-o`; at least one, or a view.
  package var outputs: [String]
  /// What shows the frames while they are made; nil for nothing.
  package var view: (any FrameView)?
  /// What also shows the frames, as an output that others never wait for; nil for nothing.
  package var sideView: (any FrameView)?
  /// Container name for outputs whose name does not show it (standard output, FIFOs).
  package var container: String?
  /// The title of movies; empty for none, nil for the first source's.
  package var title: String?
  /// A file for the hashes of the first movie's frames; nil for none.
  package var frameHashes: String?
  /// How outputs are read back at the end.
  package var verification = Verification.off
  package var overwrite = OverwriteRule.refuse
  package var encoding = EncodeSettings()
  /// Number of threads of each video encoder; 0 lets the encoder choose.
  package var encoderThreads = 0
  /// Timing of the output's frames.
  package var pace = OutputPace.asTheyCome
  /// What a constant frame rate shows at times between two frames.
  package var frameChoice = FrameChoice.spread

  /// Colour range of the output; nil keeps a file's range and makes a camera's limited.
  package var range: ColorRange?

  /// Output size in pixels; one of the two may be nil, and then follows from the image's aspect ratio.
  package var size: (width: Int?, height: Int?)?
  package var scale = ScaleMode.fit
  /// How images are resized.
  package var scaler = Scaler.lanczos
  /// The colour of the bars of `fit`: red, green, blue and alpha, 0 to 1 each.
  package var barColor = SIMD4(0.0, 0, 0, 1)

  /// How the output shows the source's own picture too; nil if it does not.
  package var comparison: Comparison?

  /// Effect time (in seconds) and number of the first frame.
  package var firstTime = Rational.zero
  package var firstFrameIndex = 0
  /// Whether effect time and frame numbers are those that the frames have if the source is taken from its start.
  package var countsFromSourceStart = false

  /// Number, UUID or PCI address of the GPU, or part of its name; nil selects the one that a scheduler gave, or
  /// the best.
  package var gpu: String?
  /// Whether a software driver is an error.
  package var requiresGPU = false
  /// How long one frame may keep the GPU busy before the GPU counts as hung, in seconds.
  package var frameLimit = Device.usualFrameLimit
  /// Whether frames use the GPU even if it would change nothing.
  package var forcesGPU = false

  /// Time of the program's start, for the statistics; nil uses the time of the call to `record`.
  package var programStart: MonotonicTime?

  /// Whether parameters of effects may change in other ways than the effects' own words say.
  ///
  /// Kernels and pixel formats depend on it, so a recording and its replay must have the same value.
  var isSteered: Bool { inbox != nil || automationIn != nil }

  /// Lets other chains of effects be asked for while the recording runs, unless one of its files belongs to
  /// this chain.
  package mutating func openChain() {
    guard chainRequests == nil, automation == nil, automationIn == nil, following.isEmpty,
      frameChoice != .blend
    else {
      return
    }
    let requests = ChainRequests(effects)
    (chainRequests, effects) = (requests, requests.effects)
  }

  /// Whether the effects themselves may change while they run.
  var changesEffects: Bool { reloadsEffects || chainRequests != nil }

  package init(source: SourceRequest, outputs: [String]) {
    self.source = source
    self.outputs = outputs
  }
}

/// Timing of the frames in an output.
package enum OutputPace: Sendable, Equatable {
  /// Each frame keeps its own time.
  case asTheyCome
  /// A constant frame rate: the given one, or the source's.
  case constant(Rational?)

  /// The times at which frames can end; nil for any.
  var grid: FrameGrid? {
    guard case .constant(let rate) = self else { return nil }
    return FrameGrid(rate: rate)
  }
}

/// What the frames of a constant frame rate show.
package enum FrameChoice: Sendable, Equatable {
  /// Each frame goes to the nearest time; times without a frame repeat the one before.
  case spread
  /// Each time shows the nearest frame.
  case nearest
  /// Each time shows a mix of the frames before and after it.
  case blend
}

/// What to do with an output that already exists.
package enum OverwriteRule: Sendable { case refuse, replace, skip }
