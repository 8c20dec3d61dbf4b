import CFFmpeg
import FFmpegHandles
import Frames

/// The encoder that the settings ask for, found and checked before there is a frame.
struct EncoderChoice: Sendable {
  /// FFmpeg's name of the encoder; the codec itself is static data of libavcodec, looked up again
  /// when it is opened.
  let name: String
  /// The requested pixel format, or the first of the usual ones that the encoder takes.
  let pixelFormat: PixelFormat
  /// The same format with 10 bits, if it has 8 and the encoder takes more.
  let deeperPixelFormat: PixelFormat?
  /// What the encoder takes of the formats that kfrec makes.
  private let taken: [PixelFormat]
  /// What the format follows from, if none was requested.
  private let keeping: Keeping
  /// The format is the source's own, because the codec is lossless and no other was requested.
  var keepsEverything: Bool { keeping == .everything }

  /// What an encoder keeps of its source without being asked.
  private enum Keeping {
    case nothing
    /// 10 bits, where the source has more than 8: players that know the codec show them.
    case depth
    /// Everything: who chooses a lossless codec wants to lose nothing.
    case everything
  }

  /// The nearest format with alpha that the encoder takes and the container keeps, for a message.
  let keepingAlpha: PixelFormat?
  /// The format for frames with alpha: the nearest one if no format was requested, else nil unless the
  /// requested one has alpha or is ProRes 4444.
  let alphaPixelFormat: PixelFormat?
  /// What a file of the codec in the container can say of its colours.
  private let colors: StatedColors
  /// 4444 is one profile of ProRes, with alpha or without, and players accept both: so frames that are
  /// only suspected of having alpha have it there too.
  let isEitherWay: Bool

  /// The formats that kfrec makes, ordered by how many players show them.
  private static let usual: [PixelFormat] =
    [
      .yuv420p, .yuv422p, .yuv444p, .yuv420p10le, .yuv422p10le, .yuv444p10le, .rgb24, .bgr0, .rgb0,
      .gbrp, .yuv420p12le, .yuv422p12le, .yuv444p12le,
    ] + usualWithAlpha

  private static let usualWithAlpha: [PixelFormat] = [
    .yuva420p, .yuva422p, .yuva444p, .yuva420p10le, .yuva422p10le, .yuva444p10le, .yuva422p12le,
    .yuva444p12le, .yuva420p16le, .yuva422p16le, .yuva444p16le, .rgba, .bgra, .argb, .gbrap,
    .gbrap10le, .gbrap12le, .gbrap16le,
  ]

  /// Returns the format with alpha that is most like another one, of those that the encoder takes.
  private static func nearestWithAlpha(
    to format: PixelFormat, of taken: [String]?
  ) -> PixelFormat? {
    let own = PixelFormat(
      rawValue: format.rawValue.replacing("yuv", with: "yuva", maxReplacements: 1))
    let deep = usualWithAlpha.filter { $0.layout.depth >= format.layout.depth }
    return ([own].compactMap(\.self) + deep + usualWithAlpha).first {
      $0.layout.alpha != nil && taken?.contains($0.rawValue) == true
    }
  }

  /// Checks the settings; throws a sentence that names the encoder and the remedy.
  init(settings: EncodeSettings, container: Container) throws(EncodeError) {
    let codec = try EncoderCatalog.encoder(named: settings.codec ?? container.usualEncoder)
    name = String(cString: codec.pointee.name)
    // For hardware they are those that `EncoderFeed` makes what it takes of.
    let taken = HardwareEncoder(codec)?.taken ?? EncoderChoice.listedPixelFormats(of: codec)
    let chosen =
      settings.pixelFormat
      ?? EncoderChoice.usual.first { format in taken?.contains(format.rawValue) ?? true }
      ?? EncoderChoice.usual[0]
    pixelFormat = chosen
    deeperPixelFormat = EncoderChoice.usual.first { format in
      format.rawValue == chosen.rawValue + "10le" && taken?.contains(format.rawValue) == true
    }
    self.taken =
      taken.map { taken in PixelFormat.allCases.filter { taken.contains($0.rawValue) } }
      ?? EncoderChoice.usual
    keeping =
      settings.pixelFormat != nil
      ? .nothing
      : EncoderChoice.isLossless(codec.pointee.id)
        ? .everything
        : [AV_CODEC_ID_HEVC, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1].contains(codec.pointee.id)
          ? .depth : .nothing
    let holdsAlpha = container.holdsAlpha(of: codec.pointee.id)
    colors = StatedColors(codec.pointee.id, in: container)
    keepingAlpha = holdsAlpha ? EncoderChoice.nearestWithAlpha(to: chosen, of: taken) : nil
    isEitherWay = chosen == .yuv444p10le && codec.pointee.id == AV_CODEC_ID_PRORES
    alphaPixelFormat =
      chosen.layout.alpha != nil
      ? chosen : isEitherWay || settings.pixelFormat == nil ? keepingAlpha : nil
    try checkContainer(codec, container)
    if chosen.layout.alpha != nil, !holdsAlpha {
      throw EncodeError(
        "\(container.title) does not hold the alpha of \(String(cString: avcodec_get_name(codec.pointee.id))): "
          + "write .webm or .mkv, or use --pixel-format yuv420p", isUsageError: true)
    }
    try checkPixelFormat(taken)
    try checkNumbers(settings)
    try checkOptions(codec, settings)
    try EncoderChoice.checkOwnOptions(codec, settings)
  }

