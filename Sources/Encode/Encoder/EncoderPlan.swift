import CFFmpeg
import FFmpegHandles
import Frames

struct EncoderPlan {
  let codec: UnsafePointer<AVCodec>
  var format: FrameFormat
  var frameRate: Rational
  var timeBase: Rational
  /// Bits per second; nil for constant quality or lossless coding.
  var bitrate: Int?
  /// Most bits per second over two seconds; nil for no limit.
  var highestBitrate: Int?
  var gop: Int?
  /// The quality as the encoder counts it, for encoders that take it beside their options; nil for none.
  var quality: Int?
  /// Nil lets the encoder choose.
  var bFrames: Int?
  /// 0 lets the encoder choose, by the processors that there are.
  var threads = 0
  /// Each frame thread holds one frame.
  var allowsFrameThreads = true
  var options: [EncoderOption] = []
  /// Those of the options that the user gave, by name.
  var askedOptions: [String] = []
  /// How the frames are interlaced; nil if they are progressive.
  var fieldOrder: FieldOrder?
  /// An ICC profile that encoders of pictures write; empty for none.
  var profile: [UInt8] = []
  /// The encoder that was chosen, and the frames that it fails with; nil if it encodes.
  var replaced: (encoder: String, frames: String)?
  /// Whether hardware reads frames where another device has them.
  var sharing = PictureSharing()

  /// Makes the encoder play the part of hardware in tests: returns an error of FFmpeg for a call, or 0.
  var standIn: (@Sendable (EncoderCall) -> Int32)?

  /// The fields are coded separately, which needs whole chroma lines in each.
  var codesFields: Bool {
    fieldOrder != nil && EncoderTraits.of(name).codesFields
      && format.height % (2 * format.pixelFormat.layout.chromaSubsampling.y) == 0
  }

  /// The encoder only takes the frame rates in its own list, and numbers frames instead of timing them (MPEG-1 and MPEG-2).
  ///
  /// The times of its packets are those of its frames.
  var countsFrames: Bool { kf_frame_rates(codec) != nil }

  /// Whether the frames are tagged progressive although they are interlaced.
  func losesFieldOrder(in container: Container) -> Bool {
    fieldOrder != nil && !codesFields && container.has(.codecFieldOrder)
      && [AV_CODEC_ID_H264, AV_CODEC_ID_MPEG4].contains(codec.pointee.id)
  }

  var name: String { String(cString: codec.pointee.name) }

  static func uncompressed(
    container: Container, request: SinkRequest, timeBase: Rational
  ) throws(EncodeError) -> EncoderPlan {
    let codec = try EncoderCatalog.encoder(
      named: container.has(.wrappedFrames) ? "wrapped_avframe" : "rawvideo")
    return EncoderPlan(
      codec: codec, format: request.format, frameRate: request.frameRate, timeBase: timeBase,
      fieldOrder: request.fieldOrder)
  }
}

