package import Capture
package import Encode
package import Frames
import GPU
package import ShaderEffects

/// A recording as asked for: a source, a chain of effects, and the outputs of what comes of it.
package struct Recording: Sendable {
  package var source: SourceRequest
  /// The microphone that is recorded with it: "default", ALSA's name, or part of a card's; nil for
  /// none.
  package var microphone: String?
  /// What follows the source, one after the other.
  ///
  /// Duration, frames and interruption are the source's, for all together.
  package var following: [SourceRequest] = []
  /// How long two inputs that follow each other are both seen, in seconds, 0 for a cut: one value for
  /// each pair, one for all, or none.
  package var overlaps: [Rational] = []
  /// In the order in which they act.
  package var effects: [EffectSpec] = []
  /// Folders to search for effects before the standard ones.
  package var effectFolders: [String] = []
  /// Effects are compiled anew whenever their files change.
  package var reloadsEffects = false

  /// As typed after each `-o`; one at least.
  package var outputs: [String]
  /// A container's name where an output's does not tell (standard output, FIFOs).
  package var container: String?
  package var overwrite = OverwriteRule.refuse
  package var encoding = EncodeSettings()
  /// How the output's frames follow each other.
  package var pace = OutputPace.asTheyCome

  /// The output's range; nil keeps a file's and makes a camera's limited.
  package var range: ColorRange?

  /// The output's size; one of the two may be left to the picture's shape.
  package var size: (width: Int?, height: Int?)?
  package var scale = ScaleMode.fit

  /// Effect time and number of the first frame.
  package var firstTime = Rational.zero
  package var firstFrameIndex = 0

  /// A GPU's number or part of its name; nil takes the best.
  package var gpu: String?
  /// How long one frame may keep the GPU busy before it counts as hung, in seconds.
  package var frameLimit = Device.usualFrameLimit
  /// Frames take the GPU's line even where it would change nothing.
  package var forcesGPU = false

  /// When the program started, for the statistics; nil takes the call of `record`.
  package var programStart: MonotonicTime?

  package init(source: SourceRequest, outputs: [String]) {
    self.source = source
    self.outputs = outputs
  }
}

/// How frames follow each other in an output.
package enum OutputPace: Sendable, Equatable {
  /// Each at its own time.
  case asTheyCome
  /// At a constant rate: the given one, or the source's.
  case constant(Rational?)
}

/// What happens to an output that exists already.
package enum OverwriteRule: Sendable { case refuse, replace, skip }
