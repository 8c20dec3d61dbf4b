package import Frames

/// What the word after `-o` names, judged before anything is opened.
///
/// All that can be known without a frame is checked in `init`: the kind, the folder, the encoder and
/// its settings.
package struct Output: Sendable {
  /// As typed.
  package let word: String
  let target: any OutputTarget
  /// A virtual camera beside an output that keeps frames: it shows the latest ones, and may miss some
  /// or fail without harm to the others.
  package internal(set) var isBestEffort = false

  /// Judges a word; `container` is a container's name where the word does not tell.
  package init(
    _ word: String, container: String? = nil, settings: EncodeSettings = EncodeSettings()
  ) throws(EncodeError) {
    let typed = try OutputSpec(word, container: container)
    try self.init(word, target: typed.target(), settings: settings)
  }

  init(_ word: String, target: any OutputTarget, settings: EncodeSettings) throws(EncodeError) {
    var target = target
    try target.settle(settings)
    self.word = word
    self.target = target
  }

  /// Sound can go along with the frames.
  package var takesAudio: Bool { target.takesAudio }

  /// What the frames' pixels must be; outputs that want the same can share frames.
  var wish: PixelWish { target.wish }

  /// How many frames the output holds, where that is limited: 1 for a single picture.
  package var frameLimit: Int? { target.frameLimit }

  /// Frames are seen as they come, so that they must come at their own pace.
  package var isPaced: Bool { target.isPaced }

  /// Standard output is taken, so that messages for machines must go elsewhere.
  package var isStandardOutput: Bool { target.place.isStandardOutput }

  /// The file that would be written over, if there is one now; for a sequence its first picture.
  package var existingPath: String? { target.place.existingPath(typed: word) }

  /// Throws when an input is what would be written over; a sequence is given as its pattern.
  package func checkDiffers(fromInput input: String) throws(EncodeError) {
    guard target.place.isInput(input, typed: word) else { return }
    throw EncodeError(
      "\(word) is both input and output: give the output another name", isUsageError: true)
  }

  /// The layout and the size that frames for this output must have, for a picture of the given size
  /// and colours.
  ///
  /// Movies and y4m: the pixel format asked for, or yuv420p, and the size rounded up to whole chroma
  /// samples (the caller repeats the last column or row). An RGB description becomes limited-range
  /// YCbCr with the matrix of the size rule. Pictures: what their format has, of any size, with alpha
  /// if there may be any. ProRes 4444 has alpha too then, if it was asked for as yuv444p10le.
  package func frameFormat(
    width: Int, height: Int, color: ColorDescription, sampleAspectRatio: Rational = .one,
    hasAlpha: Bool = false
  ) -> FrameFormat {
    target.frameFormat(
      FrameDescription(
        width: width, height: height, color: color, sampleAspectRatio: sampleAspectRatio,
        hasAlpha: hasAlpha))
  }

  /// Opens the output; nothing is left behind when it throws.
  package func open(_ request: SinkRequest) throws -> any MediaSink {
    try target.open(request, name: word)
  }

  /// Takes frames with alpha where others may take them without.
  var holdsAlpha: Bool { target.holdsAlpha }

  /// Nil where nothing is encoded, or pictures are.
  var encoder: EncoderChoice? { target.encoder }
}
