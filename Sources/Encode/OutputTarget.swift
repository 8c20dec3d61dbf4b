import Frames

/// What the word after `-o` stands for: all that differs between kinds of outputs.
///
/// The rest of the program never asks of which kind an output is. It asks for one of these traits.
protocol OutputTarget: Sendable {
  /// What is written to.
  var place: OutputPlace { get }
  /// What the frames' pixels must be; outputs that want the same can share frames.
  var wish: PixelWish { get }
  /// Sound can go along with the frames.
  var takesAudio: Bool { get }
  /// How many frames the output holds, where that is limited.
  var frameLimit: Int? { get }
  /// A name that would take all frames, where this one takes a limited number of them.
  var nameForAllFrames: String? { get }
  /// Somebody watches the frames as they come, so that they must come at their own pace.
  var isPaced: Bool { get }
  /// Takes frames with alpha where others may take them without.
  var holdsAlpha: Bool { get }
  /// Has a place for the order of fields.
  var holdsFieldOrder: Bool { get }
  /// Has a place for the curve by which values are coded, so that HDR is known as such.
  var holdsTransfer: Bool { get }
  /// Nil where nothing is encoded, or pictures are.
  var encoder: EncoderChoice? { get }

  /// Takes the settings, and throws where they do not suit; called once, before all that follows.
  mutating func settle(_ settings: EncodeSettings) throws(EncodeError)

  /// The layout and the size that frames must have, as `Output.frameFormat` says.
  func frameFormat(_ picture: FrameDescription) -> FrameFormat

  /// Opens the output; nothing is left behind when it throws. `name` is for messages.
  func open(_ request: SinkRequest, name: String) throws -> any MediaSink
}

extension OutputTarget {
  var takesAudio: Bool { false }
  var frameLimit: Int? { nil }
  var nameForAllFrames: String? { nil }
  var isPaced: Bool { false }
  var holdsFieldOrder: Bool { true }
  var holdsTransfer: Bool { true }
  var encoder: EncoderChoice? { nil }
  mutating func settle(_ settings: EncodeSettings) throws(EncodeError) {}
}

/// What the pictures are that an output will be given, before it says how it wants them.
struct FrameDescription {
  var width: Int
  var height: Int
  var color: ColorDescription
  var sampleAspectRatio: Rational
  var hasAlpha: Bool

  /// As video frames: the size is rounded up to whole chroma samples (the caller repeats the last
  /// column or row), and an RGB description becomes limited-range YCbCr with the matrix of the size
  /// rule.
  func video(_ pixelFormat: PixelFormat) -> FrameFormat {
    let unit = pixelFormat.layout.chromaSubsampling
    var color = color
    if color.matrix == .rgb, pixelFormat.layout.model != .rgb {
      (color.matrix, color.range) = (.assumed(width: width, height: height), .limited)
    }
    return FrameFormat(
      width: (width + unit.x - 1) / unit.x * unit.x,
      height: (height + unit.y - 1) / unit.y * unit.y, pixelFormat: pixelFormat, color: color,
      sampleAspectRatio: sampleAspectRatio)
  }
}

/// What an output wants of the frames' pixels.
enum PixelWish: Hashable, Sendable {
  case anything
  case format(PixelFormat)
  /// What a format of picture files has, by its name for messages: "RGB".
  case picture(String)

  var pixelFormat: PixelFormat? { if case .format(let format) = self { format } else { nil } }

  /// For messages.
  var name: String {
    switch self {
    case .anything: "any frames"
    case .format(let format): format.rawValue
    case .picture(let name): name
    }
  }
}