extension EncoderChoice {
  func plan(
    settings: EncodeSettings, request: SinkRequest, timeBase: Rational
  ) throws(EncodeError) -> EncoderPlan {
    let crash = EncoderTraits.of(self.name).crash.flatMap {
      $0.happens(request.format, request.fieldOrder) ? $0 : nil
    }
    if let crash, crash.other.flatMap({ avcodec_find_encoder_by_name($0) }) == nil {
      throw EncodeError(
        "\(self.name) of this FFmpeg fails with frames \(crash.frames): choose another --codec"
          + (request.fieldOrder == nil ? " or --size" : ", or leave out --deinterlace off"))
    }
    let name = crash?.other ?? self.name
    let codec = try EncoderCatalog.encoder(named: name)
    let traits = EncoderTraits.of(name)
    var plan = EncoderPlan(
      codec: codec, format: request.format, frameRate: request.frameRate, timeBase: timeBase)
    plan.gop = settings.gop
    plan.threads =
      traits.threads(of: codec, for: request.format, isLive: request.isLive) ?? request.threads
    plan.fieldOrder = request.fieldOrder
    plan.sharing = request.sharing
    var options = traits.options
    plan.replaced = crash.map { (self.name, $0.frames) }
    let hardware = HardwareEncoder(codec)
    let hardwareCRF = settings.crf ?? (settings.bitrate == nil ? hardware?.usualCRF : nil)
    if let hardware, let crf = hardwareCRF {
      hardware.keep(crf: crf, in: &plan)
      if request.isLive { plan.highestBitrate = EncoderChoice.usualBitrate(request) }
    } else if let crf = settings.crf {
      options.append(EncoderOption("crf", EncoderChoice.text(crf, for: codec)))
    } else if settings.bitrate == nil, let quality = traits.usualQuality {
      options.append(EncoderOption("crf", EncoderChoice.text(quality.crf, for: codec)))
      if request.isLive {
        let limit = EncoderChoice.usualBitrate(request)
        if quality.isLimitedByTarget { plan.bitrate = limit } else { plan.highestBitrate = limit }
      }
    } else {
      plan.bitrate = settings.bitrate ?? EncoderChoice.usualBitrate(request)
    }
    // Frames that wait for later ones would be lost with hardware that fails.
    if hardware != nil { plan.bFrames = 0 }
    if settings.bitrate == nil, settings.preset == nil, !request.isLive {
      options = Self.adding(traits.usualQuality?.options ?? [], to: options)
    }
    if name == "libvpx", request.format.pixelFormat.layout.alpha != nil {
      // libavcodec refuses VP8 with alpha beside frames that are not shown (libvpxenc.c, `vpx_init`).
      options.append(EncoderOption("auto-alt-ref", "0"))
    }
    if settings.isPart {
      options.removeAll { usual in traits.partOptions.contains { $0.key == usual.key } }
      options += traits.partOptions
    }
    if let preset = settings.preset ?? traits.defaultPreset {
      options.append(EncoderOption("preset", preset))
    }
    if request.isLive {
      let rate = request.frameRate.doubleValue
      let tuning = traits.live(Int(rate / 2), plan.threads)
      plan.gop = settings.gop ?? max(Int(rate.rounded()), 1)
      plan.threads = tuning.threads ?? plan.threads
      plan.bFrames = tuning.bFrames
      plan.allowsFrameThreads = tuning.threads ?? 0 > 1
      options.removeAll { usual in tuning.options.contains { $0.key == usual.key } }
      options += tuning.options
    }
    if name == "libx265", let hdr = request.format.color.hdr, !hdr.x265Parameters.isEmpty {
      options = Self.adding([EncoderOption("x265-params", hdr.x265Parameters)], to: options)
    }
    plan.options = Self.adding(settings.options, to: options + plan.options)
    plan.askedOptions = settings.options.map(\.key)
    return plan
  }

  /// Adds options that take the place of others; lists of an encoder's own parameters are joined.
  private static func adding(
    _ asked: [EncoderOption], to usual: [EncoderOption]
  ) -> [EncoderOption] {
    asked.reduce(into: usual) { options, option in
      let same = options.filter { $0.key == option.key }.map(\.value)
      options.removeAll { $0.key == option.key }
      let isList = option.key.hasSuffix("-params")
      let value = isList ? (same + [option.value]).joined(separator: ":") : option.value
      options.append(EncoderOption(option.key, value))
    }
  }

  /// Returns 6 Mbit/s for 1280x720 at 30 frames per second, in proportion for others, at least 0.5
  /// Mbit/s.
  static func usualBitrate(_ request: SinkRequest) -> Int {
    let pixels = Rational(Int64(request.format.width * request.format.height))
    let share = pixels * request.frameRate / Rational(1280 * 720 * 30)
    return max(Int((6_000_000 * share.doubleValue).rounded()), 500_000)
  }

  /// Returns crf as text; for some encoders it must be a whole number.
  private static func text(_ crf: Double, for codec: UnsafePointer<AVCodec>) -> String {
    option("crf", of: codec)?.pointee.type == AV_OPT_TYPE_INT
      ? String(Int(crf.rounded())) : String(crf)
  }
}

extension HDRMetadata {
  /// The data as parameters of x265, which writes them as SEI messages; empty if there are none that it takes.
  ///
  /// Chromaticities count in steps of 0.00002 and luminances in those of 0.0001 cd/m² (HEVC, D.2.28).
  fileprivate var x265Parameters: String {
    func steps(_ value: Rational, _ inOne: Int64) -> Int64 {
      (value * Rational(inOne) + Rational(1, 2)).floor
    }
    func pair(_ color: Chromaticity) -> String {
      "(\(steps(color.x, 50_000)),\(steps(color.y, 50_000)))"
    }
    var words: [String] = []
    if let display = displayPrimaries, let light = displayLuminance {
      words.append(
        "master-display=G\(pair(display.green))B\(pair(display.blue))R\(pair(display.red))"
          + "WP\(pair(display.white))L(\(steps(light.largest, 10_000)),\(steps(light.smallest, 10_000)))"
      )
    }
    if let content { words.append("max-cll=\(content.largest),\(content.largestMean)") }
    return words.joined(separator: ":")
  }
}
