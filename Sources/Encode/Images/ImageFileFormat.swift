import Frames

/// An image file format: which frames it takes, and how they are encoded.
struct ImageFileFormat: Sendable {
  /// The name for messages: "PNG".
  let name: String
  /// File extensions without the dot; the first is the usual one.
  let extensions: [String]
  /// Name of its pixels for messages; outputs with the same name can share frames.
  let pixels: String
  let pixelFormat: PixelFormat
  /// Nil if the format has no transparency.
  let alphaPixelFormat: PixelFormat?
  /// Other pixel formats that may be requested; outputs with the same one can share frames.
  let requestable: [PixelFormat]
  /// Whether the depth and the components of the source are kept, unless a format is requested.
  let keepsSource: Bool
  /// The matrix between values and colours; the range is full.
  let matrix: ColorMatrix
  private let encoder: String
  private let options: [EncoderOption]

  /// All formats, in the order in which messages list them.
  static let all = [
    // One filter for all rows: for a video frame "up" is faster and gives smaller files than any
    // other (1280x720 with its decoding: 27 ms, against 43 ms without a filter and 45 ms with the
    // best of all five for each row), and a level above 3 more than doubles the time for 4 % of the
    // size.
    ImageFileFormat(
      name: "PNG", extensions: ["png"], pixels: "RGB", pixelFormat: .rgb24,
      alphaPixelFormat: .rgba,
      requestable: [.rgb24, .rgba, .rgb48be, .rgba64be, .gray, .gray16be], keepsSource: true,
      matrix: .rgb,
      encoder: "png",
      options: [EncoderOption("pred", "up"), EncoderOption("compression_level", "2")]),
    // JFIF has BT.601's matrix in full range. One chroma sample per pixel, and the second finest
    // quantiser: for a video frame that gives 43 dB in an eighth of PNG's bytes, the finest one 46
    // dB in a fifth.
    ImageFileFormat(
      name: "JPEG", extensions: ["jpg", "jpeg"], pixels: "full-range YCbCr",
      pixelFormat: .yuv444p, alphaPixelFormat: nil, requestable: [.yuv444p, .yuv422p, .yuv420p],
      keepsSource: false, matrix: .smpte170m,
      encoder: "mjpeg",
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

  /// An example of a sequence name in this format, for messages.
  var sequenceName: String { "out-%04d" + ending }

  func isNamed(by word: OutputSpec) -> Bool {
    word.container == nil && extensions.contains(word.path.fileExtension)
  }

  /// Returns the frame format: any size, with alpha if there may be any and the format can store
  /// it, unless a pixel format is requested.
  func frameFormat(_ picture: FrameDescription, requested: PixelFormat?) -> FrameFormat {
    var color = picture.color
    let hasAlpha = picture.hasAlpha || picture.mayGainAlpha
    (color.matrix, color.range) = (matrix, .full)
    let kept = picture.contents.flatMap {
      keepsSource ? $0.nearest(of: requestable, hasAlpha: hasAlpha) : nil
    }
    let chosen = requested ?? kept ?? (hasAlpha ? alphaPixelFormat ?? pixelFormat : pixelFormat)
    color = color.forViewers(of: chosen)
    if chosen.layout.chromaSubsampling != (1, 1) { color.chromaSiting = .center }
    return FrameFormat(
      width: picture.width, height: picture.height, pixelFormat: chosen, color: color,
      sampleAspectRatio: picture.sampleAspectRatio)
  }

  func plan(_ request: SinkRequest) throws(EncodeError) -> EncoderPlan {
    var plan = EncoderPlan(
      codec: try EncoderCatalog.encoder(named: encoder), format: request.format,
      frameRate: request.frameRate, timeBase: Rational(1, 1000), threads: request.threads,
      options: options)
    plan.profile = PictureColors(request.format)?.profile ?? []
    return plan
  }
}

extension ColorDescription {
  /// The curve by which screens show the picture: a camera's curve (BT.709, BT.601, BT.2020) is not what a viewer of images has to
  /// undo, and all players show such codes as those of sRGB.
  var screenTransfer: UInt8 { [1, 6, 7, 11, 12, 14, 15].contains(transfer) ? 13 : transfer }

  /// Whether the primaries are those of sRGB, or of standard television, which are near them.
  var hasUsualPrimaries: Bool { [1, 2, 5, 6, 7].contains(primaries) }

  /// The colours as the file of a picture says them: sRGB's, but for those that are far from it.
  ///
  /// FFmpeg's encoder of PNG would write the primaries of standard television, by which viewers then convert.
  func forViewers(of format: PixelFormat) -> ColorDescription {
    var color = self
    color.transfer = screenTransfer
    // Gray has no primaries.
    if hasUsualPrimaries || format.layout.model == .gray { color.primaries = 1 }
    return color
  }
}
