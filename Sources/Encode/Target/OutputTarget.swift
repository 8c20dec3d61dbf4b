import FFmpegHandles
import Frames

/// The output that the word after `-o` names: everything that differs between kinds of outputs.
///
/// The rest of the program never asks for the kind of an output. It asks for one of these traits.
protocol OutputTarget: Sendable {
  var place: OutputPlace { get }
  /// The pixels that the output needs; outputs with the same needs can share frames.
  var preference: PixelPreference { get }
  /// The output can store audio with the frames.
  var takesAudio: Bool { get }
  /// Whether the output encodes the audio of these streams, instead of copying it.
  func encodesAudio(_ streams: [CompressedStream]) -> Bool
  /// What the output leaves out of a source's contents, in words: "2 chapters".
  func leftOut(
    of contents: FileContents?, audio: [StreamTags], subtitles: [CompressedStream]
  ) -> [String]
  /// Most frames that the output holds, or nil for no limit.
  var frameLimit: Int? { get }
  /// A name that would take all frames, if this one takes a limited number of them.
  var nameForAllFrames: String? { get }
  /// Somebody watches the frames live, so they must arrive at their own pace.
  var isPaced: Bool { get }
  /// A live output whose frames wait a moment instead of being dropped for newer ones at once.
  var queuesFrames: Bool { get }
  /// The name in messages, if the word that names the output holds secrets.
  var shownName: String? { get }
  /// Frames that also go to files must arrive at their own pace.
  var pacesFiles: Bool { get }
  /// The output can be joined from parts that are encoded apart.
  var canBeJoined: Bool { get }
  /// All bytes of the output are in one file, which can be moved.
  var isOneFile: Bool { get }
  /// Why the finished file, with this number of frames if it is known, cannot be read back, as the end of a sentence;
  /// nil if it can.
  func unreadable(frames: Int?) -> String?
  /// The output can be written as several files.
  var canBeSplit: Bool { get }
  /// The output accepts frames with alpha; other outputs may need frames without it.
  var holdsAlpha: Bool { get }
  /// The output can store the field order.
  var holdsFieldOrder: Bool { get }
  /// The output can store the transfer function, so that players recognize HDR.
  var holdsTransfer: Bool { get }
  /// The output can write the hashes of its frames beside it.
  var hashesFrames: Bool { get }
  /// Nil if nothing is encoded, or if images are written.
  var encoder: EncoderChoice? { get }
  /// The output is a movie that stores pixels as they are given to it, without a loss.
  var keepsPixels: Bool { get }
  /// Hardware that takes both parts of chroma in one plane may encode the frames.
  var wantsSemiPlanar: Bool { get }
  /// The pixel format to request so that least of a source is lost, for a message; nil if none can be requested.
  func nearest(to contents: PixelContents, hasAlpha: Bool) -> PixelFormat?

  /// Applies the settings, and throws if they do not fit; called once, before the methods below.
  mutating func settle(_ settings: EncodeSettings) throws(EncodeError)

  /// Makes the pixels deep enough for HDR, unless others were asked for; called after `settle`.
  mutating func settleForHDR() throws(EncodeError)

  /// Returns the layout and size that frames must have, as `Output.frameFormat` describes.
  func frameFormat(_ picture: FrameDescription) -> FrameFormat

  /// Opens the output; if it throws, no file remains; `name` is for messages.
  func open(_ request: SinkRequest, name: String) throws -> sending any MediaSink
}

extension OutputTarget {
  var takesAudio: Bool { false }
  func encodesAudio(_ streams: [CompressedStream]) -> Bool { false }
  func leftOut(
    of contents: FileContents?, audio: [StreamTags], subtitles: [CompressedStream]
  ) -> [String] { [] }
  var canBeJoined: Bool { false }
  var keepsPixels: Bool { false }
  var wantsSemiPlanar: Bool { false }
  var isOneFile: Bool { true }
  func unreadable(frames: Int?) -> String? { nil }
  var canBeSplit: Bool { false }
  var frameLimit: Int? { nil }
  var nameForAllFrames: String? { nil }
  var isPaced: Bool { false }
  var queuesFrames: Bool { false }
  var shownName: String? { nil }
  var pacesFiles: Bool { isPaced }
  var holdsFieldOrder: Bool { true }
  var holdsTransfer: Bool { true }
  var hashesFrames: Bool { false }
  var encoder: EncoderChoice? { nil }
  func nearest(to contents: PixelContents, hasAlpha: Bool) -> PixelFormat? {
    encoder?.nearest(to: contents, hasAlpha: hasAlpha)
  }
  mutating func settle(_ settings: EncodeSettings) throws(EncodeError) {}
  mutating func settleForHDR() throws(EncodeError) {}
}

/// The source images that an output will receive, before it chooses their frame format.
struct FrameDescription {
  var width: Int
  var height: Int
  var color: ColorDescription
  var sampleAspectRatio: Rational
  var hasAlpha: Bool
  /// An effect of which nothing is known may make opaque pixels transparent.
  var mayGainAlpha = false
  /// What the source's pixels hold, for outputs that keep it; nil if several outputs take the same frames.
  var contents: PixelContents?

  /// Returns the format as video frames: the size is rounded up to whole chroma samples (the caller
  /// repeats the last column or row), and the colours become those of the pixel format's model: full-range
  /// RGB, or for an RGB description limited-range YCbCr with the matrix of the size rule.
  func video(_ pixelFormat: PixelFormat) -> FrameFormat {
    let unit = pixelFormat.layout.chromaSubsampling
    var color = color
    if pixelFormat.layout.model == .rgb {
      (color.matrix, color.range) = (.rgb, .full)
    } else if color.matrix == .rgb {
      (color.matrix, color.range) = (.assumed(width: width, height: height), .limited)
    }
    return FrameFormat(
      width: (width + unit.x - 1) / unit.x * unit.x,
      height: (height + unit.y - 1) / unit.y * unit.y, pixelFormat: pixelFormat, color: color,
      sampleAspectRatio: sampleAspectRatio)
  }
}

enum PixelPreference: Hashable, Sendable {
  case anything
  case format(PixelFormat)
  /// The pixels of an image file format, by their name for messages: "RGB".
  case picture(String)

  var pixelFormat: PixelFormat? { if case .format(let format) = self { format } else { nil } }

  var name: String {
    switch self {
    case .anything: "any frames"
    case .format(let format): format.rawValue
    case .picture(let name): name
    }
  }
}
