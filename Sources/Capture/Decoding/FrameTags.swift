import CFFmpeg
import Frames

extension ColorTags {
  /// Reads the colour tags of a decoded frame, or of its stream where the frame has none, and applies
  /// overrides.
  init(
    _ frame: UnsafePointer<AVFrame>, parameters: UnsafePointer<AVCodecParameters>,
    overrides: ColorTags, name: String
  ) throws(CaptureError) {
    self.init()
    let matrixCode = ColorTags.stated(
      frame.pointee.colorspace.rawValue, parameters.pointee.color_space.rawValue)
    if let matrixCode, overrides.matrix == nil, ColorTags.isYCbCr(frame.pointee.format) {
      guard let known = ColorMatrix(rawValue: UInt8(clamping: matrixCode)) else {
        let spelled = av_color_space_name(AVColorSpace(matrixCode)).map { String(cString: $0) }
        throw CaptureError(
          """
          \(name) codes its colours with the matrix \(spelled ?? "\(matrixCode)"), which kfrec does not \
          convert; if the tag is wrong, give the right matrix with --input-matrix
          """)
      }
      matrix = known
    }
    let rangeCode = frame.pointee.color_range.rawValue
    let streamRange = parameters.pointee.color_range.rawValue
    range = ColorRange(rawValue: UInt8(clamping: rangeCode != 0 ? rangeCode : streamRange))
    if ColorTags.isFullRangeByFormat(AVPixelFormat(frame.pointee.format)) { range = .full }
    primaries = ColorTags.stated(
      frame.pointee.color_primaries.rawValue, parameters.pointee.color_primaries.rawValue
    ).map { UInt8(clamping: $0) }
    transfer = ColorTags.stated(
      frame.pointee.color_trc.rawValue, parameters.pointee.color_trc.rawValue
    ).map { UInt8(clamping: $0) }
    if ColorTags.isXYZ(frame.pointee.format) {
      // The tags describe the XYZ numbers, and the frame becomes RGB.
      (primaries, transfer) = (1, 13)
    }
    let siting = frame.pointee.chroma_location.rawValue
    let streamSiting = parameters.pointee.chroma_location.rawValue
    chromaSiting = ChromaSiting(rawValue: UInt8(clamping: siting != 0 ? siting : streamSiting))
    self = overridden(by: overrides)
  }

  /// Returns these tags, with each value replaced that the other tags have.
  private func overridden(by other: ColorTags) -> ColorTags {
    ColorTags(
      matrix: other.matrix ?? matrix, range: other.range ?? range,
      primaries: other.primaries ?? primaries, transfer: other.transfer ?? transfer,
      chromaSiting: other.chromaSiting ?? chromaSiting)
  }

  /// Returns the first of two codes that states something.
  ///
  /// In H.273, 2 is "unspecified" and 3 is reserved; 0 is RGB for a matrix (which YCbCr frames do not
  /// have) and reserved elsewhere.
  private static func stated(_ frame: UInt32, _ stream: UInt32) -> UInt32? {
    [frame, stream].first { $0 != 0 && $0 != 2 && $0 != 3 }
  }

  /// Returns whether a format is YCbCr; the matrix tag of other frames has no meaning.
  private static func isYCbCr(_ format: Int32) -> Bool {
    guard let descriptor = av_pix_fmt_desc_get(AVPixelFormat(format))?.pointee else { return false }
    return descriptor.nb_components >= 3 && descriptor.flags & UInt64(AV_PIX_FMT_FLAG_RGB) == 0
      && !isXYZ(format)
  }

  private static func isXYZ(_ format: Int32) -> Bool {
    [AV_PIX_FMT_XYZ12LE, AV_PIX_FMT_XYZ12BE].contains(AVPixelFormat(format))
  }

  private static func isFullRangeByFormat(_ format: AVPixelFormat) -> Bool {
    [
      AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P,
      AV_PIX_FMT_YUVJ411P,
    ].contains(format)
  }
}

extension FieldOrder {
  /// Reads the field order of one frame of a file that may have frames of both kinds; nil for a progressive frame.
  ///
  /// Where the codec marks each picture, a frame without a mark is progressive, whatever its stream says. FFmpeg gives
  /// each field of HEVC as a frame of its own, so there are no woven frames.
  static func woven(
    in frame: UnsafePointer<AVFrame>, parameters: UnsafePointer<AVCodecParameters>
  ) -> FieldOrder? {
    let marking = [
      AV_CODEC_ID_H264, AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4,
      AV_CODEC_ID_VC1, AV_CODEC_ID_WMV3, AV_CODEC_ID_PRORES,
    ]
    let codec = parameters.pointee.codec_id
    guard codec != AV_CODEC_ID_HEVC,
      kf_is_interlaced(frame) != 0 || !marking.contains(codec)
    else { return nil }
    return FieldOrder(frame, parameters: parameters)
  }

  /// Reads the field order of a decoded frame, or of its stream where the frame has none; nil for a
  /// progressive frame.
  ///
  /// FFmpeg also marks images that are stored in several passes (PNG, GIF); they have no fields.
  init?(_ frame: UnsafePointer<AVFrame>, parameters: UnsafePointer<AVCodecParameters>) {
    let stored = [AV_CODEC_ID_PNG, AV_CODEC_ID_APNG, AV_CODEC_ID_GIF]
    guard !stored.contains(parameters.pointee.codec_id) else { return nil }
    if kf_is_interlaced(frame) != 0 {
      self = kf_is_top_field_first(frame) != 0 ? .topFirst : .bottomFirst
      return
    }
    switch parameters.pointee.field_order {
    case AV_FIELD_TT, AV_FIELD_TB: self = .topFirst
    case AV_FIELD_BB, AV_FIELD_BT: self = .bottomFirst
    default: return nil
    }
  }
}
