import Frames

/// A format of picture files: which frames it takes, and how they are encoded.
struct ImageFileFormat: Sendable {
  /// "PNG", for messages.
  let name: String
  /// Without the dot; the first is the usual one.
  let extensions: [String]
  /// What its pixels are, for messages; outputs for which that is the same can share frames.
  let pixels: String
  let pixelFormat: PixelFormat
  /// Nil where it has no transparency.
  let alphaPixelFormat: PixelFormat?
  /// How codes stand for colours; all of their bits are used.
  let matrix: ColorMatrix
  /// FFmpeg's name.
  private let encoder: String
  private let options: [EncoderOption]

  /// In the order in which messages list them.
  static let all = [
    // One filter for all rows: on a video frame "up" is faster and smaller than any other (1280x720
    // with its decoding: 27 ms against 43 without a filter and 45 with the best of all five for each
    // row), and a level above 3 more than doubles the time for 4 % of the size.
    ImageFileFormat(
      name: "PNG", extensions: ["png"], pixels: "RGB", pixelFormat: .rgb24,
      alphaPixelFormat: .rgba, matrix: .rgb, encoder: "png",
      options: [EncoderOption("pred", "up"), EncoderOption("compression_level", "2")]),
    // JFIF has BT.601's matrix in full range. A chroma sample for each pixel, and the finest quantiser
    // but one: of a frame of a film that gives 43 dB in an eighth of PNG's bytes, the finest one 46 dB
    // in a fifth.
    ImageFileFormat(
      name: "JPEG", extensions: ["jpg", "jpeg"], pixels: "full-range YCbCr",
      pixelFormat: .yuv444p, alphaPixelFormat: nil, matrix: .smpte170m, encoder: "mjpeg",
      options: [EncoderOption("qmin", "2"), EncoderOption("qmax", "2")]),
  ]
}

extension ImageFileFormat {
  init?(named fileExtension: String) {
    guard let found = ImageFileFormat.all.first(where: { $0.extensions.contains(fileExtension) })
    else { return nil }
    self = found
  }

  /// The usual extension with its dot.
  var ending: String { "." + (extensions.first ?? "") }

  /// The name of a sequence in this format, for messages.
  var sequenceName: String { "out-%04d" + ending }

  var wish: PixelWish { .picture(pixels) }

  /// The word names a file of this format.
  func isNamed(by word: OutputSpec) -> Bool {
    word.container == nil && extensions.contains(word.path.fileExtension)
  }

  /// Frames of any size, with alpha if there may be any and the format has a place for it.
  func frameFormat(_ picture: FrameDescription) -> FrameFormat {
    var color = picture.color
    (color.matrix, color.range) = (matrix, .full)
    return FrameFormat(
      width: picture.width, height: picture.height,
      pixelFormat: picture.hasAlpha ? alphaPixelFormat ?? pixelFormat : pixelFormat, color: color,
      sampleAspectRatio: picture.sampleAspectRatio)
  }

  /// What its encoder is opened with.
  func plan(_ request: SinkRequest) throws(EncodeError) -> EncoderPlan {
    EncoderPlan(
      codec: try EncoderCatalog.encoder(named: encoder), format: request.format,
      frameRate: request.frameRate, timeBase: Rational(1, 1000), threads: request.threads,
      options: options)
  }
}
