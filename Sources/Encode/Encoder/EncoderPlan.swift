import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// All that an encoder is opened with.
struct EncoderPlan {
  let codec: UnsafePointer<AVCodec>
  var format: FrameFormat
  var frameRate: Rational
  var timeBase: Rational
  /// Bits a second; nil where quality is fixed, or nothing is lost.
  var bitrate: Int?
  var gop: Int?
  /// Nil leaves it to the encoder.
  var bFrames: Int?
  /// 0 lets the encoder choose.
  var threads = 0
  /// Frame threads hold a frame each.
  var allowsFrameThreads = true
  var options: [EncoderOption] = []
  /// How the frames are interlaced; nil where they are whole.
  var fieldOrder: FieldOrder?

  /// The fields are coded each for itself, for which each must have whole lines of chroma.
  var codesFields: Bool {
    fieldOrder != nil && EncoderTraits.of(name).codesFields
      && format.height % (2 * format.pixelFormat.layout.chromaSubsampling.y) == 0
  }

  /// In MOV and MP4 the only place for the field order of H.264 and MPEG-4 is their own coding.
  func losesFieldOrder(in container: Container) -> Bool {
    fieldOrder != nil && !codesFields && container.isMovieFamily
      && [AV_CODEC_ID_H264, AV_CODEC_ID_MPEG4].contains(codec.pointee.id)
  }

  var name: String { String(cString: codec.pointee.name) }

  /// The frames themselves, not copied, for y4m.
  static func uncompressed(
    request: SinkRequest, timeBase: Rational
  ) throws(EncodeError) -> EncoderPlan {
    let codec = try EncoderCatalog.encoder(named: "wrapped_avframe")
    return EncoderPlan(
      codec: codec, format: request.format, frameRate: request.frameRate, timeBase: timeBase,
      fieldOrder: request.fieldOrder)
  }
}

extension EncoderChoice {
  /// The plan for frames whose size and rate are known.
  func plan(
    settings: EncodeSettings, request: SinkRequest, timeBase: Rational
  ) throws(EncodeError) -> EncoderPlan {
    let codec = try EncoderCatalog.encoder(named: name)
    let traits = EncoderTraits.of(name)
    var plan = EncoderPlan(
      codec: codec, format: request.format, frameRate: request.frameRate, timeBase: timeBase)
    plan.gop = settings.gop
    plan.threads = request.threads
    plan.fieldOrder = request.fieldOrder
    var options = traits.options
    if let crf = settings.crf {
      options.append(EncoderOption("crf", EncoderChoice.text(crf, for: codec)))
    } else {
      plan.bitrate = settings.bitrate ?? EncoderChoice.usualBitrate(request)
    }
    if let preset = settings.preset ?? traits.defaultPreset {
      options.append(EncoderOption("preset", preset))
    }
    if request.isLive {
      let rate = request.frameRate.doubleValue
      let threads =
        request.threads > 0 ? request.threads : sysconf(Int32(_SC_NPROCESSORS_ONLN)) * 3 / 2
      let tuning = traits.live(Int(rate / 2), threads)
      plan.gop = settings.gop ?? max(Int(rate.rounded()), 1)
      plan.threads = tuning.threads ?? plan.threads
      plan.bFrames = tuning.bFrames
      plan.allowsFrameThreads = tuning.threads ?? 0 > 1
      options.removeAll { usual in tuning.options.contains { $0.key == usual.key } }
      options += tuning.options
    }
    plan.options = options
    return plan
  }

  /// 6 Mbit/s for 1280x720 at 30 frames a second and in proportion for others, at least 0.5.
  static func usualBitrate(_ request: SinkRequest) -> Int {
    let pixels = Rational(Int64(request.format.width * request.format.height))
    let share = pixels * request.frameRate / Rational(1280 * 720 * 30)
    return max(Int((6_000_000 * share.doubleValue).rounded()), 500_000)
  }

  /// Some encoders' crf is a whole number.
  private static func text(_ crf: Double, for codec: UnsafePointer<AVCodec>) -> String {
    option("crf", of: codec)?.pointee.type == AV_OPT_TYPE_INT
      ? String(Int(crf.rounded())) : String(crf)
  }
}
