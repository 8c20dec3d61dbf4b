import CFFmpeg
import FFmpegHandles
import Frames

extension OutputKind {
  static func animation(in format: AnimationFormat) -> OutputKind {
    OutputKind(words: "name\(format.ending)", summary: format.summary) { word throws(EncodeError) in
      guard word.container == nil, "." + word.path.fileExtension == format.ending else {
        return nil
      }
      try word.path.checkPlace()
      return AnimationOutput(format: format, path: word.path.target)
    }
  }
}

struct AnimationOutput: OutputTarget {
  let format: AnimationFormat
  let path: String
  private var settings = EncodeSettings()

  init(format: AnimationFormat, path: String) { (self.format, self.path) = (format, path) }

  var place: OutputPlace { .single(.file(path)) }
  var preference: PixelPreference { .picture(format.pixels) }
  var holdsAlpha: Bool { true }
  var holdsFieldOrder: Bool { false }
  var holdsTransfer: Bool { false }
  func unreadable(frames: Int?) -> String? {
    format == .webp && frames != 1 ? "FFmpeg does not decode animated WebP" : nil
  }

  mutating func settle(_ settings: EncodeSettings) throws(EncodeError) {
    self.settings = settings
    for (isGiven, option) in [
      (settings.codec != nil, "--codec"), (settings.preset != nil, "--preset"),
      (settings.bitrate != nil, "--bitrate"), (settings.crf != nil, "--crf"),
      (settings.gop != nil, "--gop"), (settings.pixelFormat != nil, "--pixel-format"),
    ] where isGiven {
      throw EncodeError(
        "\(option) is for movies, and \(format.title) has an encoder of its own: leave it out"
          + (format == .webp ? ", or give --encoder-option quality=90 or lossless=1" : ""),
        isUsageError: true)
    }
    try EncoderChoice.checkOwnOptions(EncoderCatalog.encoder(named: format.encoder), settings)
  }

  /// Whether a WebP keeps each pixel; then it stores RGB.
  private var isLossless: Bool {
    settings.options.last { $0.key == "lossless" }.map { $0.value != "0" } ?? false
  }

  func frameFormat(_ picture: FrameDescription) -> FrameFormat {
    let hasAlpha = picture.hasAlpha || picture.mayGainAlpha
    // libwebp and the palette filters take no RGB without room for alpha.
    let plain = format != .apng ? PixelFormat.bgra : hasAlpha ? .rgba : .rgb24
    // An APNG keeps what a PNG keeps.
    let kept = format == .apng ? picture.contents : nil
    var made = picture.video(
      kept?.nearest(
        of: [.rgb24, .rgba, .rgb48be, .rgba64be, .gray, .gray16be], hasAlpha: hasAlpha) ?? plain)
    if format == .apng {
      made.color = made.color.forViewers(of: made.pixelFormat)
      // As in a PNG, which cannot say anything else.
      made.color.range = .full
    }
    if format == .webp, !isLossless {
      made.pixelFormat = hasAlpha ? .yuva420p : .yuv420p
      // The specification of WebP's lossy images knows no other matrix (RFC 9649, 2.5).
      (made.color.matrix, made.color.range, made.color.chromaSiting) = (
        .smpte170m, .limited, .center
      )
    }
    return made
  }

  func open(_ request: SinkRequest, name: String) throws -> sending any MediaSink {
    guard request.parts == nil else {
      throw EncodeError(
        "\(name) cannot be joined from parts; leave out --chunks", isUsageError: true)
    }
    var request = request
    (request.codedAudio, request.audio, request.fieldOrder) = ([], [], nil)
    request.plays = settings.plays
    if format == .gif {
      return try GIFSink(name: name, path: path, settings: settings, request: request)
    }
    var plan = EncoderPlan(
      codec: try EncoderCatalog.encoder(named: format.encoder), format: request.format,
      frameRate: request.frameRate, timeBase: format.timeBase(source: request.timeBase),
      threads: request.threads, options: format.encoderOptions + settings.options)
    if format == .webp {
      return try WebPSink(name: name, path: path, plan: plan, request: request)
    }
    let colors = PictureColors(request.format)
    plan.profile = colors?.profile ?? []
    var decision = EncoderDecision(plan: plan)
    decision.notices = [colors?.notice(name)].compactMap(\.self)
    return try MovieSink(
      name: name, container: .apng, destination: .file(path), decision: decision, request: request)
  }
}