  /// Options of libavcodec that follow from the frames, or that kfrec has itself.
  private static let reserved = [
    "b": "use --bitrate", "g": "use --gop", "crf": "use --crf", "preset": "use --preset",
    "pixel_format": "use --pixel-format", "time_base": "it follows from the frames",
    "video_size": "use --size", "threads": "kfrec shares the processors out",
  ]

  /// Checks names and values of the encoder's own options with the encoder, before there is a frame.
  static func checkOwnOptions(
    _ codec: UnsafePointer<AVCodec>, _ settings: EncodeSettings
  ) throws(EncodeError) {
    guard !settings.options.isEmpty else { return }
    let name = String(cString: codec.pointee.name)
    var context = avcodec_alloc_context3(codec)
    defer { avcodec_free_context(&context) }
    guard let context else { throw EncodeError("out of memory") }
    for option in settings.options {
      if let remedy = reserved[option.key] {
        throw EncodeError(
          "--encoder-option \(option.key) is not passed on: \(remedy)", isUsageError: true)
      }
      let flags = AV_OPT_FLAG_ENCODING_PARAM | AV_OPT_FLAG_VIDEO_PARAM
      guard
        let found = av_opt_find(context, option.key, nil, 0, AV_OPT_SEARCH_CHILDREN),
        found.pointee.flags & flags == flags
      else {
        throw EncodeError(
          "\(name) has no option \"\(option.key)\": ffmpeg -h encoder=\(name) lists those that it has",
          isUsageError: true)
      }
      let result = av_opt_set(context, option.key, option.value, AV_OPT_SEARCH_CHILDREN)
      guard result >= 0 else {
        throw EncodeError(
          "\(name) does not take \"\(option.value)\" for its option \(option.key) "
            + "(\(FFmpegError.reason(result)))", isUsageError: true)
      }
      if option.key.hasSuffix("-params") { try checkParameters(codec, option) }
    }
  }

  /// Checks a list of parameters with the library behind an encoder, which only says what it does not know, and goes on.
  private static func checkParameters(
    _ codec: UnsafePointer<AVCodec>, _ option: EncoderOption
  ) throws(EncodeError) {
    let name = String(cString: codec.pointee.name)
    var context = avcodec_alloc_context3(codec)
    defer { avcodec_free_context(&context) }
    guard let context else { throw EncodeError("out of memory") }
    // SVT-AV1 would never return from closing; it refuses this size after it has read the parameters.
    let side: Int32 = name == "libsvtav1" ? 16 : 64
    (context.pointee.width, context.pointee.height) = (side, side)
    context.pointee.pix_fmt = kf_pixel_formats(codec)?.pointee ?? AV_PIX_FMT_YUV420P
    context.pointee.time_base = AVRational(num: 1, den: 25)
    context.pointee.thread_count = 1
    // x265 itself prints to standard error.
    let quiet = name == "libx265" ? "log-level=none:" : ""
    av_opt_set(context, option.key, quiet + option.value, AV_OPT_SEARCH_CHILDREN)
    let lines = loggedLines(upTo: AV_LOG_WARNING) {
      _ = ThreadPriority.kept { avcodec_open2(context, codec, nil) }
    }
    let signs = ["Error parsing option", "Unknown option", "Invalid value for"]
    guard let line = lines.first(where: { line in signs.contains { line.hasPrefix($0) } }) else {
      return
    }
    throw EncodeError(
      "\(name) does not take a part of \(option.key)=\(option.value) "
        + "(\(line.hasSuffix(".") ? String(line.dropLast()) : line)): correct it, or leave it out",
      isUsageError: true)
  }

