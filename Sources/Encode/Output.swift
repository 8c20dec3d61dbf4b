package import Frames

/// What the word after `-o` names, judged before anything is opened.
///
/// All that can be known without a frame is checked in `init`: the kind, the folder, the encoder and
/// its settings.
package struct Output: Sendable {
  /// As typed.
  package let word: String
  let target: OutputTarget
  private let settings: EncodeSettings
  /// Nil where nothing is encoded, or pictures are.
  let encoder: EncoderChoice?
  /// A virtual camera beside an output that keeps frames: it shows the latest ones, and may miss some
  /// or fail without harm to the others.
  package internal(set) var isCompanion = false

  /// Judges a word; `container` is a container's name where the word does not tell.
  package init(
    _ word: String, container: String? = nil, settings: EncodeSettings = EncodeSettings()
  ) throws(EncodeError) {
    let typed = try OutputWord(word, container: container)
    try self.init(word, target: typed.target(), settings: settings)
  }

  init(_ word: String, target: OutputTarget, settings: EncodeSettings) throws(EncodeError) {
    var settings = settings
    if case .camera(let path) = target {
      settings.pixelFormat = try VirtualCamera.pixelFormat(of: path, wanted: settings.pixelFormat)
    }
    self.word = word
    self.target = target
    self.settings = settings
    if case .movie(let container, _) = target {
      encoder =
        container.isUncompressed
        ? nil
        : try EncoderChoice(settings: settings, container: container)
      if container.isUncompressed { try Output.checkUncompressed(settings.pixelFormat) }
    } else {
      encoder = nil
    }
  }

  /// Sound can go along with the frames.
  package var usesSound: Bool {
    if case .movie(let container, _) = target { container.holdsSound } else { false }
  }

  /// What the frames' pixels must be; outputs that want the same can share frames.
  var wish: PixelWish {
    switch target {
    case .nothing: .anything
    case .picture, .pictures: .color
    case .movie, .camera: .format(pixelFormat)
    }
  }

  /// How many frames the output holds, where that is limited: 1 for a single picture.
  package var frameLimit: Int? {
    if case .picture = target { 1 } else { nil }
  }

  /// Frames are seen as they come, so that they must come at their own pace.
  package var isPaced: Bool { target.isCamera }

  /// Standard output is taken, so that messages for machines must go elsewhere.
  package var isStandardOutput: Bool {
    if case .movie(_, .standardOutput) = target { true } else { false }
  }

  /// The file that would be written over, if there is one now; for a sequence its first picture.
  package var existingPath: String? {
    let path: String
    switch target {
    case .movie(_, .file), .picture(.file): path = word
    case .pictures(let pattern):
      let first = pattern.path(1)
      return FileIdentity(at: first) == nil ? nil : first
    default: return nil
    }
    return OutputPath(path).exists ? path : nil
  }

  /// Throws when an input is what would be written over; a sequence is given as its pattern.
  package func checkDiffers(fromInput input: String) throws(EncodeError) {
    let isSame: Bool
    switch target {
    case .movie(_, .file(let path)), .picture(.file(let path)):
      isSame =
        OutputPath.areSame(path, input)
        || SequencePattern(OutputPath.absolute(input))?.makes(OutputPath.absolute(path)) == true
    case .movie(_, .stream(let path)), .picture(.stream(let path)), .camera(let path):
      isSame = OutputPath.areSame(path, input)
    case .pictures(let pattern):
      isSame =
        OutputPath.absolute(word) == OutputPath.absolute(input)
        || SequencePattern(OutputPath.absolute(word))?.makes(OutputPath.absolute(input)) == true
        || OutputPath.areSame(pattern.path(1), input)
    default:
      isSame = false
    }
    if isSame {
      throw EncodeError(
        "\(word) is both input and output: give the output another name", isUsageError: true)
    }
  }

  /// The layout and the size that frames for this output must have, for a picture of the given size
  /// and colours.
  ///
  /// Movies and y4m: the pixel format asked for, or yuv420p, and the size rounded up to whole chroma
  /// samples (the caller repeats the last column or row). An RGB description becomes limited-range
  /// YCbCr with the matrix of the size rule. Pictures: RGB with alpha if there may be any, of any
  /// size. ProRes 4444 has alpha too then, if it was asked for as yuv444p10le.
  package func frameFormat(
    width: Int, height: Int, color: ColorDescription, sampleAspectRatio: Rational = .one,
    hasAlpha: Bool = false
  ) -> FrameFormat {
    var color = color
    switch target {
    case .picture, .pictures:
      (color.matrix, color.range) = (.rgb, .full)
      return FrameFormat(
        width: width, height: height, pixelFormat: hasAlpha ? .rgba : .rgb24, color: color,
        sampleAspectRatio: sampleAspectRatio)
    case .movie, .nothing, .camera:
      let pixelFormat = hasAlpha ? encoder?.alphaPixelFormat ?? pixelFormat : pixelFormat
      let unit = pixelFormat.layout.chromaSubsampling
      if color.matrix == .rgb, pixelFormat.layout.model != .rgb {
        (color.matrix, color.range) = (.assumed(width: width, height: height), .limited)
      }
      return FrameFormat(
        width: (width + unit.x - 1) / unit.x * unit.x,
        height: (height + unit.y - 1) / unit.y * unit.y, pixelFormat: pixelFormat, color: color,
        sampleAspectRatio: sampleAspectRatio)
    }
  }

  /// Opens the output; nothing is left behind when it throws.
  package func open(_ request: SinkRequest) throws -> any MediaSink {
    switch target {
    case .nothing:
      return NullSink(name: word, frameRate: request.frameRate)
    case .camera(let path):
      return try VirtualCameraSink(name: word, path: path, request: request)
    case .picture(let destination):
      return try PictureSink(name: word, destination: destination, request: request)
    case .pictures(let pattern):
      return try PictureSequenceSink(name: word, pattern: pattern, request: request)
    case .movie(let container, let destination):
      let timeBase = TimeBaseRule.timeBase(container: container, request: request)
      let plan =
        if let encoder {
          try encoder.plan(settings: settings, request: request, timeBase: timeBase)
        } else {
          try EncoderPlan.uncompressed(request: request, timeBase: timeBase)
        }
      return try MovieSink(
        name: word, container: container, destination: destination, plan: plan, request: request)
    }
  }

  /// Takes frames with alpha where others may take them without.
  var holdsAlpha: Bool {
    switch target {
    case .nothing, .picture, .pictures: true
    case .movie: encoder?.alphaPixelFormat != nil
    case .camera: false
    }
  }

  /// Of movies: what is asked for, or suits the encoder.
  private var pixelFormat: PixelFormat { encoder?.pixelFormat ?? settings.pixelFormat ?? .yuv420p }

  private static func checkUncompressed(_ format: PixelFormat?) throws(EncodeError) {
    // yuv4mpegenc.c takes these without a flag for its unofficial extensions.
    let taken: [PixelFormat] = [.yuv420p, .yuv422p, .yuv444p, .yuv411p, .gray]
    guard let format, !taken.contains(format) else { return }
    throw EncodeError(
      "y4m does not take \(format.rawValue): use --pixel-format yuv420p, yuv422p or yuv444p",
      isUsageError: true)
  }
}
