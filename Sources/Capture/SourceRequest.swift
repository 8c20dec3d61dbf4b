package import FFmpegHandles
package import Frames

/// A request for a source: which source, which part of it, and values that replace its tags.
package struct SourceRequest: Sendable {
  /// The input as typed: the text of a `SourceKind`; empty for the first camera.
  package var input: String
  /// The start in seconds from the source's beginning.
  package var start: Rational?
  /// The end in seconds from the source's beginning, for files; a still image is shown from `start` until then.
  package var end: Rational?
  /// The stretch to deliver; `frames` then limits what is delivered of it.
  package var range: FrameRange?
  /// Only the first frame and the audio are wanted.
  package var skipsFrames = false
  /// The most to deliver, in seconds and in frames.
  package var duration: Rational?
  package var frames: Int?
  /// The largest number of output frames, where the source's own number differs; a still image is
  /// repeated up to this number.
  package var outputFrames: Int?
  /// The size of a generated source in pixels; a file has its own size.
  package var size: (width: Int, height: Int)?
  /// The frame rate of an image sequence (default 25) or of a generated source (default 30).
  package var frameRate: Rational?
  /// How the picture is cropped, turned and shaped.
  package var arrangement = PictureArrangement()
  /// How the time of the part runs.
  package var retiming = Retiming()
  package var includesAudio = true
  /// Which audio is read, in which form it comes, and how it is changed.
  package var sound = SoundRequest()
  /// Effects receive the audio, whether or not outputs take it.
  ///
  /// The audio of a frame's time comes before the frame, if it is stored at most 30 seconds after it.
  package var feedsEffects = false
  /// Seconds by which audio comes before the frames of its time, as far as it is stored near them; nil if audio
  /// comes as it is stored.
  package var audioLead: Rational?
  /// Says what to do with each frame but the first; nil if all are wanted at once.
  ///
  /// The time counts in seconds from the first frame; `reading` is for how many seconds the source has waited for
  /// its packets so far. Called on the thread that reads the source, again and again while the answer is `later`.
  package var admits: (@Sendable (_ time: Rational, _ reading: Double) -> FrameAdmission)?
  /// The source's title, author, date and place are wanted.
  package var includesTags = true
  /// The chapters, covers and attached files are wanted, and what the tracks are called.
  package var includesContents = false
  /// The subtitles are wanted.
  package var includesSubtitles = false
  /// Nobody misses the subtitles, so no message names them.
  package var ignoresSubtitles = false
  /// Frames are wanted at their own pace, as from a live source.
  package var isPaced = false
  /// Changes the pace while the source is read; nil for its own pace.
  package var pace: PaceControl?
  /// A paced source waits for a slower pipeline: it is not live, and no frame is lost.
  package var pacedFramesWait = false
  package var camera = CameraRequest()
  /// The pointer is drawn into the frames of a screen.
  package var showsPointer = true
  /// Chooses another camera while the source is read; nil for the requested one alone.
  package var cameraSwitch: CameraSwitch?
  /// These values replace the tags of a wrongly tagged source.
  package var tagOverrides = ColorTags()
  /// What becomes of interlaced frames.
  package var deinterlacing = Deinterlacing.off
  /// What is done with HDR later, for messages.
  package var hdr = HDRRule.toneMap
  /// Which video is read, if the input has several.
  package var video = VideoChoice.best
  /// The number or a part of the name of the program that is read, if the input has several; nil for the one with the
  /// wanted video.
  package var program: String?
  /// For how many seconds a server may give no data.
  package var networkTimeout = Rational(60)
  /// Number of threads that the decoder may use; 0 lets the decoder choose.
  package var decoderThreads = 0
  /// What may decode the frames instead of the processor.
  package var hardware = HardwareWish.off
  /// Plays the part of hardware in tests; nil for the hardware itself.
  var hardwareStandIn: HardwareStandIn?
  /// Frames are only counted and checked, not seen: the decoder leaves out the loop filter, a third of its
  /// work, which finds no damage.
  package var isOnlyChecked = false

  /// Receives notices, on the thread that reads the source.
  package var notice: @Sendable (Notice) -> Void = { _ in }

  /// Ends the source's waits; the creator of the request may keep it.
  package var interruption = Interruption()

  package init(input: String) { self.input = input }
}