  /// The quality does not depend on a bit rate: lossless codecs, and those with a fixed quality.
  var hasFixedQuality: Bool {
    EncoderTraits.of(name).hasFixedQuality
      || avcodec_find_encoder_by_name(name).map { EncoderChoice.isLossless($0.pointee.id) } == true
  }

  /// Whether a codec keeps every bit, whatever its options are.
  static func isLossless(_ codec: AVCodecID) -> Bool {
    let properties = avcodec_descriptor_get(codec)?.pointee.props ?? 0
    return properties & AV_CODEC_PROP_LOSSLESS != 0 && properties & AV_CODEC_PROP_LOSSY == 0
  }

  /// The settings with 10 bits for HDR; nil if the format was requested, or is deep enough, or nothing fits.
  ///
  /// H.264 with 10 bits is left to those who ask for it: few devices play it.
  func settingsForHDR(_ settings: EncodeSettings) -> EncodeSettings? {
    guard settings.pixelFormat == nil, pixelFormat.layout.depth < 10, keeping != .everything
    else { return nil }
    var deeper = settings
    deeper.pixelFormat = deeperPixelFormat ?? .yuv420p10le
    if name.contains("264") || deeperPixelFormat == nil {
      guard settings.codec == nil else { return nil }
      (deeper.codec, deeper.pixelFormat) = ("hevc", .yuv420p10le)
    }
    return deeper
  }

  func pixelFormat(for picture: FrameDescription) -> PixelFormat {
    let hasAlpha = picture.hasAlpha && keepingAlpha != nil
    if let contents = picture.contents {
      if keeping == .everything {
        return contents.nearest(of: taken, hasAlpha: hasAlpha) ?? pixelFormat
      }
      if keeping == .depth, contents.depth > 8, !hasAlpha {
        return deeperPixelFormat ?? pixelFormat
      }
    }
    let mayGain = picture.mayGainAlpha && isEitherWay
    return picture.hasAlpha || mayGain ? alphaPixelFormat ?? pixelFormat : pixelFormat
  }

  /// Returns the format of the frames, with colours that the file can state.
  func frameFormat(_ picture: FrameDescription) -> FrameFormat {
    var format = picture.video(pixelFormat(for: picture))
    if format.pixelFormat.layout.model == .yCbCr { format.color = colors.stated(format.color) }
    return format
  }

  /// Returns the format that is nearest to a source's own, for a message.
  func nearest(to contents: PixelContents, hasAlpha: Bool) -> PixelFormat? {
    contents.nearest(of: taken, hasAlpha: hasAlpha && keepingAlpha != nil)
  }

  /// Frames that are encoded apart get the same quality: it is constant unless a bit rate is asked for.
  var hasConstantQuality: Bool {
    hasFixedQuality || EncoderTraits.of(name).usualQuality != nil
  }

  private func checkContainer(
    _ codec: UnsafePointer<AVCodec>, _ container: Container
  ) throws(EncodeError) {
    guard !container.takes(codec.pointee.id) else { return }
    guard container.outputFormat != nil else {
      throw EncodeError("this FFmpeg cannot write \(container.title): install one that can")
    }
    let takers = Container.all.filter { $0.takes(codec.pointee.id) }.map(\.ending)
    throw EncodeError(
      "\(container.title) does not hold \(String(cString: avcodec_get_name(codec.pointee.id))): "
        + (takers.isEmpty
          ? "choose another --codec"
          : "write \(takers.joined(separator: " or ")), or choose another --codec"),
      isUsageError: true)
  }

  /// Returns FFmpeg's names of the pixel formats in an encoder's own list; nil if it has none.
  ///
  /// Without the alpha of libx265, which FFmpeg lists from 8 on: few builds of x265 encode it (Debian's fails when it is
  /// opened), and older versions do not read it.
  static func listedPixelFormats(of codec: UnsafePointer<AVCodec>) -> [String]? {
    guard let list = kf_pixel_formats(codec) else { return nil }
    let isOpaque = String(cString: codec.pointee.name) == "libx265"
    return sequence(first: list) { $0 + 1 }.prefix { $0.pointee != AV_PIX_FMT_NONE }
      .compactMap { av_get_pix_fmt_name($0.pointee).map { String(cString: $0) } }
      .filter { !isOpaque || !$0.hasPrefix("yuva") }
  }

