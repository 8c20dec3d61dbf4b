public import FFmpegHandles
public import Frames

/// A request for a source: which source, which part of it, and values that replace its tags.
public struct SourceRequest: Sendable {
  /// The input as typed: the text of a `SourceKind`; empty for the first camera.
  public var input: String
  /// The input is one regular file: a pipe is refused, and other files that it names are not opened even if its name is that of
  /// a playlist.
  public var isOneFile = false
  /// The start in seconds from the source's beginning.
  public var start: Rational?
  /// The end in seconds from the source's beginning, for files; a still image is shown from `start` until then.
  public var end: Rational?
  /// The stretch to deliver; `frames` then limits what is delivered of it.
  public var range: FrameRange?
  /// Only the first frame and the audio are wanted.
  public var skipsFrames = false
  /// The length of the part in seconds of the source, from its first frame on; its time may run otherwise later.
  public var partDuration: Rational?
  /// The most to deliver, in seconds and in frames, whatever `retiming` makes of the part.
  public var duration: Rational?
  public var frames: Int?
  /// The times at which the frames of the output can end, if they have a constant rate; nil if the part ends anywhere.
  public var grid: FrameGrid?
  /// `duration` is only the most that is needed: the part is played again, and nothing is missing if it is shorter.
  var mayEndEarly = false
  /// The largest number of output frames, where the source's own number differs; a still image is
  /// repeated up to this number.
  public var outputFrames: Int?
  /// The size of a generated source in pixels; a file has its own size.
  public var size: (width: Int, height: Int)?
  /// The frame rate of an image sequence (default 25) or of a generated source (default 30).
  public var frameRate: Rational?
  /// How the picture is cropped, turned and shaped.
  public var arrangement = PictureArrangement()
  /// How the time of the part runs.
  public var retiming = Retiming()
  public var includesAudio = true
  /// Which audio is read, in which form it comes, and how it is changed.
  public var sound = AudioRequest()
  /// Effects receive the audio, whether or not outputs take it.
  ///
  /// The audio of a frame's time comes before the frame, if it is stored at most 30 seconds after it.
  public var feedsEffects = false
  /// Seconds by which audio comes before the frames of its time, as far as it is stored near them; nil if audio
  /// comes as it is stored.
  public var audioLead: Rational?
  /// Says what to do with each frame but the first; nil if all are wanted at once.
  ///
  /// The time counts in seconds from the first frame; `reading` is for how many seconds the source has waited for
  /// its packets so far. Called on the thread that reads the source, again and again while the answer is `later`.
  public var admits: (@Sendable (_ time: Rational, _ reading: Double) -> FrameAdmission)?
  /// The source's title, author, date and place are wanted.
  public var includesTags = true
  /// The chapters, covers and attached files are wanted, and what the tracks are called.
  public var includesContents = false
  /// The subtitles are wanted.
  public var includesSubtitles = false
  /// Nobody misses the subtitles, so no message names them.
  public var ignoresSubtitles = false
  /// Frames are wanted at their own pace, as from a live source.
  public var isPaced = false
  /// Changes the pace while the source is read; nil for its own pace.
  public var pace: PaceControl?
  /// A paced source waits for a slower pipeline: it is not live, and no frame is lost.
  public var pacedFramesWait = false
  public var camera = CameraRequest()
  /// The pointer is drawn into the frames of a screen.
  public var showsPointer = true
  /// Chooses another camera while the source is read; nil for the requested one alone.
  public var cameraSwitch: CameraSwitch?
  /// These values replace the tags of a wrongly tagged source.
  public var tagOverrides = ColorTags()
  /// What becomes of interlaced frames.
  public var deinterlacing = Deinterlacing.off
  /// What is done with HDR later, for messages.
  public var hdr = HDRRule.toneMap
  /// Which video is read, if the input has several.
  public var video = VideoChoice.best
  /// The number or a part of the name of the program that is read, if the input has several; nil for the one with the
  /// wanted video.
  public var program: String?
  /// For how many seconds a server may give no data.
  public var networkTimeout = Rational(60)
  /// Number of threads that the decoder may use; 0 lets the decoder choose.
  public var decoderThreads = 0
  /// What may decode the frames instead of the processor.
  public var hardware = HardwarePreference.off
  /// Says whether frames that hardware has decoded stay in its memory; nil if they are always copied.
  ///
  /// Called on the thread that reads the source, when the first of them has come; it may wait for the GPU.
  public var sharing: (@Sendable () -> PictureSharing?)?
  /// Plays the part of hardware in tests; nil for the hardware itself.
  var hardwareStandIn: HardwareStandIn?
  /// For tests: FFmpeg's name of a decoder that is opened as if there were NVIDIA's hardware, without a device.
  var hardwareDecoder: String?
  /// Frames are only counted and checked, not seen: the decoder leaves out the loop filter, a third of its
  /// work, which finds no damage.
  public var isOnlyChecked = false

  /// Receives notices, on the thread that reads the source.
  public var notice: @Sendable (Notice) -> Void = { _ in }

  /// Ends the source's waits; the creator of the request may keep it.
  public var interruption = Interruption()

  public init(input: String) { self.input = input }
}
