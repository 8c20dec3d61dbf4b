public import FFmpegHandles
public import Frames

/// The output that the word after `-o` names, checked before anything is opened.
///
/// `init` checks all that is known without a frame: the kind, the folder, the encoder and its
/// settings.
public struct Output: Sendable {
  /// The word as typed by the user, without secrets.
  public let word: String
  var target: any OutputTarget
  /// True for a virtual camera beside an output that keeps frames: it shows the latest frames, and
  /// may skip some or fail without harm to the other outputs.
  public internal(set) var isBestEffort = false

  /// Checks a word; `container` is a container's name, for a word that does not show it.
  public init(
    _ word: String, container: String? = nil, settings: EncodeSettings = EncodeSettings()
  ) throws(EncodeError) {
    let typed = try OutputSpec(word, container: container)
    try self.init(word, target: typed.target(), settings: settings)
  }

  init(_ word: String, target: any OutputTarget, settings: EncodeSettings) throws(EncodeError) {
    var target = target
    try target.settle(settings)
    if settings.split != nil, !target.canBeSplit, !target.isPaced, target.preference != .anything {
      throw EncodeError.notSplit(word)
    }
    self.word = target.shownName ?? word
    self.target = target
  }

  /// The output can store audio with the frames.
  public var takesAudio: Bool { target.takesAudio }

  /// Whether the output encodes the audio of these streams, instead of copying it.
  public func encodesAudio(_ streams: [CompressedStream]) -> Bool { target.encodesAudio(streams) }

  /// Most frames that the output holds, or nil for no limit; 1 for a single image.
  public var frameLimit: Int? { target.frameLimit }

  /// Frames are watched live, so they must arrive at their own pace.
  public var isPaced: Bool { target.isPaced }

  /// Beside outputs that keep frames, frames wait a moment instead of being dropped for newer ones at once.
  public var queuesFrames: Bool { target.queuesFrames }

  /// The output is standard output, so messages for machines must go elsewhere.
  public var isStandardOutput: Bool { target.place.isStandardOutput }

  /// The existing file that would be overwritten, or nil; for a sequence, its first image.
  public var existingPath: String? { target.place.existingPath(typed: word) }

  /// Throws if the output would overwrite an input; a sequence is given as its pattern.
  public func checkDiffers(fromInput input: String) throws(EncodeError) {
    guard target.place.isInput(input, typed: word) else { return }
    throw EncodeError(
      "\(word) is both input and output: give the output another name", isUsageError: true)
  }

  /// Returns the layout and size that frames for this output must have, for a source image of the
  /// given size and colours.
  ///
  /// Video files and y4m: the requested pixel format, else the nearest one with alpha if there is alpha and the
  /// output holds it, else yuv420p or the encoder's own; the size is rounded up to whole chroma samples (the
  /// caller repeats the last column or row). Images: the pixel format of their file format, any size, with
  /// alpha if there may be any. ProRes 4444 has alpha too then, if yuv444p10le was requested.
  ///
  /// - Parameters:
  ///   - width: Width of the canvas in pixels.
  ///   - height: Height of the canvas in pixels.
  ///   - color: Colours of the canvas.
  ///   - sampleAspectRatio: Width of a pixel by its height.
  ///   - hasAlpha: Whether the source has alpha, or an effect is known to make some.
  ///   - mayGainAlpha: Whether an effect of which nothing is known may make some.
  ///   - contents: What the source's pixels hold, which lossless codecs and images keep, unless a format was
  ///     requested; nil for 8 bits of 4:2:0.
  /// - Returns: The format.
  public func frameFormat(
    width: Int, height: Int, color: ColorDescription, sampleAspectRatio: Rational = .one,
    hasAlpha: Bool = false, mayGainAlpha: Bool = false, contents: PixelContents? = nil
  ) -> FrameFormat {
    target.frameFormat(
      FrameDescription(
        width: width, height: height, color: color, sampleAspectRatio: sampleAspectRatio,
        hasAlpha: hasAlpha, mayGainAlpha: mayGainAlpha, contents: contents))
  }

  /// Opens the output; if it throws, no file remains.
  public func open(_ request: SinkRequest) throws -> sending any MediaSink {
    try target.open(request, name: word)
  }
}

extension EncodeError {
  static func notSplit(_ output: String) -> EncodeError {
    EncodeError(
      "--split cuts movies in files, and \(output) is none; write .mov, .mp4, .m4v, .mkv or .webm, or leave out --split",
      isUsageError: true)
  }
}