  private func checkPixelFormat(_ taken: [String]?) throws(EncodeError) {
    guard let taken, !taken.contains(pixelFormat.rawValue) else { return }
    let usable = EncoderChoice.usual.map(\.rawValue).filter(taken.contains)
    throw EncodeError(
      "\(name) does not take \(pixelFormat.rawValue) frames, only \(taken.joined(separator: ", ")): "
        + (usable.isEmpty
          ? "choose another --codec" : "use --pixel-format \(usable.joined(separator: " or "))"),
      isUsageError: true)
  }

  private func checkNumbers(_ settings: EncodeSettings) throws(EncodeError) {
    if let bitrate = settings.bitrate, !(1000...2_000_000_000).contains(bitrate) {
      throw EncodeError(
        "--bitrate \(bitrate) is outside 1000 to 2000000000 bits per second: for 8 Mbit/s write 8M",
        isUsageError: true)
    }
    if let gop = settings.gop, !(1...100_000).contains(gop) {
      throw EncodeError(
        "--gop \(gop) is outside 1 to 100000 frames from one key frame to the next",
        isUsageError: true)
    }
    if settings.bitrate != nil, settings.crf != nil {
      throw EncodeError(
        "--bitrate and --crf exclude each other: --bitrate fixes the size, --crf the quality",
        isUsageError: true)
    }
  }

  /// Checks presets and crf, which are the encoder's own options, with the encoder.
  private func checkOptions(
    _ codec: UnsafePointer<AVCodec>, _ settings: EncodeSettings
  ) throws(EncodeError) {
    let traits = EncoderTraits.of(name)
    if let crf = settings.crf {
      let keepsQuality = HardwareEncoder(codec)?.keepsQuality == true
      guard keepsQuality || EncoderChoice.option("crf", of: codec) != nil else {
        throw EncodeError("\(name) has no --crf: use --bitrate", isUsageError: true)
      }
      guard crf >= 0, crf <= traits.largestCRF else {
        throw EncodeError(
          "--crf \(crf) is outside 0 (best) to \(Int(traits.largestCRF)) of \(name)",
          isUsageError: true)
      }
    }
    guard let preset = settings.preset else { return }
    guard let option = EncoderChoice.option("preset", of: codec) else {
      throw EncodeError("\(name) has no presets: leave out --preset", isUsageError: true)
    }
    if !traits.presets.isEmpty {
      guard !traits.presets.contains(preset) else { return }
      throw EncodeError(
        "\(name) has no preset \"\(preset)\": use one of \(traits.presets.joined(separator: ", "))",
        isUsageError: true)
    }
    let range = Int(option.pointee.min)...Int(option.pointee.max)
    if option.pointee.type == AV_OPT_TYPE_INT, option.pointee.unit == nil,
      Int(preset).map(range.contains) != true
    {
      throw EncodeError(
        "\(name) has no preset \"\(preset)\": use a number from \(range.lowerBound) to "
          + "\(range.upperBound)", isUsageError: true)
    }
  }

  /// Returns an encoder's private option, which is static data of libavcodec.
  static func option(
    _ name: String, of codec: UnsafePointer<AVCodec>
  ) -> UnsafePointer<AVOption>? {
    guard var object = codec.pointee.priv_class else { return nil }
    // A pointer to a class pointer can replace an object if only its options are searched
    // (AV_OPT_SEARCH_FAKE_OBJ).
    return withUnsafeMutablePointer(to: &object) {
      av_opt_find($0, name, nil, 0, AV_OPT_SEARCH_FAKE_OBJ)
    }
  }
}

extension EncodeSettings {
  /// The options that mean nothing to another encoder, or that it does not take; none if it is the same, or does not exist.
  public func optionsLost(with codec: String) -> Set<String> {
    func taken(_ codec: String?, crf: Double? = nil, _ format: PixelFormat? = nil) -> String? {
      var settings = EncodeSettings()
      (settings.codec, settings.crf, settings.pixelFormat) = (codec, crf, format)
      return (try? EncoderChoice(settings: settings, container: .mkv))?.name
    }
    guard let name = taken(codec), name != taken(self.codec) else { return [] }
    var names: Set<String> = ["preset", "encoder-option"]
    if taken(codec, crf: crf) == nil { names.insert("crf") }
    if taken(codec, pixelFormat) == nil { names.insert("pixel-format") }
    return names
  }
}
