import CFFmpeg
import FFmpegHandles
import Frames

/// An encoder of libavcodec that runs on hardware: in which layout it takes frames, and how it keeps a quality.
struct HardwareEncoder {
  let codec: UnsafePointer<AVCodec>
  let family: HardwareFamily

  /// Nil if the processor runs the encoder.
  init?(_ codec: UnsafePointer<AVCodec>) {
    guard let family = HardwareFamily(encoder: String(cString: codec.pointee.name)) else {
      return nil
    }
    (self.codec, self.family) = (codec, family)
  }

  var name: String { String(cString: codec.pointee.name) }

  /// The encoders of this FFmpeg for a codec, in the order of the families.
  static func all(_ id: AVCodecID? = nil, of families: [HardwareFamily]) -> [HardwareEncoder] {
    let found = EncoderCatalog.all.filter { id == nil || $0.pointee.id == id }
      .compactMap(HardwareEncoder.init)
    return families.flatMap { family in found.filter { $0.family == family } }
  }

  /// The formats of kfrec's frames that it takes, after `EncoderFeed` has changed their layout.
  var taken: [String] {
    let own = EncoderChoice.listedPixelFormats(of: codec) ?? []
    let deep = own.contains("p010le") || family == .vaapi && hasDeepProfile
    let deepFormats = deep ? ["yuv420p10le", "p010le"] : []
    return switch family {
    case .nvidia: own + deepFormats.filter { !own.contains($0) }
    case .qsv, .vaapi: ["yuv420p", "nv12"] + deepFormats
    default: (own.isEmpty ? ["yuv420p"] : own.filter { $0 != "nv12" }) + ["nv12"]
    }
  }

  private var hasDeepProfile: Bool {
    [AV_CODEC_ID_HEVC, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1].contains(codec.pointee.id)
  }

  /// FFmpeg's layout of the frames that it receives in the processor's memory, for a format of kfrec's.
  func layout(of format: PixelFormat) -> AVPixelFormat {
    let keepsPlanes = family == .v4l2m2m || family == .omx || family == .nvidia
    return switch format {
    case .yuv420p where !keepsPlanes: AV_PIX_FMT_NV12
    case .nv12 where keepsPlanes && family != .nvidia: AV_PIX_FMT_YUV420P
    case .yuv420p10le where family != .v4l2m2m && family != .omx: AV_PIX_FMT_P010LE
    default: format.avPixelFormat
    }
  }

  /// Whether it takes both parts of chroma in one plane, so that nothing has to change their layout.
  var takesThemTogether: Bool { layout(of: .yuv420p) == AV_PIX_FMT_NV12 }

  /// The kind of device whose surfaces it takes; nil if it reads the processor's memory.
  var surfaces: AVHWDeviceType? { family == .vaapi ? AV_HWDEVICE_TYPE_VAAPI : nil }

  /// Whether it can keep a quality, instead of a bit rate.
  var keepsQuality: Bool { [.nvidia, .qsv, .vaapi].contains(family) }

  /// Sets a constant quality on the scale of x264 (0 to 51), or of VP9 (0 to 63).
  ///
  /// The numbers are the quantisers that these encoders call by the same numbers; they are not measured against those of
  /// the encoders on the processor.
  func keep(crf: Double, in plan: inout EncoderPlan) {
    let whole = max(Int(crf.rounded()), 1)
    switch family {
    case .nvidia:
      // Without a bit rate of 0 its default of 2 Mbit/s counts too.
      plan.bitrate = 0
      plan.options += [EncoderOption("rc", "vbr"), EncoderOption("cq", String(crf))]
    case .vaapi:
      plan.options.append(EncoderOption("rc_mode", "CQP"))
      // VP9 has 256 steps here, and JPEG counts from bad to good.
      plan.quality =
        switch codec.pointee.id {
        case AV_CODEC_ID_VP9, AV_CODEC_ID_VP8: min(whole * 4, 255)
        case AV_CODEC_ID_MJPEG: max(100 - whole, 1)
        default: whole
        }
    case .qsv: plan.quality = whole
    default: break
    }
  }

  /// The quality if nothing else is asked for: that of the processor's encoder of the codec.
  var usualCRF: Double? {
    guard keepsQuality else { return nil }
    switch codec.pointee.id {
    case AV_CODEC_ID_H264: return 23
    case AV_CODEC_ID_HEVC: return 27
    case AV_CODEC_ID_VP9: return 31
    case AV_CODEC_ID_AV1: return 35
    default: return nil
    }
  }
}
